import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MemberTimers } from './node-driver.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function clocks() {
  const rung: number[] = []
  return { rung, alarms: new MemberTimers((alarm) => rung.push(alarm)) }
}

test('alarms ring in the order they are due, once each', () => {
  const { rung, alarms } = clocks()
  alarms.set(0, 30)
  alarms.set(1, 10)
  vi.advanceTimersByTime(29)
  expect(rung).toEqual([1])
  expect(alarms.pending).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(rung).toEqual([1, 0])
  expect(alarms.pending).toBe(false)
})

test('an alarm set again rings at the later time only', () => {
  const { rung, alarms } = clocks()
  alarms.set(0, 10)
  vi.advanceTimersByTime(9)
  alarms.set(0, 10)
  vi.advanceTimersByTime(9)
  expect(rung).toEqual([])
  vi.advanceTimersByTime(1)
  expect(rung).toEqual([0])
})

test('cleared alarms stay silent', () => {
  const { rung, alarms } = clocks()
  for (const alarm of [0, 1, 2]) alarms.set(alarm, 10)
  alarms.clear(1)
  vi.advanceTimersByTime(5)
  expect(alarms.pending).toBe(true)
  alarms.clearAll()
  expect(alarms.pending).toBe(false)
  vi.advanceTimersByTime(100)
  expect(rung).toEqual([])
})

test('an alarm may be further away than a timer of Node can reach', () => {
  const { rung, alarms } = clocks()
  const days = 24 * 3600 * 1000
  alarms.set(0, 100 * days)
  vi.advanceTimersByTime(100 * days - 1)
  expect(rung).toEqual([])
  vi.advanceTimersByTime(1)
  expect(rung).toEqual([0])
})
