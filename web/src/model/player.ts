import { batch, computed, signal } from '@preact/signals'
import { numberOf } from '../recording/events.ts'
import type { RunLog } from '../recording/run-log.ts'
import type { ShownRun } from './run.ts'

/** Units of simulated time that pass in a second at speed 1. */
const PACE = 1

/** The speeds to choose from. */
export const SPEEDS = [0.25, 0.5, 1, 2, 5, 10, 50]

/**
 * The position in a run: the number of steps that have happened, and a clock between the last step
 * and the next. Playing moves the clock; stepping moves from event to event.
 */
export class Player {
  readonly step = signal(0)
  readonly time = signal(0)
  readonly playing = signal(false)
  readonly speed = signal(1)
  /** Whether the last move was by single events: views then speak of the last event alone. */
  readonly single = signal(false)
  readonly atEnd = computed(
    () =>
      this.step.value >= this.run.value.known.value &&
      this.others.value.every((other) => this.time.value >= lastTime(other)),
  )
  private asked = 0
  /** The moment of a violation, at the end of which the play stops. */
  private stopAt: number | null = null

  constructor(
    readonly run: { readonly value: ShownRun },
    /** Other runs on this clock, which ends with the last of all. */
    private readonly others: { readonly value: readonly ShownRun[] },
  ) {}

  toggle(): void {
    if (this.playing.value) this.pause()
    else this.play()
  }

  play(): void {
    if (this.finished()) this.toStep(0)
    this.playing.value = true
    let before = performance.now()
    const beat = (now: number) => {
      if (!this.playing.value) return
      this.advance(((now - before) / 1000) * PACE * this.speed.value)
      before = now
      this.asked = requestAnimationFrame(beat)
    }
    cancelAnimationFrame(this.asked)
    this.asked = requestAnimationFrame(beat)
  }

  pause(): void {
    this.playing.value = false
    this.stopAt = null
    cancelAnimationFrame(this.asked)
  }

  /** Moves by a number of events, forwards or backwards. */
  move(steps: number): void {
    this.pause()
    batch(() => {
      this.toStep(this.step.value + steps)
      this.single.value = true
    })
  }

  /** Moves to the end of the next moment that has events, or of the previous one. */
  moveMoments(direction: 1 | -1): void {
    this.pause()
    const log = this.run.value.log.value
    if (log === null) return
    const { step } = this
    if (direction > 0) this.toTime(log.timeOf(step.value))
    else this.toStep(log.stepsUntil(before(log.timeOf(step.value - 1))))
  }

  /** Moves to the next step of a kind; returns whether there is one. */
  jump(to: Landmark): boolean {
    const log = this.run.value.log.value
    const step = log === null ? null : nextLandmark(log, to, this.step.value)
    if (step === null) return false
    this.pause()
    // What breaks a property is a state after a whole moment: all nodes of a round act at once.
    if (to === 'violation') this.toTime(log!.timeOf(step - 1))
    else this.toStep(step)
    return true
  }

  /** Restores a position in the same run, even if it is not recorded yet. */
  resumeAt(step: number, time: number): void {
    batch(() => {
      this.step.value = step
      this.time.value = time
    })
  }

  toStep(step: number): void {
    const log = this.run.value.log.value
    if (log === null) return
    const target = Math.min(Math.max(step, 0), log.steps)
    batch(() => {
      this.single.value = false
      this.step.value = target
      this.time.value = target === 0 ? Math.min(0, log.timeOf(0)) : log.timeOf(target - 1)
    })
  }

  toTime(time: number): void {
    const log = this.run.value.log.value
    if (log === null) return
    const target = Math.min(time, this.last())
    batch(() => {
      this.single.value = false
      this.time.value = target
      this.step.value = log.stepsUntil(target)
    })
  }

  /** Moves to the end of the last run. */
  toEnd(): void {
    this.pause()
    this.toTime(Number.POSITIVE_INFINITY)
  }

  /** The time of the last event of all runs on this clock. */
  last(): number {
    return Math.max(...this.runs().map(lastTime))
  }

  private runs(): readonly ShownRun[] {
    return [this.run.value, ...this.others.value]
  }

  /** Whether nothing follows in any run. */
  private finished(): boolean {
    return this.atEnd.value && this.runs().every(({ ended }) => ended)
  }

  private advance(time: number): void {
    const { log: known, refusal } = this.run.value
    if (refusal.value !== null) this.pause()
    const log = known.value
    if (log === null) return
    const last = log.timeOf(log.steps - 1)
    // A branch may not be recorded yet up to the moment that it was made at.
    if (last < this.time.value && !this.run.value.ended) return
    const before = this.step.value
    const target = this.time.value + time
    const until = log.stepsUntil(target)
    const violation = log.violations.find(({ step }) => before < step && step <= until)
    if (violation) this.stopAt ??= log.timeOf(violation.step - 1)
    this.toTime(Math.min(target, this.stopAt ?? target))
    // The moment of a violation is shown whole, once all of it is recorded.
    if (this.stopAt !== null && (this.stopAt < last || this.run.value.ended)) this.pause()
    if (this.finished()) this.pause()
  }
}

/** The time of the last event of a run so far. */
function lastTime(run: ShownRun): number {
  run.known.value
  const log = run.log.value
  return log === null ? 0 : log.timeOf(log.steps - 1)
}

/** The time just before a moment. */
function before(time: number): number {
  return time - Math.max(Math.abs(time), 1) * Number.EPSILON
}

/** The kinds of steps to jump to. */
export const LANDMARKS = ['election', 'crash', 'violation'] as const
export type Landmark = (typeof LANDMARKS)[number]

const LEAD = numberOf('lead')
const CRASH = numberOf('crash')

/** The steps with elections and crashes, in the part of the run that has been scanned. */
interface LandmarkIndex {
  scanned: number
  readonly election: number[]
  readonly crash: number[]
}

const indexes = new WeakMap<RunLog, LandmarkIndex>()

/** The number of steps up to the next election, crash or violation; null if none follows. */
export function nextLandmark(log: RunLog, to: Landmark, step: number): number | null {
  if (to === 'violation') return log.violations.find((one) => one.step > step)?.step ?? null
  return indexOf(log)[to].find((one) => one > step) ?? null
}

/** Scans each step once. */
function indexOf(log: RunLog): LandmarkIndex {
  const index = indexes.get(log) ?? { scanned: 0, election: [], crash: [] }
  indexes.set(log, index)
  for (; index.scanned < log.steps; index.scanned++) {
    const step = index.scanned
    for (let event = log.first.at(step); event < log.end(step); event++) {
      const kind = log.kind.at(event)
      if (kind === LEAD && index.election.at(-1) !== step + 1) index.election.push(step + 1)
      if (kind === CRASH && index.crash.at(-1) !== step + 1) index.crash.push(step + 1)
    }
  }
  return index
}
