import { effect, signal } from '@preact/signals'
import { player } from '../model/lab.ts'
import { SPEEDS } from '../model/player.ts'
import { keepSignal } from './kept.ts'

/** The speed that the user chose; some exhibits have one of their own. */
const usual = signal(1)
let given: number | null = null

/** Sets the speed of an exhibit, or the usual one. */
export function takeSpeed(speed: number | null): void {
  given = speed
  player.speed.value = speed ?? usual.peek()
}

/** Uses the speed of the last visit, and keeps that of this one. */
export function keepSpeed(): void {
  keepSignal('speed', usual, (value): value is number => SPEEDS.includes(value as number))
  takeSpeed(null)
  effect(() => {
    if (player.speed.value !== given) usual.value = player.speed.value
  })
}
