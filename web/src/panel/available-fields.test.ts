import { describe, expect, it } from 'vitest'
import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import { networkForms } from '../../../src/core/networks/network.ts'
import { prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import { type AlgorithmEntry, offer } from '../engine/algorithm-settings.ts'
import {
  carried,
  contextOf,
  delays,
  faults,
  offersAttributes,
  offersSameIds,
  offersWaking,
  orders,
  timings,
} from './available-fields.ts'
import { kindsOf, readNetwork, startOf, withNumber } from './network-form.ts'

const { algorithms } = offer()
const named = algorithms.map((entry) => [entry.name, entry] as const)

/** What the engine says of a draft: null where it takes it. */
function refusal(draft: ScenarioInput): string | null {
  const algorithm = catalogue.find(({ name }) => name === draft.algorithm)
  try {
    if (algorithm) prepare(draft, algorithm, String)
    else prepare(draft, aggregations.find((it) => it.name === draft.algorithm)!, String)
    return null
  } catch (error) {
    return String(error)
  }
}

const context = (entry: AlgorithmEntry, draft: ScenarioInput = {}) => contextOf(entry, draft, {})

/** The size of a hypercube is a power of two. */
const sizeOf = ({ needs }: AlgorithmEntry) => (needs?.topology === 'hypercube' ? 4 : 5)

const EXAMPLES: Readonly<Record<string, string>> = {
  ...{ crash: '1@12', recover: '1@30', retire: '1@20', detect: '2', suspect: '3@10..20' },
  ...{ loss: '0.1', duplicate: '0.1', partition: '0,1/2,3@10..50', again: '100' },
}

describe('what the form offers', () => {
  it.each(named)('%s: the engine takes every fault that is offered', (name, entry) => {
    for (const timing of timings(context(entry)))
      for (const fault of faults(context(entry, { timing }))) {
        const example = EXAMPLES[fault]
        if (example === undefined) continue
        const crash = fault === 'recover' ? { crash: '1@12' } : {}
        const draft = { algorithm: name, timing, n: sizeOf(entry), ...crash, [fault]: example }
        expect(refusal(draft), `${fault} with ${timing}`).toBeNull()
      }
  })

  it.each(named)('%s: timing, delay, order and ids that fit, and no others', (name, entry) => {
    const election = entry.needs !== null
    for (const timing of ['sync', 'async', 'cycles', 'pairs'])
      expect(refusal({ algorithm: name, timing }) === null, timing).toBe(
        timings(context(entry)).includes(timing),
      )
    const fallback = context(entry)
    const apart = { unit: 'unit', constant: 'constant:2', uniform: 'uniform:1:3' }
    for (const [model, delay] of Object.entries({ ...apart, exponential: 'exponential:1' }))
      expect(refusal({ algorithm: name, delay }) === null, delay).toBe(
        delays(fallback).includes(model),
      )
    for (const order of ['fifo', 'any'])
      expect(refusal({ algorithm: name, order }) === null, order).toBe(
        orders(fallback).includes(order) ||
          (order === 'fifo' && ['sync', 'pairs'].includes(fallback.timing)),
      )
    expect(refusal({ algorithm: name, wake: '1' }) === null).toBe(offersWaking(fallback))
    if (election && entry.needs.ids)
      expect(refusal({ algorithm: name, ids: 'same' }) === null).toBe(offersSameIds(fallback))
    if (election)
      expect(refusal({ algorithm: name, values: 'index', 'elect-by': 'value' }) === null).toBe(
        offersAttributes(fallback, {}),
      )
    const retires = faults(fallback).includes('retire')
    expect(refusal({ algorithm: name, n: sizeOf(entry), retire: '1@20' }) === null).toBe(retires)
  })

  it('another algorithm gets what it can use of the one before', () => {
    const drafts: ScenarioInput[] = [
      { algorithm: 'lcr', ids: [3, 1, 2], seed: 4, wake: '0', timing: 'sync' },
      { algorithm: 'bully', n: 5, set: { patience: 1 }, crash: '4' },
      { algorithm: 'ghs', topology: 'grid:2x3', weights: 'random' },
      { algorithm: 'lcr', n: 4, ids: 'same' },
      { algorithm: 'gossip-average', topology: 'star:6', timing: 'cycles' },
    ]
    const sizes = [3, 5, 6, 4, 6]
    for (const [i, draft] of drafts.entries())
      for (const to of algorithms) {
        const from = algorithms.find(({ name }) => name === draft.algorithm)!
        const next = carried(draft, from, to, sizes[i])
        expect(refusal(next), `${draft.algorithm} to ${to.name}`).toBeNull()
      }
  })
})

describe('networks in the form', () => {
  const kinds = kindsOf(networkForms)

  it('are all that there are but files, each begun with one that can be built', () => {
    const all = networkForms.map(({ form }) => form.split(':')[0])
    expect(kinds.map(({ kind }) => kind)).toEqual(all.filter((kind) => kind !== 'file'))
    for (const { kind } of kinds)
      expect(refusal({ algorithm: 'gossip-max', topology: startOf(kind) }), kind).toBeNull()
  })

  it('are read into their numbers and written again', () => {
    for (const { kind } of kinds) {
      const text = startOf(kind)
      const network = readNetwork(text, kinds)!
      if (network.links !== null) expect(`edges:${network.links}`).toBe(text)
      for (const [i, { value }] of network.numbers.entries()) {
        expect(withNumber(network, i, value, kinds)).toBe(text)
        expect(readNetwork(withNumber(network, i, '5', kinds), kinds)!.numbers[i].value).toBe('5')
      }
    }
    expect(readNetwork('small-world:20:4:0.25', kinds)?.numbers).toEqual([
      { name: 'n', value: '20' },
      { name: 'k', value: '4' },
      { name: 'beta', value: '0.25' },
    ])
    expect(readNetwork('file:links.txt', kinds)).toBeNull()
  })
})
