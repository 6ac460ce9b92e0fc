import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { gossip } from '../../algorithms/gossip/own-aggregation.ts'
import { simulate } from '../../api/simulate.ts'
import { average } from '../../core/language/aggregate.ts'
import { measured } from '../../experiment/study/measures.ts'
import { errorScale, nearWords, relativeError } from './observation.ts'

type Result = ReturnType<typeof averageOf>

function averageOf(values: readonly number[], more: object = {}) {
  return simulate('gossip-average', { values: [...values], timing: 'cycles', until: 12, ...more })
}

/** What the errors of averages are relative to, by its definition. */
function scaleByHand(values: readonly number[]): number {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  let sum = 0
  for (const value of values) sum += value - low
  const truth = low + sum / values.length
  return Math.abs(truth) < (high - low) / 100 ? high - low : Math.abs(truth)
}

/** The share of estimates at the end that are near, the worst error and that of their mean. */
function byHand(values: readonly number[], { nodes, truth }: Result, tolerance = 0.01) {
  const scale = scaleByHand(values)
  const distances = nodes.map(({ estimate }) => Math.abs(estimate! - truth))
  const mean = nodes.reduce((sum, { estimate }) => sum + estimate! / nodes.length, 0)
  return {
    within: distances.filter((distance) => distance <= tolerance * scale).length / nodes.length,
    error: Math.max(...distances) / (scale || 1),
    bias: Math.abs(mean - truth) / (scale || 1),
  }
}

const measure = (name: string, result: Result) =>
  measured(name, { result, announced: 0, longest: 1, lower: null })

const sizes = fc.constantFrom(0, 1e-9, 0.001, 1, 3.7, 1e6)
/** Numbers so small that they lose digits are 0. */
const share = fc.double({ min: -1, max: 1, noNaN: true }).map((x) => (Math.abs(x) < 1e-200 ? 0 : x))
const value = fc.oneof(
  fc.constant(0),
  fc.tuple(sizes, share).map(([size, x]) => size * x),
)
const lists = fc.oneof(
  fc.array(value, { minLength: 1, maxLength: 12 }),
  // Sums that are 0, or nearly so.
  fc
    .tuple(fc.array(value, { minLength: 1, maxLength: 6 }), fc.constantFrom(0, 1e-12, 0.001))
    .map(([half, rest]) => [...half, ...half.map((x) => -x), rest]),
  // A large offset.
  fc.array(value, { minLength: 1, maxLength: 12 }).map((all) => all.map((x) => 1e9 + x)),
)

