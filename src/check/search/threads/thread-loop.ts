import {
  callFirstThread,
  END_OF_SEARCH,
  EXPAND,
  FAILED,
  FINISHED,
  PHASE,
  READY,
  STOP,
  WORK,
  waitForChange,
} from './control.ts'
import { LevelExpander } from './level-expander.ts'
import type { ThreadSetup, ThreadUpdate } from './search-threads.ts'
import { STOPPED, ThreadTables } from './thread-tables.ts'

/**
 * The code of another thread: it takes part in one phase after another until the search ends.
 * `receive` returns the next update that was sent, or null.
 */
export function runSearchThread(setup: ThreadSetup, receive: () => ThreadUpdate | null): void {
  const control = new Int32Array(setup.control)
  try {
    takePart(setup, control, receive)
  } catch (error) {
    if (error === STOPPED) return
    Atomics.store(control, FAILED, setup.thread)
    callFirstThread(control)
    throw error
  }
}

function takePart(
  setup: ThreadSetup,
  control: Int32Array,
  receive: () => ThreadUpdate | null,
): void {
  const { shape, thread } = setup
  const tables = new ThreadTables(shape, thread, control, new Int32Array(setup.journal))
  const expander = new LevelExpander(setup, tables)
  const nothing = () => {}
  Atomics.add(control, READY, 1)
  for (let phase = 0; ; phase++) {
    waitForChange(control, PHASE, phase)
    const work = Atomics.load(control, WORK)
    if (work === END_OF_SEARCH || Atomics.load(control, STOP) !== 0) return
    for (let update = receive(); update !== null; update = receive()) expander.update(update)
    tables.read()
    if (work === EXPAND) expander.expand(nothing)
    else expander.move()
    Atomics.add(control, FINISHED, 1)
    callFirstThread(control)
  }
}
