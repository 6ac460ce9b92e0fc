import { Interrupted, type Io } from '../io.ts'
import { coloursFor } from '../terminal/format.ts'
import { KEYS, type Move } from '../terminal/keys.ts'
import { stepView } from './step-view.ts'
import type { SteppedRun } from './stepped-run.ts'

const PROMPT = 'Enter: next   b: back   g, G: first, last   q: quit '
const CLEAR = '\r\x1b[K'

/** Goes through a run with the keys of a terminal; where there is none, prints all steps. */
export async function stepThrough(run: SteppedRun, io: Io): Promise<void> {
  const keys = io.keys?.()
  const paint = coloursFor(io)
  const show = (steps: number) => io.out(`${stepView(run, steps, paint)}\n`)
  show(0)
  if (keys === undefined) {
    for (let steps = 1; steps <= run.steps.length; steps++) show(steps)
    return
  }
  let steps = 0
  io.out(PROMPT)
  for await (const key of keys) {
    const move = KEYS[key]
    if (move === undefined) continue
    io.out(CLEAR)
    if (move === 'interrupt') throw new Interrupted()
    // Enter at the end goes on to the report.
    if (move === 'quit' || (move === 'next' && steps === run.steps.length)) return
    steps = after(move, steps, run.steps.length)
    show(steps)
    io.out(PROMPT)
  }
}

function after(move: Move, steps: number, last: number): number {
  switch (move) {
    case 'back':
      return Math.max(0, steps - 1)
    case 'first':
      return 0
    case 'last':
      return last
    default:
      return Math.min(last, steps + 1)
  }
}
