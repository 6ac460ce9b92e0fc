import {
  type ReadonlySignal,
  signal,
  useComputed,
  useSignal,
  useSignalEffect,
} from '@preact/signals'
import type { RunClock } from '../../model/clock.ts'
import { LONGEST_SEEN } from './recent-events.ts'

/** How long the motion after a single step takes, in milliseconds for a unit of time. */
const PACE = 900

const REDUCED = matchMedia('(prefers-reduced-motion: reduce)')
const still = signal(REDUCED.matches)
REDUCED.addEventListener('change', ({ matches }) => {
  still.value = matches
})

/**
 * The time of motions: the clock while it runs. After a step of a paused run it goes on for a
 * moment, then the picture is at rest. Those who want no motion have pictures at rest only.
 */
export function useMotion(clock: RunClock): ReadonlySignal<number> {
  const since = useSignal(Number.POSITIVE_INFINITY)
  useSignalEffect(() => {
    clock.step.value
    if (clock.playing.value || still.value) {
      since.value = Number.POSITIVE_INFINITY
      return
    }
    const begun = performance.now()
    let asked = 0
    const beat = (now: number) => {
      const passed = Math.max(0, now - begun) / PACE
      since.value = passed < LONGEST_SEEN ? passed : Number.POSITIVE_INFINITY
      if (passed < LONGEST_SEEN) asked = requestAnimationFrame(beat)
    }
    since.value = 0
    asked = requestAnimationFrame(beat)
    return () => cancelAnimationFrame(asked)
  })
  return useComputed(() => {
    if (still.value) return Number.POSITIVE_INFINITY
    return clock.time.value + (clock.playing.value ? 0 : since.value)
  })
}
