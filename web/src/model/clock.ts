import { computed, type ReadonlySignal } from '@preact/signals'
import type { Run } from './run.ts'

/** The time of a view: the clock, and the number of steps up to it. */
export interface RunClock {
  readonly step: ReadonlySignal<number>
  readonly time: ReadonlySignal<number>
  readonly playing: ReadonlySignal<boolean>
}

/** The same time in another run. */
export function clockOf(run: Run, { time, playing }: RunClock): RunClock {
  const step = computed(() => {
    run.known.value
    return run.log.value?.stepsUntil(time.value) ?? 0
  })
  return { step, time, playing }
}
