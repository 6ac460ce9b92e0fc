import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MemberTimers } from './timers.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function timersOf() {
  const fired: number[] = []
  return { fired, timers: new MemberTimers((timer) => fired.push(timer)) }
}

test('timers fire in the order they are due, once each', () => {
  const { fired, timers } = timersOf()
  timers.set(0, 30)
  timers.set(1, 10)
  vi.advanceTimersByTime(29)
  expect(fired).toEqual([1])
  expect(timers.pending).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(fired).toEqual([1, 0])
  expect(timers.pending).toBe(false)
})

test('a timer set again fires at the later time only', () => {
  const { fired, timers } = timersOf()
  timers.set(0, 10)
  vi.advanceTimersByTime(9)
  timers.set(0, 10)
  vi.advanceTimersByTime(9)
  expect(fired).toEqual([])
  vi.advanceTimersByTime(1)
  expect(fired).toEqual([0])
})

test('cleared timers do not fire', () => {
  const { fired, timers } = timersOf()
  for (const timer of [0, 1, 2]) timers.set(timer, 10)
  timers.clear(1)
  vi.advanceTimersByTime(5)
  expect(timers.pending).toBe(true)
  timers.clearAll()
  expect(timers.pending).toBe(false)
  vi.advanceTimersByTime(100)
  expect(fired).toEqual([])
})

test('a timer may have a longer delay than setTimeout', () => {
  const { fired, timers } = timersOf()
  const days = 24 * 3600 * 1000
  timers.set(0, 100 * days)
  vi.advanceTimersByTime(100 * days - 1)
  expect(fired).toEqual([])
  vi.advanceTimersByTime(1)
  expect(fired).toEqual([0])
})

test('a timer that is due soon can be fired at once, and then fires no more', () => {
  const { fired, timers } = timersOf()
  timers.set(0, 10)
  timers.set(1, 100)
  for (const timer of [0, 1, 2]) timers.fireSoon(timer, 20)
  expect(fired).toEqual([0])
  vi.advanceTimersByTime(1000)
  expect(fired).toEqual([0, 1])
})