describe('errors', () => {
  it('are relative to the truth, or to the spread of values beside which it vanishes', () => {
    expect(errorScale(-5, 100)).toBe(5)
    expect(errorScale(1, 100)).toBe(1)
    expect(errorScale(0.999, 100)).toBe(100)
    expect(errorScale(0, 0)).toBe(0)
    expect(relativeError(25, 0, 100)).toBe(0.25)
    expect(relativeError(0.5, 0, 0)).toBe(0.5)
  })

  it('say what they are relative to', () => {
    expect(nearWords('1 %', '0.05', 5, 5)).toBe('within 1 % of it')
    expect(nearWords('1 %', '1', 0, 100)).toBe('within 1 of it (1 % of the spread of the values)')
    expect(nearWords('1 %', '0', 0, 0)).toBe('exactly right')
  })

  it('are those of the definition in every run, and in every measure', () => {
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 1e6 }), (values, seed) => {
        const result = averageOf(values, { seed })
        const wanted = byHand(values, result)
        const last = result.cycles.at(-1)!
        const scale = scaleByHand(values)
        expect(Math.abs(last.scale - scale)).toBeLessThanOrEqual(1e-12 * (scale + 1e9 * 1e-7))
        // Rounding decides where an estimate is just as far away as the tolerance.
        if (Math.abs(last.within - wanted.within) > 1e-9)
          expect(byHand(values, result, 0.0100001).within).toBeGreaterThan(
            byHand(values, result, 0.0099999).within,
          )
        expect(measure('error', result)).toBeCloseTo(wanted.error, 6)
        expect(measure('bias', result)).toBeCloseTo(wanted.bias, 6)
        // Exchanges keep the sum, whatever it is.
        expect(last.massError).toBeLessThan(1e-6)
      }),
      { numRuns: campaign(6_000) },
    )
  })

  it('do not depend on the unit of the values', () => {
    const names = ['gossip-average', 'gossip-sum', 'gossip-variance', 'gossip-count', 'gossip-max']
    fc.assert(
      fc.property(
        lists.filter((all) => all.every((x) => x === 0 || Math.abs(x) > 1e-60)),
        fc.constantFrom(2 ** -40, 1 / 4, 2, 1024, 2 ** 40),
        fc.constantFrom(...names),
        (values, factor, name) => {
          const of = (all: readonly number[]) => {
            const run = simulate(name as 'gossip-average', {
              ...{ values: [...all], timing: 'cycles', until: 8 },
            })
            const near = run.cycles.map(({ within, massError }) => [within, massError])
            return { near, reached: run.time.reached, error: measure('error', run) }
          }
          expect(of(values.map((x) => factor * x))).toEqual(of(values))
        },
      ),
      { numRuns: campaign(6_000) },
    )
  })

  it('of a truth of 0 are not absolute', () => {
    const values = [0.001, -0.001, 0.002, -0.002]
    const { cycles, time } = averageOf(values)
    expect(cycles[0].within).toBe(0)
    expect(time.reached).toBeGreaterThan(1)
    const nearly = averageOf([0.001, -0.001, 0.002, -0.0019999])
    expect(nearly.cycles.at(-1)!.within).toBe(1)
  })

  it('of equal values of 0 are none, and only 0 is right', () => {
    const { cycles, time } = averageOf([0, 0, 0])
    expect(time.reached).toBe(0)
    expect(cycles.at(-1)).toMatchObject({ scale: 0, within: 1, massError: 0 })
  })

  it('of a sum are relative to it, or to the spread of what is added up', () => {
    const values = [100, -100, 50, -50, 25, -25, 10, -10.001]
    const { cycles, nodes } = simulate('gossip-average-naive', {
      ...{ values, timing: 'async', until: 20 },
    })
    const { massError, massScale } = cycles.at(-1)!
    const sum = nodes.reduce((all, { estimate }) => all + estimate!, 0)
    expect(massError).toBeCloseTo(Math.abs(sum + 0.001) / 200, 10)
    expect(massScale).toBe('spread')
    const shifted = simulate('gossip-average-naive', {
      ...{ values: values.map((x) => x + 100), timing: 'async', until: 20 },
    }).cycles.at(-1)!
    expect(shifted.massScale).toBe('sum')
    expect(shifted.massError).toBeCloseTo((massError! * 200) / 799.999, 6)
  })

  it('count the values of nodes that crash later, and later values only if all were equal', () => {
    const lost = averageOf([0, 0, 0, 100], { crash: '3@2' }).cycles.at(-1)!
    expect(lost).toMatchObject({ truth: 0, scale: 100, alive: 3 })
    const never = averageOf([0, 0, 0, 100], { crash: '3' }).cycles.at(-1)!
    expect(never).toMatchObject({ truth: 0, scale: 0, within: 1 })
    const { cycles } = simulate('gossip-average', {
      ...{ values: '0,0,0,0;0@3=7;1@3=-7', timing: 'cycles', until: 5 },
    })
    expect(cycles.map(({ scale }) => scale)).toEqual([0, 0, 0, 14, 14, 14])
    const later = simulate('gossip-average', {
      ...{ values: 'index;0@3=100000', n: 1000, timing: 'cycles', until: 4 },
    }).cycles
    expect(later.map(({ scale }) => scale)).toEqual([499.5, 499.5, 499.5, 599.5, 599.5])
  })

  it('of counts and of own results are in their own unit', () => {
    const values = [1e9, -1e9, 5, 0]
    const scaleOf = (name: 'gossip-count' | 'gossip-variance') =>
      simulate(name, { values, timing: 'cycles', until: 3 }).cycles.at(-1)!.scale
    expect(scaleOf('gossip-count')).toBe(4)
    expect(scaleOf('gossip-variance')).toBeCloseTo(5e17, -5)
    const start = ({ value }: { value: number }) => value * value
    const squares = gossip({
      name: 'difference of squares',
      aggregate: {
        parts: [{ rule: average, start }],
        estimate: ([mean]) => mean,
        // It needs two nodes.
        truth: (all) => (all.length < 2 ? (undefined as never) : all[0] ** 2 - all[1] ** 2),
      },
    })
    const { cycles } = simulate(squares, { values: [3, -3, 0], timing: 'cycles', until: 1 })
    expect(cycles[0]).toMatchObject({ truth: 0, scale: 6 })
  })
})
