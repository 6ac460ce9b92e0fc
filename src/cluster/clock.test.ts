import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Clock } from './clock.ts'

const machine = vi.hoisted(() => ({ uptime: 1000, reads: 0 }))

vi.mock('node:os', () => ({
  uptime: () => {
    machine.reads++
    return Math.floor(machine.uptime / 10) / 100
  },
}))

let systemClock: Clock

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  vi.resetModules()
  ;({ systemClock } = await import('./clock.ts'))
})

afterEach(() => {
  vi.useRealTimers()
})

function pass(milliseconds: number): void {
  vi.advanceTimersByTime(milliseconds)
  machine.uptime += milliseconds
}

test.runIf(process.platform === 'linux')('time that passes is counted by both clocks', () => {
  pass(1000)
  const [now, elapsed] = [systemClock.now(), systemClock.elapsed()]
  machine.reads = 0
  for (let i = 0; i < 400; i++) {
    pass(1)
    systemClock.elapsed()
  }
  expect(systemClock.now() - now).toBe(400)
  expect(systemClock.elapsed() - elapsed).toBeCloseTo(400)
  expect(machine.reads).toBeLessThanOrEqual(400 / 20)
})

test.runIf(process.platform === 'linux')('a suspension counts at the first look after it', () => {
  pass(1000)
  const [now, elapsed] = [systemClock.now(), systemClock.elapsed()]
  pass(5)
  // The wall clock and the time since the boot go on; the monotonic clock stands still.
  machine.uptime += 3000
  vi.setSystemTime(Date.now() + 3000)
  expect(systemClock.now() - now).toBe(5)
  expect(Math.abs(systemClock.elapsed() - elapsed - 3005)).toBeLessThanOrEqual(10)
})

test.runIf(process.platform === 'linux')('a suspension counts soon without the wall clock', () => {
  pass(1000)
  const elapsed = systemClock.elapsed()
  machine.uptime += 3000
  pass(20)
  expect(Math.abs(systemClock.elapsed() - elapsed - 3020)).toBeLessThanOrEqual(10)
})

test.runIf(process.platform === 'linux')('a wall clock that is set changes nothing', () => {
  pass(1000)
  const elapsed = systemClock.elapsed()
  for (const hour of [3_600_000, -7_200_000]) {
    vi.setSystemTime(Date.now() + hour)
    expect(Math.abs(systemClock.elapsed() - elapsed)).toBeLessThanOrEqual(10)
  }
})
