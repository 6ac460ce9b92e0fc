import { describe, expect, it } from 'vitest'
import { algorithm } from '../../core/index.ts'
import {
  average,
  half,
  largest,
  metropolisWeights,
  smallest,
} from '../../core/language/aggregate.ts'
import { prepare } from '../../scenario/index.ts'
import { aggregationCycles, observe } from '../../sim/index.ts'
import { settle } from './flow-updating.ts'
import { gossip, ownGossip } from './own-aggregation.ts'

const start = ({ value }: { readonly value: number }) => value
const truth = (values: Float64Array) => Math.max(...values) - Math.min(...values)
const parts = [
  { rule: largest, start },
  { rule: smallest, start },
]
const range = gossip({
  name: 'range',
  aggregate: { parts, estimate: ([most, least]) => most - least, truth },
})

describe('gossip()', () => {
  it.each(['cycles', 'async'])('computes what its parts come to, timing %s', (timing) => {
    const given = { n: 30, timing, seed: 5, until: 20 }
    const { begin, tolerance, scenario } = prepare(given, range, String)
    const run = begin()
    const values = Array.from(run.values)
    for (const _ of aggregationCycles(run, scenario)) {
      // All cycles are run.
    }
    const { min, max, within } = observe(run, tolerance, null)
    const wanted = Math.max(...values) - Math.min(...values)
    expect([min, max, within]).toEqual([wanted, wanted, 1])
  })

  it('has settings on which the aggregate depends', () => {
    const shifted = gossip({
      name: 'shifted',
      settings: { by: { says: 'what is added', otherwise: 2 } },
      aggregate: ({ by }) => ({
        parts: [{ rule: average, start }],
        estimate: ([mean]) => mean + by,
        truth: (values) => values.reduce((a, b) => a + b) / values.length + by,
      }),
    })
    const truthOf = (set: object) =>
      prepare({ n: 3, values: '1,2,3', timing: 'cycles', set }, shifted, String).begin().truth()
    expect([truthOf({}), truthOf({ by: 7 })]).toEqual([4, 9])
    expect(() => truthOf({ off: 1 })).toThrow('shifted in cycles has no parameter "off"')
  })

  it('refuses values outside of its domain', () => {
    const roots = gossip({
      name: 'roots',
      aggregate: {
        parts: [{ rule: average, start: ({ value }) => Math.sqrt(value) }],
        accepts: (value) => value >= 0,
        domain: 'values of at least 0',
        estimate: ([mean]) => mean,
        truth: (values) => values.reduce((sum, value) => sum + Math.sqrt(value), 0) / values.length,
      },
    })
    expect(() => prepare({ values: '4,-1' }, roots, String)).toThrow(
      'values: roots needs values of at least 0, not -1.',
    )
  })

  const whole = { parts, estimate: () => 1, truth }
  it.each<[string, object, string]>([
    ['no name', { aggregate: whole }, 'gossip: the aggregation has no name'],
    ['no aggregate', { name: 'a' }, 'a: aggregate.parts: it has no parts'],
    ['no parts', { name: 'a', aggregate: { ...whole, parts: [] } }, 'it has no parts'],
    [
      'no estimate',
      { name: 'a', aggregate: { parts, truth } },
      'a: aggregate.estimate: expected a function, got nothing. Write for example estimate:',
    ],
    [
      'no rule',
      { name: 'a', aggregate: { ...whole, parts: [{ start }] } },
      'a: aggregate.parts[0].rule: expected average, largest, smallest',
    ],
    [
      'a rule of one side',
      {
        name: 'a',
        aggregate: { ...whole, parts: [{ rule: { better: (a: number) => a }, start }] },
      },
      'both nodes must keep the same number, but of 1 and 2 one keeps 1 and the other 2',
    ],
    [
      'a number in place of a function',
      { name: 'a', aggregate: { ...whole, parts: [{ rule: average, start: 3 }] } },
      'a: aggregate.parts[0].start: expected a function, got 3',
    ],
    [
      'a setting of all aggregations',
      { name: 'a', settings: { epoch: { says: '', otherwise: 1 } }, aggregate: whole },
      'a: settings.epoch: every aggregation has this setting',
    ],
    [
      'a setting without a default',
      { name: 'a', settings: { p: { says: 'power' } }, aggregate: whole },
      'a: settings.p: the default must be a number, not undefined',
    ],
  ])('refuses a definition with %s', (_, definition, says) => {
    expect(() => gossip(definition as never)).toThrow(says)
  })

  it.each<[string, object, string]>([
    [
      'start',
      { ...whole, parts: [{ rule: average, start: () => Number.NaN }] },
      'a: aggregate.parts[0].start: it returned NaN for the value ',
    ],
    ['estimate', { ...whole, estimate: () => 'much' }, 'a: aggregate.estimate: it returned "much"'],
    ['truth', { ...whole, truth: () => undefined }, 'a: aggregate.truth: it returned undefined'],
  ])('reports what %s returned', (_, aggregate, says) => {
    const wrong = gossip({ name: 'a', aggregate: aggregate as never })
    const run = () => observe(prepare({ timing: 'cycles' }, wrong, String).begin(), 0.01, null)
    expect(run).toThrow(says)
  })
})

