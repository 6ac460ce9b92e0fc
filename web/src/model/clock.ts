import { computed, type ReadonlySignal } from '@preact/signals'
import type { ShownRun } from './run.ts'

/** The time of a view: the clock, and the number of steps up to it. */
export interface RunClock {
  readonly step: ReadonlySignal<number>
  readonly time: ReadonlySignal<number>
  readonly playing: ReadonlySignal<boolean>
}

/** The same time in another run. */
export function clockOf(run: ShownRun, { time, playing }: RunClock): RunClock {
  const step = computed(() => {
    run.known.value
    return run.log.value?.stepsUntil(time.value) ?? 0
  })
  return { step, time, playing }
}

/** A clock that views can move. */
export interface RunControls extends RunClock {
  pause(): void
  toStep(step: number): void
  toTime(time: number): void
}

/** The same clock, moved by the steps of another run. */
export function controlsOf(run: ShownRun, clock: RunControls): RunControls {
  return {
    ...clockOf(run, clock),
    pause: () => clock.pause(),
    toTime: (time) => clock.toTime(time),
    toStep: (step) => {
      const log = run.log.value
      if (log !== null) clock.toTime(step === 0 ? 0 : log.timeOf(step - 1))
    },
  }
}

/** The cycle of a run at a time; where exchanges take messages, a cycle takes its period. */
export function cycleOf(run: ShownRun, time: number): number {
  const cycles = run.log.value?.world.unit === 'cycle'
  return cycles ? time : time / Number(run.whole.value?.set.period ?? 1)
}
