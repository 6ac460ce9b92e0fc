import { batch, computed, signal } from '@preact/signals'
import { type Landmark, nextLandmark } from './landmarks.ts'
import type { Run } from './run.ts'

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
  readonly atEnd = computed(() => this.step.value >= this.run.value.known.value)
  private asked = 0

  constructor(readonly run: { readonly value: Run }) {}

  toggle(): void {
    if (this.playing.value) this.pause()
    else this.play()
  }

  play(): void {
    if (this.atEnd.value) this.toStep(0)
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
    cancelAnimationFrame(this.asked)
  }

  /** Moves by a number of events, forwards or backwards. */
  move(steps: number): void {
    this.pause()
    this.toStep(this.step.value + steps)
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
    this.toStep(step)
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
      this.step.value = target
      this.time.value = target === 0 ? Math.min(0, log.timeOf(0)) : log.timeOf(target - 1)
    })
  }

  toTime(time: number): void {
    const log = this.run.value.log.value
    if (log === null) return
    const last = log.timeOf(log.steps - 1)
    const target = Math.min(time, last)
    batch(() => {
      this.time.value = target
      this.step.value = log.stepsUntil(target)
    })
  }

  private advance(time: number): void {
    const { log: known, refusal } = this.run.value
    if (refusal.value !== null) this.pause()
    const log = known.value
    if (log === null) return
    const before = this.step.value
    this.toTime(this.time.value + time)
    const violation = log.violations.find(({ step }) => before < step && step <= this.step.value)
    if (violation) {
      this.pause()
      this.toStep(violation.step)
    }
    if (this.atEnd.value && this.run.value.result.value !== null) this.pause()
  }
}

/** The time just before a moment. */
function before(time: number): number {
  return time - Math.max(Math.abs(time), 1) * Number.EPSILON
}