describe('rules of rounds', () => {
  const mean = (values: Float64Array) => values.reduce((a, b) => a + b) / values.length
  const first = ([estimate]: readonly number[]) => estimate
  const byShares = {
    parts: [
      { name: 's', rule: half, start },
      { name: 'w', rule: half, start: () => 1 },
    ],
    estimate: ([s, w]: readonly number[]) => s / w,
    truth: mean,
  }
  const byWeights = { parts: [{ rule: metropolisWeights, start }], estimate: first, truth: mean }
  const byFlows = { parts: [{ rule: { flow: settle }, start }], estimate: first, truth: mean }

  it.each([
    ['shares', byShares],
    ['weights', byWeights],
    ['flows', byFlows],
  ])('%s compute the average in rounds and by messages', (_, aggregate) => {
    const own = gossip({ name: 'own', aggregate })
    for (const timing of ['cycles', 'async']) {
      const { begin } = prepare({ topology: 'torus:4x4', timing }, own, String)
      const run = begin()
      for (let cycle = 0; cycle < 150; cycle++) run.run()
      expect(observe(run, 1e-6, null).within).toBe(1)
    }
  })

  it('run in cycles by default, and by messages where a field or setting is for messages', () => {
    const own = gossip({ name: 'own', aggregate: byShares })
    const timing = (given: object) => prepare({ n: 4, ...given }, own, String).scenario.timing
    expect(timing({})).toBe('cycles')
    expect(timing({ delay: 'unit' })).toBe('async')
    expect(timing({ set: { period: 5 } })).toBe('async')
    expect(timing({ set: { order: 'fresh' } })).toBe('cycles')
  })

  it('are of one kind', () => {
    const mixed = { ...byShares, parts: [byShares.parts[0], { rule: average, start }] }
    expect(() => gossip({ name: 'own', aggregate: mixed })).toThrow('in the same way')
    const flows = { ...byFlows, parts: [byFlows.parts[0], byFlows.parts[0]] }
    expect(() => gossip({ name: 'own', aggregate: flows })).toThrow('must be the only one')
    const both = { ...byShares, parts: [{ rule: { ...half, ...average } as never, start }] }
    expect(() => gossip({ name: 'own', aggregate: both })).toThrow('with one of change, better')
  })
})

describe('an own algorithm that computes an aggregate', () => {
  const silent = algorithm({
    name: 'silent',
    needs: { topology: 'any', knows: ['inputs'] },
    messages: {},
    params: { share: { says: 'how much moves', value: () => 0.25 } },
    state: {},
    wakes: true,
    computes: { aggregate: range.aggregate({}), carrier: null },
    start() {},
    on: {},
  })

  it('is an aggregation by messages, with its parameters as settings', () => {
    const own = gossip(silent)
    expect(own).toMatchObject({ name: 'silent', only: 'async', settings: { share: {} } })
    const { scenario } = prepare({ set: { share: 0.5 } }, own, String)
    expect(scenario.set).toEqual({ share: 0.5, period: 10, deaf: 0, tolerance: 0.01 })
  })

  it('cannot run in cycles, which do without its handlers', () => {
    expect(() => prepare({ timing: 'cycles' }, gossip(silent), String)).toThrow(
      /silent has handlers of its/,
    )
  })

  it('leaves elections as they are', () => {
    const election = { ...silent, computes: null }
    expect(ownGossip(election)).toBe(election)
    expect(() => gossip(election)).toThrow('gossip: silent computes no aggregate.')
  })
})
