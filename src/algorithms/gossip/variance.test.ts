import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { simulate } from '../../api/simulate.ts'
import { variance } from './aggregates.ts'

const { rule, start, length } = variance.row!
const offsets = fc.constantFrom(0, 1e9, -1e9, 2 ** 40, 0.5)
const small = fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 2, maxLength: 9 })
/** Exact in floating point, also far away from 0. */
const worlds = fc.tuple(offsets, small).map(([by, all]) => ({ by, values: all.map((x) => by + x) }))

/** By the differences of all pairs, which no offset changes. */
function varianceOf(values: readonly number[]): number {
  let sum = 0
  for (const a of values) for (const b of values) sum += (a - b) ** 2
  return sum / (2 * values.length ** 2)
}

describe('gossip-variance', () => {
  it.each(['cycles', 'async'] as const)('is right wherever the values are: %s', (timing) => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: 1, max: 1e6 }), ({ values }, seed) => {
        const { nodes, truth } = simulate('gossip-variance', { values, timing, seed, until: 60 })
        const wanted = varianceOf(values)
        expect(Math.abs(truth - wanted)).toBeLessThanOrEqual(1e-6 * wanted)
        for (const { estimate } of nodes)
          expect(Math.abs(estimate! - wanted)).toBeLessThanOrEqual(1e-3 * wanted)
      }),
      { numRuns: campaign(3_000) },
    )
  })

  it('keeps the sum of the squares, however exchanges overlap', () => {
    const events = fc.array(fc.tuple(fc.nat(8), fc.nat(8), fc.boolean()), { maxLength: 60 })
    fc.assert(
      fc.property(worlds, events, ({ by, values }, all) => {
        const n = values.length
        const rows = values.map((value) => {
          const row = new Float64Array(length)
          start(row, 0, { value, chosen: -1 }, () => 0)
          return row
        })
        const center = values.reduce((sum, value) => sum + (value - by), 0) / n + by
        const answers: { to: number; row: Float64Array }[] = []
        const pushes: { from: number; to: number; row: Float64Array }[] = []
        const deliver = () => {
          const push = pushes.shift()
          if (push !== undefined) {
            rule.answer(rows[push.to], 0, push.row, 0)
            answers.push({ to: push.from, row: push.row })
          }
        }
        const conclude = () => {
          const answer = answers.shift()
          if (answer !== undefined) rule.conclude(rows[answer.to], 0, answer.row, 0)
        }
        for (const [from, to, late] of all) {
          if (from % n !== to % n)
            pushes.push({ from: from % n, to: to % n, row: rows[from % n].slice() })
          if (late) continue
          deliver()
          if (from > to) conclude()
        }
        while (pushes.length > 0) deliver()
        while (answers.length > 0) conclude()
        const squares = rows.reduce((sum, [mean, own]) => sum + own + (mean - center) ** 2, 0)
        const wanted = n * varianceOf(values)
        expect(Math.abs(squares - wanted)).toBeLessThanOrEqual(1e-3 * wanted + 1e-6)
      }),
      { numRuns: campaign(20_000) },
    )
  })

  it('exchanges at once as by a push and an answer', () => {
    const rows = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), {
      minLength: 2 * length,
      maxLength: 2 * length,
    })
    fc.assert(
      fc.property(rows, (given) => {
        const [one, other] = [given.slice(0, length), given.slice(length)].map((row) =>
          Float64Array.from(row),
        )
        const together = Float64Array.from(given)
        rule.exchange(together, 0, length)
        const sent = one.slice()
        rule.answer(other, 0, sent, 0)
        rule.conclude(one, 0, sent, 0)
        for (const [row, at] of [[one, 0] as const, [other, length] as const])
          for (const place of [0, 1]) expect(row[place]).toBeCloseTo(together[at + place], 6)
      }),
    )
  })

  it('forgets old values by evaporation, as the averages of x and x^2 do', () => {
    const own = Float64Array.of(5, 0, 0)
    const row = Float64Array.of(2, 3, 0)
    variance.row!.evaporate!(row, 0, own, 0.25)
    const mean = 0.75 * 2 + 0.25 * 5
    expect(row[0]).toBe(mean)
    expect(row[1]).toBeCloseTo(0.75 * (3 + 4) + 0.25 * 25 - mean ** 2, 12)
    const values = '1e9,1000000002,1e9,1000000002;0@3=1000000002;2@3=1000000002'
    for (const timing of ['cycles', 'async'] as const) {
      const set = { evaporation: 0.2 }
      const { nodes } = simulate('gossip-variance', { values, timing, set, until: 80 })
      for (const { estimate } of nodes) expect(estimate).toBeLessThan(1e-6)
    }
  })
})

describe('averages, sums and counts far away from 0', () => {
  it.each([
    ['gossip-average', 1000000001.5],
    ['gossip-sum', 4000000006],
    ['gossip-count', 4],
    ['gossip-max', 1000000003],
  ] as const)('%s is right, and keeps its sum', (name, wanted) => {
    const values = [1e9, 1000000001, 1000000002, 1000000003]
    for (const timing of ['cycles', 'async'] as const) {
      const { nodes, truth, cycles } = simulate(name, { values, timing, until: 60 })
      expect(truth).toBe(wanted)
      expect(cycles.at(-1)!.massError ?? 0).toBeLessThan(1e-14)
      for (const { estimate } of nodes)
        expect(Math.abs(estimate! - wanted)).toBeLessThan(1e-12 * wanted)
    }
  })
})
