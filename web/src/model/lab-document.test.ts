import { describe, expect, it } from 'vitest'
import { isDocument } from './lab-document.ts'

const scenario = { algorithm: 'lcr', n: 4 }
const sound = { version: 1, runs: [{ scenario }], shown: 0, step: 0, time: 0 }
const branch = { scenario, origin: { run: 0, at: 2, change: 'crash of position 1 at time 2' } }

describe('a document that came from outside', () => {
  it('is taken where it is sound', () => {
    expect(isDocument(sound)).toBe(true)
    const own = { path: 'mine.ts', source: 'export default 1' }
    const runs = [{ scenario, own }, branch, { ...branch, origin: { ...branch.origin, run: 1 } }]
    expect(isDocument({ ...sound, runs, shown: 2, step: 7, time: -0.5 })).toBe(true)
    const recording = { world: {}, events: [] }
    expect(isDocument({ ...sound, runs: [{ scenario: {}, recording }] })).toBe(true)
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
    ['a recording without events', { ...sound, runs: [{ scenario, recording: { world: {} } }] }],
  ])('is refused with %s', (_, document) => {
    expect(isDocument(document)).toBe(false)
  })
})
