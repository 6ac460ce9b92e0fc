import { computed, type ReadonlySignal } from '@preact/signals'
import type { Run } from './run.ts'

/** What views of a run need to know of the time: the clock, and how many steps it has passed. */
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
