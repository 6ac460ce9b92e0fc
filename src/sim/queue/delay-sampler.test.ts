import { describe, expect, it } from 'vitest'
import { exp, ln } from '../../core/numbers.ts'
import { Random } from '../../core/runtime/random.ts'
import { type Delay, largestDelay } from '../conditions.ts'
import { delaySampler } from './arrivals.ts'

function drawn(delay: Delay, count: number, seed = 1): number[] {
  const sample = delaySampler(delay, Random.from(seed))!
  return Array.from({ length: count }, () => sample(0, 0))
}

/** The share of the draws up to x. */
function shareUpTo(x: number, draws: readonly number[]): number {
  return draws.filter((one) => one <= x).length / draws.length
}

describe('elementary functions', () => {
  it('agree with those of Math up to the last bits', () => {
    const random = Random.from(7)
    for (let i = 0; i < 20_000; i++) {
      const x = (random.unit() - 0.5) * 1400
      expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-15)
      const y = Math.exp(x)
      expect(Math.abs(ln(y) - Math.log(y))).toBeLessThanOrEqual(4e-16 * Math.max(1, Math.abs(x)))
    }
    expect(ln(1)).toBe(0)
    expect(exp(0)).toBe(1)
    expect(Math.abs(ln(5e-324) - Math.log(5e-324))).toBeLessThan(1e-12)
    expect([exp(710), exp(-800)]).toEqual([Number.POSITIVE_INFINITY, 0])
  })
})

describe('delays', () => {
  const COUNT = 40_000
  /** Five standard errors of a share. */
  const NEAR = 5 * Math.sqrt(0.25 / COUNT)

  it('lognormal: the logarithm is normal', () => {
    const draws = drawn({ model: 'lognormal', mu: 1, sigma: 0.5 }, COUNT)
    // The normal distribution function at -1.96, -1, 0, 1 and 1.96.
    const table = [
      [-1.96, 0.025],
      [-1, 0.15866],
      [0, 0.5],
      [1, 0.84134],
      [1.96, 0.975],
    ]
    for (const [z, share] of table)
      expect(Math.abs(shareUpTo(Math.exp(1 + 0.5 * z), draws) - share)).toBeLessThan(NEAR)
    expect(drawn({ model: 'lognormal', mu: 0, sigma: 0 }, 3)).toEqual([1, 1, 1])
  })

  it('pareto: exceeds x with probability (min / x)^alpha', () => {
    const draws = drawn({ model: 'pareto', alpha: 1.5, min: 2 }, COUNT)
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(2)
    for (const x of [2.5, 4, 10, 50])
      expect(Math.abs(1 - shareUpTo(x, draws) - (2 / x) ** 1.5)).toBeLessThan(NEAR)
  })

  it('empirical: every listed delay as often as it is listed', () => {
    const draws = drawn({ model: 'empirical', delays: [1, 2.5, 2.5, 7] }, COUNT)
    expect(new Set(draws)).toEqual(new Set([1, 2.5, 7]))
    expect(Math.abs(shareUpTo(1, draws) - 0.25)).toBeLessThan(NEAR)
    expect(Math.abs(shareUpTo(2.5, draws) - 0.75)).toBeLessThan(NEAR)
  })

  it('serial: the messages of one sender leave one after another', () => {
    // Channels 0 and 1 belong to node 0, channel 2 to node 1.
    const delay: Delay = { model: 'serial', delay: 2, senders: Int32Array.of(0, 0, 1) }
    const sample = delaySampler(delay, Random.from(1))!
    const arrivals = [
      [0, 0],
      [1, 0],
      [2, 0],
      [0, 1],
      [1, 100],
    ].map(([channel, now]) => now + sample(channel, now))
    expect(arrivals).toEqual([2, 4, 2, 6, 102])
  })

  it('are the same for the same seed', () => {
    const delay: Delay = { model: 'lognormal', mu: 0, sigma: 1 }
    expect(drawn(delay, 100)).toEqual(drawn(delay, 100))
    expect(drawn(delay, 100)).not.toEqual(drawn(delay, 100, 2))
  })

  it('have a largest one only where they are bounded', () => {
    expect(largestDelay({ model: 'empirical', delays: [1, 9.5, 3] })).toBe(9.5)
    expect(largestDelay({ model: 'links', delays: [2, 4] })).toBe(4)
    expect(largestDelay({ model: 'lognormal', mu: 0, sigma: 1 })).toBe(Number.POSITIVE_INFINITY)
    expect(largestDelay({ model: 'pareto', alpha: 2, min: 1 })).toBe(Number.POSITIVE_INFINITY)
  })
})
