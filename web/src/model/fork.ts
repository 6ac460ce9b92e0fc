import { batch, effect, signal } from '@preact/signals'
import type { Intervention } from '../../../src/scenario/index.ts'
import type { RunLog } from '../recording/run-log.ts'
import { subjectOf } from './algorithm-list.ts'
import { branches, player, run, shown } from './lab.ts'
import { Run } from './run.ts'

/** What is done to a run, whenever that is. */
export type InterventionChange = Intervention extends infer One
  ? One extends unknown
    ? Omit<One, 'at'>
    : never
  : never

/**
 * The moment at which a change takes effect that is made now: after all that has happened by now,
 * before anything else. Rounds change at their beginning.
 */
function momentAfter(log: RunLog, step: number, time: number): number {
  const { unit } = log.world
  const happened = step === 0 ? Math.max(0, time) : Math.max(time, log.timeOf(step - 1))
  if (unit === 'round' || unit === 'cycle') return Math.floor(happened) + 1
  const next = log.stepsUntil(happened)
  if (time > log.timeOf(Math.max(0, next - 1)) && time < log.timeOf(next)) return rounded(time)
  const gap = next < log.steps ? log.timeOf(next) - happened : 1
  return rounded(happened + Math.min(gap / 2, 0.5))
}

/**
 * The same for what is done to a message under way. Some of what happens at one moment may have
 * happened already, and its arrival belong to the rest: then it is done before that moment.
 */
export function momentFor(log: RunLog, step: number, time: number, flight: number): number {
  const after = momentAfter(log, step, time)
  const arrives = log.arrival(flight)
  if (after < arrives) return after
  if (log.world.unit === 'round') return arrives
  const before = log.timeOf(log.stepsUntil(arrives - 1e-9 * Math.max(1, arrives)) - 1)
  return rounded((Math.max(before, log.departure(flight)) + arrives) / 2)
}

/**
 * Gossip by messages is changed as a cycle begins, which takes a period: the next one's number.
 * Only what is done to a message under way has its own time.
 */
function cycleAfter(log: RunLog, step: number, time: number, period: number): number {
  if (step === 0 && time <= 0) return 1
  const happened = step === 0 ? time : Math.max(time, log.timeOf(step - 1))
  return Math.floor(happened / period) + 2
}

/** How long a cycle of gossip by messages takes; null for all that is no such run. */
function periodOf(run: Run): number | null {
  const { timing, set } = run.whole.value ?? {}
  return subjectOf(run)?.needs === null && timing === 'async' ? Number(set?.period) : null
}

/** A time that can be read, where that makes no difference. */
function rounded(time: number): number {
  const short = Number(time.toFixed(3))
  return Math.abs(short - time) < 0.01 ? short : time
}

/** A change that is being worked out, in words. */
export const underWay = signal<string | null>(null)
/** Why the last change could not be made, and in which run. */
export const setback = signal<{ readonly run: Run; readonly words: string } | null>(null)

/**
 * Changes the run that is shown from now on: a branch of its own, which is shown as soon as the
 * engine has found that the change can be made.
 */
export function change(
  deed: InterventionChange,
  words: string,
  flight: number | null = null,
): void {
  const former = run.value
  const log = former.log.value
  const whole = former.whole.value
  if (log === null || whole === null || underWay.value !== null) return
  const now = [player.step.value, player.time.value] as const
  const period = flight === null ? periodOf(former) : null
  const moment = flight === null ? momentAfter(log, ...now) : momentFor(log, ...now, flight)
  const at = period === null ? moment : cycleAfter(log, ...now, period)
  const unit = period === null ? log.world.unit : 'cycle'
  const [step, time] = unit !== 'cycle' && at < now[1] ? [log.stepsUntil(at), at] : now
  const intervention = { ...deed, at } as Intervention
  const origin = { run: former, at, change: `${words} at ${unit} ${at}` }
  const branch = new Run({ ...whole }, former.code, origin, intervention)
  player.pause()
  batch(() => {
    underWay.value = origin.change
    setback.value = null
  })
  const end = effect(() => {
    const refusal = branch.refusal.value
    if (branch.log.value === null && refusal === null) return
    queueMicrotask(() => end())
    // The lab may show something else by now.
    const wanted = branches.peek().includes(former)
    batch(() => {
      underWay.value = null
      if (refusal !== null || !wanted) {
        if (refusal !== null) setback.value = { run: former, words: refusal.message }
        return branch.end()
      }
      branches.value = [...branches.peek(), branch]
      shown.value = branches.value.length - 1
      player.resumeAt(step, time)
    })
  })
}
