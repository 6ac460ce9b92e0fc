import { batch, effect, signal } from '@preact/signals'
import type { Intervention, SeenRun } from '../../../src/scenario/index.ts'
import { recordedBefore } from '../recording/moment.ts'
import type { RunLog } from '../recording/run-log.ts'
import { algorithmOfRun } from './algorithm-list.ts'
import { branches, player, run, shown } from './lab.ts'
import { ShownRun } from './run.ts'

/** A change to a run, without its moment. */
export type InterventionChange = Intervention extends infer One
  ? One extends unknown
    ? Omit<One, 'at'>
    : never
  : never

/**
 * The moment of a change that is made now: after every event so far and before any other. Rounds
 * change at their beginning.
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
 * The same for a change to a message in flight. Some events of its arrival's moment may have
 * happened already; the change is then made before that moment.
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
 * Gossip by messages is changed at the beginning of a cycle: the number of the next one. Changes to
 * messages in flight have their own time.
 */
function cycleAfter(log: RunLog, step: number, time: number, period: number): number {
  if (step === 0 && time <= 0) return 1
  const happened = step === 0 ? time : Math.max(time, log.timeOf(step - 1))
  return Math.floor(happened / period) + 2
}

/** The duration of a cycle of gossip by messages; null for other runs. */
function periodOf(run: ShownRun): number | null {
  const { timing, set } = run.whole.value ?? {}
  return algorithmOfRun(run)?.needs === null && timing === 'async' ? Number(set?.period) : null
}

/** The time with three decimals, where that makes no difference. */
function rounded(time: number): number {
  const short = Number(time.toFixed(3))
  return Math.abs(short - time) < 0.01 ? short : time
}

/** What the recording of a run shows just before a change; undefined where it does not reach it. */
function seenBefore(former: ShownRun, intervention: Intervention): SeenRun | undefined {
  const [log, whole] = [former.log.value, former.whole.value]
  const isWhole = former.result.value !== null && !former.cut.value
  const period = periodOf(former)
  const snapshot = whole && log && recordedBefore(log, isWhole, intervention, period)
  return snapshot ? { params: former.params, snapshot } : undefined
}

/** The change that is being simulated, in words. */
export const pendingChange = signal<string | null>(null)
/** Why the last change could not be made, and in which run. */
export const failure = signal<{ readonly run: ShownRun; readonly words: string } | null>(null)

/**
 * Changes the current run from now on: adds a branch, which is shown as soon as it is recorded up
 * to the moment of the change, so that the picture never falls back behind it.
 */
export function changeRun(
  change: InterventionChange,
  words: string,
  flight: number | null = null,
): void {
  const former = run.value
  const log = former.log.value
  const whole = former.whole.value
  if (log === null || whole === null || pendingChange.value !== null) return
  const now = [player.step.value, player.time.value] as const
  const period = flight === null ? periodOf(former) : null
  const moment = flight === null ? momentAfter(log, ...now) : momentFor(log, ...now, flight)
  const at = period === null ? moment : cycleAfter(log, ...now, period)
  const unit = period === null ? log.world.unit : 'cycle'
  const [step, time] = unit !== 'cycle' && at < now[1] ? [log.stepsUntil(at), at] : now
  const intervention = { ...change, at } as Intervention
  const seen = seenBefore(former, intervention)
  const origin = { run: former, at, change: `${words} at ${unit} ${at}`, seen }
  const branch = new ShownRun({ ...whole }, former.code, origin, intervention)
  const { playing } = player
  const played = playing.value
  player.pause()
  batch(() => {
    pendingChange.value = origin.change
    failure.value = null
  })
  const end = effect(() => {
    const refusal = branch.refusal.value
    const recorded = branch.log.value !== null && branch.known.value >= step
    if (!recorded && !branch.ended) return
    queueMicrotask(() => end())
    // The lab may show another scenario by now.
    const wanted = branches.peek().includes(former)
    batch(() => {
      pendingChange.value = null
      if (refusal !== null || !wanted) {
        if (refusal !== null) failure.value = { run: former, words: refusal.message }
        return branch.end()
      }
      branches.value = [...branches.peek(), branch]
      shown.value = branches.value.length - 1
      player.resumeAt(step, time)
    })
    if (played && run.peek() === branch) player.play()
  })
}
