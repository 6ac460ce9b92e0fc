import { describe, expect, it } from 'vitest'
import { preparation } from '../../../test/support/random-worlds.ts'
import { bully, itaiRodeh, lcr, peterson } from '../../algorithms/index.ts'
import { type Algorithm, Random } from '../../core/index.ts'
import { type CheckOptions, type CheckResult, check } from '../index.ts'

function walked(
  definition: Algorithm,
  given: Parameters<typeof preparation>[1],
  changes: Partial<CheckOptions> = {},
  seed = 1,
): CheckResult {
  const { world, properties } = preparation(definition, given)
  return check(world, {
    ...{ mode: 'untimed', order: 'fifo', wake: 'any', limits: { states: 5 }, properties },
    walk: { random: Random.from(seed), walks: 50 },
    ...changes,
  })
}

describe('random walks', () => {
  it('run only after a search that has reached a limit', () => {
    const { walk, exhausted, violated } = walked(lcr, { ids: '4,3,2,1' })
    expect({ exhausted, violated }).toEqual({ exhausted: false, violated: null })
    // A run takes one step for each of 10 + 4 messages, and one for each initiator.
    expect(walk?.walks).toBe(50)
    expect(walk!.longest).toBeGreaterThanOrEqual(15)
    expect(walk!.longest).toBeLessThanOrEqual(18)
    expect(walk!.steps).toBeGreaterThanOrEqual(50 * 15)
    expect(walked(lcr, { ids: '4,3,2,1' }, { limits: { states: 1e6 } }).walk).toBeUndefined()
  })

  it('find violations far beyond the limit, and return a counterexample', () => {
    const order = 'any'
    const { violated, properties, reason } = walked(
      peterson,
      { ids: '3,2,1', order, 'allow-weaker': true },
      { order, walk: { random: Random.from(1), walks: 2000 } },
    )
    expect(reason).toBe('the limit of 5 states was reached')
    expect(violated?.property).toBe('the largest id leads')
    expect(violated?.shortest).toBe(false)
    // None is shorter than the shortest, which has 13 steps.
    expect(violated!.trace.length).toBeGreaterThanOrEqual(13)
    expect(properties.find(({ name }) => name === violated?.property)?.holds).toBe(false)
  })

  it('are the same for the same seed', () => {
    const [one, same, other] = [1, 1, 2].map((seed) => walked(itaiRodeh, { n: 3 }, {}, seed).walk)
    expect(same).toEqual(one)
    expect(other).not.toEqual(one)
  })

  it('include time and faults, and end at the time limit', () => {
    const faulty = { mode: { clocked: 2 }, faults: { crashes: 1 } } as const
    expect(walked(bully, { n: 3, delay: 'uniform:1:2' }, faulty).walk?.walks).toBe(50)
    let asked = 0
    const expired = () => ++asked > 40
    const walk = { random: Random.from(1), walks: 1e9, expired }
    // Every 256 steps, and where a handler ran: each may be slow.
    const { steps } = walked(lcr, { ids: '4,3,2,1' }, { walk }).walk!
    expect([steps > 40, steps <= 41 * 256, asked]).toEqual([true, true, 41])
  })
})
