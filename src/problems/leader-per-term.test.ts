import { describe, expect, it } from 'vitest'
import {
  algorithm,
  type GlobalState,
  message,
  type Problem,
  type Property,
  type TermLeader,
} from '../core/index.ts'
import { exploredProperties, propertiesOf } from './algorithm-properties.ts'
import { leaderElection } from './leader-election.ts'
import { leaderPerTerm, oneLeaderPerTerm } from './leader-per-term.ts'

const NOTE = message({})

function definition(
  problem?: Problem,
  quiet?: 'never',
  needs: { topology: 'ring'; time?: 'bounded delay' } = { topology: 'ring' },
) {
  return algorithm({
    name: 'mine',
    needs,
    messages: { NOTE },
    state: {},
    wakes: true,
    ...(problem && { problem }),
    ...(quiet && { quiet }),
    start() {},
    on: { NOTE() {} },
  })
}

function namesOf(properties: readonly Property[]): string[] {
  return properties.map(({ name }) => name)
}

const calm: Property = { name: 'calm', when: 'at the end', broken: () => null }

describe('one leader per term', () => {
  const judged = (leads: readonly TermLeader[]) =>
    oneLeaderPerTerm.broken({ name: (node) => `#${node}`, leads } as GlobalState)

  it('is broken by two nodes that ever led in the same term', () => {
    const first = { node: 0, term: 1 }
    expect(judged([first, { node: 1, term: 2 }, { node: 2, term: 1 }])).toBe(
      'nodes #0 and #2 both led in term 1',
    )
  })

  it('holds while terms differ, and where one node leads in a term again', () => {
    expect(judged([])).toBeNull()
    expect(
      judged([
        { node: 0, term: 1 },
        { node: 1, term: 2 },
        { node: 0, term: 1 },
        { node: 0, term: 3 },
      ]),
    ).toBeNull()
  })
})

describe('the problem of a definition', () => {
  it('is leader election by default', () => {
    expect(propertiesOf(definition(), false)).toEqual(
      propertiesOf(definition(leaderElection), false),
    )
    expect(namesOf(propertiesOf(definition(), true))).toContain(
      'no two leaders that reach each other',
    )
  })

  it('replaces the properties of an election by its own', () => {
    const own = definition({ name: 'calm', properties: [calm] })
    for (const faults of [false, true]) {
      expect(namesOf(propertiesOf(own, faults))).toEqual(['calm'])
      const all = propertiesOf(own, faults)
      expect(exploredProperties(own, faults, all)).toEqual(all)
    }
  })

  it('may depend on faults, and what its file exports is added', () => {
    const own = definition({ name: 'calm', properties: (faults) => (faults ? [] : [calm]) })
    const more = { ...own, demands: [{ ...calm, name: 'more' }] }
    expect(namesOf(propertiesOf(more, false))).toEqual(['calm', 'more'])
    expect(namesOf(propertiesOf(more, true))).toEqual(['more'])
  })

  it('is refused in one line where its properties are no properties', () => {
    const wrong = (properties: unknown) =>
      definition({ name: 'wrong', properties } as unknown as Problem)
    expect(() => propertiesOf(wrong({}), false)).toThrow('mine: problem: expected')
    expect(() =>
      propertiesOf(
        wrong(() => 'all'),
        false,
      ),
    ).toThrow('mine: problem: expected a list')
    expect(() => propertiesOf(wrong([{ name: 'a' }]), false)).toThrow(
      'properties[0]: expected when',
    )
    const loud = propertiesOf(wrong([{ ...calm, broken: () => JSON.parse('{') }]), false)[0]
    expect(() => loud.broken({} as GlobalState)).toThrow('mine: property "calm": broken threw')
  })
})

describe('an algorithm that never falls silent', () => {
  it('must keep from some time on what others have at the end', () => {
    const own = definition({ name: 'calm', properties: [calm] }, 'never')
    expect(propertiesOf(own, false).map(({ when }) => when)).toEqual(['from some time on'])
    expect(namesOf(propertiesOf(definition(undefined, 'never'), false))).toEqual([
      'at most one leader',
      'a leader stays leader',
      'the leader is stable',
    ])
    const when = propertiesOf(definition(leaderPerTerm, 'never'), true).map((it) => it.when)
    expect(when).toEqual(['always', 'from some time on'])
  })

  it('is not asked by the checker to elect in terms without a bound on delays', () => {
    const explored = (needs: Parameters<typeof definition>[2]) => {
      const one = definition(leaderPerTerm, 'never', needs)
      return namesOf(exploredProperties(one, false, propertiesOf(one, false)))
    }
    expect(explored({ topology: 'ring' })).toEqual(['one leader per term'])
    expect(explored({ topology: 'ring', time: 'bounded delay' })).toEqual([
      'one leader per term',
      'the leader is stable',
    ])
    // That an election elects at all is part of being stable.
    const election = definition(undefined, 'never')
    const all = propertiesOf(election, false)
    expect(exploredProperties(election, false, all)).toEqual(all)
  })
})
