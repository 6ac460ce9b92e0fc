import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Aggregate } from '../../core/language/aggregate.ts'
import { byMessages } from '../kinds.ts'
import { aggregations as all } from './aggregations.ts'

/** Rows have tests of their own. */
const aggregations = all.filter((one) => byMessages(one).computes!.aggregate.row === undefined)

const SETTINGS = { p: 3, threshold: 2, instances: 3, of: 'average', how: 'push', stop: 'never' }
const named = (name: string) => aggregations.find((it) => it.name === name)!.aggregate(SETTINGS)

/** What the parts come to if all exchanges go well: averages and extremes by their definition. */
function limits({ parts }: Aggregate, values: number[]): number[] {
  return parts.map(({ rule, start }) => {
    const starts = values.map((value, node) => start({ value, chosen: node < 3 ? node : -1 }))
    if (rule.better) return starts.reduce(rule.better)
    return starts.reduce((sum, each) => sum + each, 0) / starts.length
  })
}

const amounts = fc.array(fc.double({ min: 0.5, max: 4, noNaN: true }), {
  minLength: 3,
  maxLength: 12,
})
const total = (list: number[]) => list.reduce((sum, each) => sum + each, 0)
const mean = (list: number[]) => total(list) / list.length

/** Each by a second way. */
const TRUTHS: Record<string, (values: number[]) => number> = {
  'gossip-max': (values) => Math.max(...values),
  'gossip-min': (values) => Math.min(...values),
  'gossip-average': mean,
  'gossip-average-naive': mean,
  'gossip-geometric-mean': (values) => values.reduce((a, b) => a * b) ** (1 / values.length),
  'gossip-harmonic-mean': (values) => values.length / total(values.map((value) => 1 / value)),
  'gossip-power-mean': (values) => Math.cbrt(mean(values.map((value) => value ** 3))),
  'gossip-count': (values) => values.length,
  'gossip-count-where': (values) => values.filter((value) => value >= 2).length,
  'gossip-sum': total,
  'gossip-product': (values) => values.reduce((a, b) => a * b),
  'push-sum': mean,
  rumor: () => 1,
  'flow-updating': mean,
  metropolis: mean,
}

describe('aggregations', () => {
  it('are those that have a truth here', () => {
    expect(aggregations.map(({ name }) => name).toSorted()).toEqual(Object.keys(TRUTHS).toSorted())
  })

  it.each(Object.keys(TRUTHS))(
    '%s: the truth, and what the parts come to, are the same',
    (name) => {
      const aggregate = named(name)
      fc.assert(
        fc.property(amounts, (values) => {
          const truth = TRUTHS[name](values)
          const near = 1e-9 * Math.max(1, Math.abs(truth))
          expect(Math.abs(aggregate.truth(Float64Array.from(values)) - truth)).toBeLessThan(near)
          expect(Math.abs(aggregate.estimate(limits(aggregate, values)) - truth)).toBeLessThan(near)
        }),
      )
    },
  )

  it.each(aggregations)('$name: an exchange keeps sums and extremes', ({ aggregate }) => {
    const { parts } = aggregate(SETTINGS)
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -9, max: 9 }), fc.integer(), (mine, theirs) => {
        for (const { rule } of parts) {
          // Half of the smallest number is 0 or -0.
          if (rule.change)
            expect(rule.change(mine, theirs) || 0).toBe(-rule.change(theirs, mine) || 0)
          else if (rule.better) expect(rule.better(mine, theirs)).toBe(rule.better(theirs, mine))
        }
      }),
    )
  })

  it('a count of several instances is their median, whatever a single one says', () => {
    const { estimate } = named('gossip-count')
    expect(estimate([1 / 10, 0, 1 / 12])).toBeCloseTo(12)
    expect(estimate([1 / 10, 1, 1 / 12])).toBeCloseTo(10)
  })
})
