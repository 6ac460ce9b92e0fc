import { describe, expect, it } from 'vitest'
import { isDocument } from './lab-document.ts'

const scenario = { algorithm: 'lcr', n: 4 }
const sound = { version: 1, runs: [{ scenario }], shown: 0, step: 0, time: 0 }
const world = {
  ...{ algorithm: 'lcr', topology: 'path:2', kind: 'graph', n: 2, ids: [4, 9], edges: [0, 1] },
  ...{ places: null, unit: 'step', types: ['token'], messageTypes: 1 },
}
const recording = { world, events: [{ event: 'wake', at: 0, node: 1 }] }
const recorded = (change: object, facts: object = {}) => ({
  ...sound,
  runs: [{ scenario: {}, recording: { ...recording, world: { ...world, ...facts }, ...change } }],
})
const branch = { scenario, origin: { run: 0, at: 2, change: 'crash of position 1 at time 2' } }

describe('a document that came from outside', () => {
  it('is taken where it is sound', () => {
    expect(isDocument(sound)).toBe(true)
    const own = { path: 'mine.ts', source: 'export default 1' }
    const runs = [{ scenario, own }, branch, { ...branch, origin: { ...branch.origin, run: 1 } }]
    expect(isDocument({ ...sound, runs, shown: 2, step: 7, time: -0.5 })).toBe(true)
    const broken = { property: 'at most one leader', detail: 'two lead' }
    const snapshots = [{ events: 1, states: [{}, {}] }]
    expect(isDocument(recorded({ broken, snapshots }, { ids: null }))).toBe(true)
  })

  it.each<[string, unknown]>([
    ['nothing', null],
    ['another version', { ...sound, version: 2 }],
    ['no run', { ...sound, runs: [] }],
    ['a run that is none', { ...sound, runs: [null] }],
    ['a scenario that is a list', { ...sound, runs: [{ scenario: [] }] }],
    ['a run before the first', { ...sound, shown: -1 }],
    ['a half of a step', { ...sound, step: 1.5 }],
    ['a step before the first', { ...sound, step: -9 }],
    ['no time', { ...sound, time: null }],
    ['own code without a source', { ...sound, runs: [{ scenario, own: { path: 'a.ts' } }] }],
    ['a branch of itself', { ...sound, runs: [branch] }],
    ['a branch of no change', { ...sound, runs: [{ scenario }, { scenario, origin: { run: 0 } }] }],
    ['a recording without events', recorded({ events: undefined })],
    ['an event that is none', recorded({ events: [null] })],
    ['an unknown event', recorded({ events: [{ event: 'sing', at: 0, node: 0 }] })],
    ['an event of no node', recorded({ events: [{ event: 'wake', at: 0, node: 2 }] })],
    ['snapshots without states', recorded({ snapshots: [{ events: 1 }] })],
    ['a recording without facts', recorded({ world: {} })],
    ['no number of nodes', recorded({}, { n: 'two' })],
    ['more nodes than memory', recorded({}, { n: 1e9 })],
    ['a link to no node', recorded({}, { edges: [0, 2] })],
    ['types that are no list', recorded({}, { types: 5 })],
  ])('is refused with %s', (_, document) => {
    expect(isDocument(document)).toBe(false)
  })
})
