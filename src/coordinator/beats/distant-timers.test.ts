import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { DistantTimers } from './beats.ts'

/** Timers over a clock that counts those that it gets; the next beat is 100 ms away. */
function timersOf() {
  const clock = new ManualClock()
  const beat = { at: 100 }
  let given = 0
  const counting = {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    clearTimeout: (handle: unknown) => clock.clearTimeout(handle as never),
    setTimeout: (run: () => void, milliseconds: number) => {
      given++
      return clock.setTimeout(run, milliseconds)
    },
  }
  const fired: string[] = []
  const timers = new DistantTimers(counting, () => beat.at)
  const set = (name: string, milliseconds: number) =>
    timers.setTimeout(() => fired.push(`${name} ${clock.now()}`), milliseconds)
  const next = () => {
    clock.advance(beat.at - clock.now())
    beat.at += 100
    timers.beat()
  }
  return { clock, timers, fired, set, next, given: () => given }
}

test('all fire when they are due', () => {
  const { clock, fired, set, next } = timersOf()
  set('far', 250)
  set('near', 50)
  set('next', 110)
  next()
  next()
  clock.advance(100)
  expect(fired).toEqual(['near 50', 'next 110', 'far 250'])
})

test('one that is set again at every beat never reaches the clock', () => {
  const { timers, fired, set, next, given } = timersOf()
  let handle = set('promise', 400)
  for (let i = 0; i < 20; i++) {
    next()
    timers.clearTimeout(handle)
    handle = set('promise', 400)
  }
  expect([given(), fired]).toEqual([0, []])
})

test('cleared ones do not fire, whether the clock has them or not', () => {
  const { clock, timers, fired, set, next } = timersOf()
  const handles = [set('near', 50), set('next', 150), set('far', 350)]
  next()
  expect(fired).toEqual(['near 50'])
  for (const handle of handles) timers.clearTimeout(handle)
  next()
  next()
  clock.advance(1000)
  expect(fired).toEqual(['near 50'])
})
