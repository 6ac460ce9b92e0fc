import { batch } from '@preact/signals'
import type { Intervention } from '../../../src/scenario/index.ts'
import type { RunLog } from '../engine/run-log.ts'
import { branches, player, run, shown } from './lab.ts'
import { Run } from './run.ts'

/** What is done to a run, whenever that is. */
export type Deed = Intervention extends infer One
  ? One extends unknown
    ? Omit<One, 'at'>
    : never
  : never

/**
 * The moment at which a change takes effect that is made now: after all that has happened by now,
 * before anything else. Rounds change at their beginning.
 */
export function momentAfter(log: RunLog, step: number, time: number): number {
  const { unit } = log.world
  const happened = step === 0 ? Math.max(0, time) : Math.max(time, log.timeOf(step - 1))
  if (unit === 'round' || unit === 'cycle') return Math.floor(happened) + 1
  const next = log.stepsUntil(happened)
  if (time > log.timeOf(Math.max(0, next - 1)) && time < log.timeOf(next)) return rounded(time)
  const gap = next < log.steps ? log.timeOf(next) - happened : 1
  return rounded(happened + Math.min(gap / 2, 0.5))
}

/** A time that can be read, where that makes no difference. */
function rounded(time: number): number {
  const short = Number(time.toFixed(3))
  return Math.abs(short - time) < 0.01 ? short : time
}

/** Changes the run that is shown from now on: a branch of its own, which is then shown. */
export function change(deed: Deed, words: string): void {
  const former = run.value
  const log = former.log.value
  const whole = former.whole.value
  if (log === null || whole === null) return
  const [step, time] = [player.step.value, player.time.value]
  const at = momentAfter(log, step, time)
  const intervention = { ...deed, at } as Intervention
  const origin = { run: former, at, change: `${words} at ${log.world.unit} ${at}` }
  const branch = new Run({ ...whole }, former.code, origin, intervention)
  batch(() => {
    branches.value = [...branches.value, branch]
    shown.value = branches.value.length - 1
    player.resumeAt(step, time)
  })
}
