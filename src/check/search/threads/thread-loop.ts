import {
  APPENDED,
  CONTENT,
  LOCAL_STEPS,
  RECEIVE_STEPS,
  recordLength,
  STAGE,
  START_STEPS,
  type SystemShape,
  TransitionTables,
} from '../transition-tables.ts'
import { LevelExpander } from './level-expander.ts'
import type { ThreadSetup, ThreadUpdate } from './search-threads.ts'
import {
  ANSWER,
  ASKED,
  callFirstThread,
  END_OF_SEARCH,
  EXPAND,
  FAILED,
  FINISHED,
  IDLE_REQUEST,
  JOURNAL,
  ownWords,
  PHASE,
  READY,
  REQUEST,
  REQUESTED,
  STOP,
  WORK,
  waitForChange,
} from './shared-memory.ts'

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

/** Thrown in a thread whose search ends while it waits. */
const STOPPED = new Error('the search has ended')

/**
 * The tables of a thread that runs no handlers: a copy of those of the first thread, which writes
 * all its rows and look-ups into a journal. A thread that misses a row reads the journal, and if it
 * is not there either, it asks the first thread and waits.
 */
class ThreadTables extends TransitionTables {
  private readonly own: number
  private position = 0

  constructor(
    shape: SystemShape,
    thread: number,
    private readonly control: Int32Array,
    private readonly journal: Int32Array,
  ) {
    super(shape)
    this.own = ownWords(thread)
  }

  override storeLocalSteps(node: number, local: number): number {
    return this.ask(LOCAL_STEPS, node, local, 0)
  }

  override storeReceives(channel: number, content: number): number {
    return this.ask(CONTENT, channel, content, 0)
  }

  override storeReceiveSteps(channel: number, local: number, message: number): number {
    return this.ask(RECEIVE_STEPS, channel, local, message)
  }

  override storeAppend(channel: number, content: number, message: number): number {
    return this.ask(APPENDED, channel, content, message)
  }

  override storeStage(stage: number): number {
    return this.ask(STAGE, stage, 0, 0)
  }

  override storeStartSteps(stage: number, local: number): number {
    return this.ask(START_STEPS, stage, local, 0)
  }

  private ask(kind: number, key: number, first: number, second: number): number {
    this.read()
    const known = this.find(kind, key, first, second)
    if (known !== undefined && known !== 0) return known
    const { control, own } = this
    control.set([kind, key, first, second], own + REQUESTED)
    Atomics.store(control, own + REQUEST, ASKED)
    callFirstThread(control)
    waitForChange(control, own + REQUEST, ASKED)
    if (Atomics.load(control, STOP) !== 0) throw STOPPED
    Atomics.store(control, own + REQUEST, IDLE_REQUEST)
    this.read()
    return control[own + ANSWER]
  }

  /**
   * Takes over what the first thread has written. A step that is skipped was enabled in a state of
   * the level above, so its rows are there before a level is expanded, and with them whether some
   * step has several outcomes: then none are skipped.
   */
  read(): void {
    const { journal } = this
    const end = Atomics.load(this.control, JOURNAL)
    while (this.position < end) {
      const at = this.position
      const kind = journal[at]
      const length = recordLength(kind)
      this.position = at + length
      if (kind < LOCAL_STEPS) this.addRow(kind, journal.subarray(at + 1, at + length))
      else this.addLookUp(kind, journal[at + 1], journal[at + 2], journal[at + 3], journal[at + 4])
    }
  }
}
