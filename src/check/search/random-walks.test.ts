import { describe, expect, it } from 'vitest'
import { preparation } from '../../../test/support/random-worlds.ts'
import { bully, itaiRodeh, lcr, peterson } from '../../algorithms/index.ts'
import { type Algorithm, Random } from '../../core/index.ts'
import { type CheckOptions, type CheckResult, checkWorld, walksIn } from '../index.ts'

function walked(
  definition: Algorithm,
  given: Parameters<typeof preparation>[1],
  changes: Partial<CheckOptions> = {},
  seed = 1,
): CheckResult {
  const { world, properties } = preparation(definition, given)
  return checkWorld(world, {
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
    const known = ['the largest id leads', 'exactly one leader at the end']
    expect(known).toContain(violated?.property)
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

  it.each<[name: string, Algorithm, Parameters<typeof preparation>[1], Partial<CheckOptions>]>([
    ['in order', lcr, { ids: '4,3,1,2' }, {}],
    [
      'without order',
      peterson,
      { ids: '3,2,1', order: 'any', 'allow-weaker': true },
      { order: 'any' },
    ],
    [
      'without order, lost and doubled',
      lcr,
      { ids: '3,2,1' },
      { order: 'any', faults: { losses: 2, duplicates: 1, crashes: 1 } },
    ],
    ['over lossy links', lcr, { ids: '3,1,2' }, { order: 'lossy' }],
    [
      'with a clock and faults',
      bully,
      { n: 3, delay: 'uniform:1:2' },
      { mode: { clocked: 2 }, faults: { crashes: 1 } },
    ],
    ['with random choices', itaiRodeh, { n: 3 }, { draws: 2 }],
  ])('depend on the seed and their numbers alone: %s', (_, definition, given, changes) => {
    // A walk over lossy links has no end of its own.
    const walks = changes.order === 'lossy' ? 2 : 40
    const one = walked(definition, given, { ...changes, walk: { random: Random.from(3), walks } })
    const { world, properties } = preparation(definition, given)
    const model = { mode: 'untimed', order: 'fifo', wake: 'any', ...changes } as const
    const options = { ...model, limits: { states: 5 }, properties }
    // Each in a system of its own that has seen other walks before.
    const reports = Array.from({ length: walks }, (_, first) => {
      const walk = walksIn(world, options)
      if (first % 3 === 0) walk({ random: Random.from(9), walks: first })
      return walk({ random: Random.from(3), first, walks: 1 })
    })
    const violating = reports.findIndex((report) => report.violating !== null)
    const counted = violating < 0 ? reports : reports.slice(0, violating + 1)
    expect(one.walk).toEqual({
      walks: counted.length,
      steps: counted.reduce((sum, { steps }) => sum + steps, 0),
      longest: Math.max(...counted.map(({ longest }) => longest)),
    })
    expect(one.violated === null).toBe(violating < 0)
  })
})
