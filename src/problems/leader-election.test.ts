import { describe, expect, it } from 'vitest'
import type { GlobalState, State } from '../core/index.ts'
import { leaderElection } from './leader-election.ts'

/** A node as a test draws it; by default it lost to id 9 and has stopped. */
interface Figure extends Partial<State> {
  readonly dead?: true
  readonly component?: number
}

const leader = (id: number): Figure => ({ id, status: 'leader', leader: id, stopped: true })
const loser = (id: number): Figure => ({ id })

function situation(figures: readonly Figure[], deposed: readonly number[] = []): GlobalState {
  const states = figures.map(
    ({ dead: _, component: __, ...state }): State => ({
      status: 'lost',
      leader: 9,
      stopped: true,
      ...state,
    }),
  )
  const alive = (node: number) => figures[node].dead === undefined
  return {
    n: figures.length,
    state: (node) => states[node],
    alive,
    name: (node) => `#${node}`,
    component: (node) => figures[node].component ?? 0,
    leaders: states.flatMap(({ status }, node) =>
      status === 'leader' && alive(node) ? [node] : [],
    ),
    deposed,
  }
}

/** What is broken, by the name of the property. */
function broken(faults: boolean, figures: readonly Figure[], deposed?: readonly number[]) {
  const scene = situation(figures, deposed)
  return Object.fromEntries(
    leaderElection
      .properties(faults)
      .map(({ name, broken: judge }) => [name, judge(scene)])
      .filter(([, detail]) => detail !== null),
  )
}

describe('without faults', () => {
  it('one leader that all nodes know and that has stopped satisfies all properties', () => {
    expect(broken(false, [loser(3), leader(9), loser(4)])).toEqual({})
    expect(broken(false, [leader(9)])).toEqual({})
  })

  it('without a leader all properties that ask for one are violated', () => {
    expect(broken(false, [loser(3), loser(4)])).toEqual({
      'exactly one leader at the end': 'no node leads',
      'the others know the leader': 'there is no leader',
      'the others know it is over': 'there is no leader',
      'the leader terminates': 'there is no leader',
    })
  })

  it('two leaders are two too many, at any time', () => {
    const found = broken(false, [leader(9), loser(1), leader(4)])
    expect(found['at most one leader']).toBe('nodes #0, #2 lead at once')
    expect(found['exactly one leader at the end']).toBe('nodes #0, #2 lead')
  })

  it('many are counted, not listed', () => {
    const crowd = Array.from({ length: 6 }, (_, id) => leader(id))
    expect(broken(false, crowd)['at most one leader']).toBe('6 nodes lead at once')
  })

  it('a leader that stops leading violates a property', () => {
    expect(broken(false, [loser(3), leader(9)], [0])).toEqual({
      'a leader stays leader': 'node #0 stopped leading',
    })
  })

  it('the four variants of Burman are distinguished', () => {
    const only = (figure: Figure) => Object.keys(broken(false, [leader(9), figure]))
    // It knows that it lost, but not which node won.
    expect(only({ id: 3, leader: null })).toEqual(['the others know the leader'])
    expect(only({ id: 3, leader: 5 })).toEqual(['the others know the leader'])
    // Knows that it is over, and nothing else.
    expect(only({ id: 3, status: 'unknown', leader: null })).toEqual([
      'the others know they lost',
      'the others know the leader',
    ])
    // Knows nothing at all.
    expect(only({ id: 3, status: 'unknown', leader: null, stopped: false })).toEqual([
      'the others know they lost',
      'the others know the leader',
      'the others know it is over',
    ])
    // A node that follows the leader by its id knows that the election is over.
    expect(only({ id: 3, stopped: false })).toEqual([])
    // One that has lost without a name, or names another, does not.
    for (const leader of [null, 5])
      expect(only({ id: 3, leader, stopped: false })).toEqual([
        'the others know the leader',
        'the others know it is over',
      ])
    const idle = broken(false, [{ ...leader(9), stopped: false }, loser(3)])
    expect(Object.keys(idle)).toEqual(['the leader terminates'])
  })

  it('a smaller id that leads violates a property, unless another may win', () => {
    const wrong = [leader(4), { ...loser(9), leader: 4 }, { ...loser(7), leader: 4 }]
    expect(broken(false, wrong)).toEqual({
      'the largest id leads': 'node #0 leads, but #1 has a larger id',
    })
    // Of two leaders with the same id, neither is smaller.
    expect(broken(false, [leader(9), leader(9)])).not.toHaveProperty(['the largest id leads'])
    const judged = (traits: Parameters<typeof leaderElection.properties>[1]) =>
      leaderElection.properties(false, traits).some(({ name }) => name === 'the largest id leads')
    expect(judged({})).toBe(true)
    expect(judged({ needs: { topology: 'ring', ids: 'unique' } })).toBe(true)
    expect(judged({ elects: 'another' })).toBe(false)
    expect(judged({ needs: { topology: 'ring' } })).toBe(false)
  })

  it('sleepers know nothing', () => {
    const figures = [leader(9), { id: 2, status: 'asleep', leader: null, stopped: false } as const]
    expect(Object.keys(broken(false, figures))).toContain('the others know they lost')
  })

  it('whoever has followed another by name, does not know the leader by name', () => {
    const figures = [leader(9), { ...loser(3), stopped: false }, loser(5)]
    const judged = (followed: NonNullable<GlobalState['followed']>) =>
      leaderElection
        .properties(false)
        .flatMap(({ broken: judge }) => judge({ ...situation(figures), followed }) ?? [])
    expect(judged([{ node: 1, leader: 9 }])).toEqual([])
    expect(judged([9, 5].map((id) => ({ node: 1, leader: id })))).toEqual([
      'node #1 followed #2, who does not lead at the end',
      'node #1 does not know that it is over',
    ])
    expect(judged([{ node: 0, leader: 7 }])[0]).toContain('followed an id that no node has')
  })

  it('an anonymous leader is known without a name, by who has lost and stopped', () => {
    const of = (other: Figure, lasting = false) => {
      const scene = situation([
        { status: 'leader', leader: null },
        { leader: null, ...other },
      ])
      const traits = { needs: { topology: 'ring' }, lasting } as const
      return leaderElection
        .properties(false, traits)
        .flatMap(({ name, broken: judge }) => (judge(scene) === null ? [] : [name]))
    }
    expect(of({})).toEqual([])
    expect(of({ stopped: false })).toEqual([
      'the others know the leader',
      'the others know it is over',
    ])
    expect(of({ status: 'unknown' })).toEqual([
      'the others know they lost',
      'the others know the leader',
    ])
    // Without a stop nothing shows what they know, so nothing is said of it.
    expect(of({ stopped: false }, true)).toEqual([])
  })
})

describe('with crashes', () => {
  it('all live nodes follow the largest live node', () => {
    expect(broken(true, [loser(3), leader(9), loser(4)])).toEqual({})
    expect(broken(true, [leader(9), { ...loser(12), dead: true }])).toEqual({})
    expect(broken(true, [{ ...leader(9), dead: true }])).toEqual({})
  })

  it('a crashed leader counts as none', () => {
    const figures = [loser(3), loser(4), { ...leader(9), dead: true as const }]
    expect(broken(true, figures)).toEqual({
      'all live nodes follow the largest': 'nodes #0, #1 do not follow the right leader',
    })
  })

  it('the largest must lead itself, and no other will do', () => {
    const name = 'all live nodes follow the largest'
    expect(broken(true, [{ ...leader(3), leader: 3 }, loser(9)])[name]).toContain('#1')
    expect(broken(true, [{ id: 9, status: 'lost' }])[name]).toContain('#0')
    expect(broken(true, [leader(9), { id: 4, status: 'unknown', leader: 9 }])[name]).toContain('#1')
  })

  it('two leaders are allowed only where no path joins them', () => {
    const apart = [leader(9), { ...leader(4), component: 1 }]
    expect(broken(true, apart)).toEqual({})
    expect(broken(true, [leader(9), leader(4)])).toMatchObject({
      'no two leaders that reach each other': 'nodes #0, #1 lead at once',
    })
    expect(broken(true, [leader(9), { ...leader(4), dead: true }])).toEqual({})
  })
})

describe('the properties', () => {
  it('have names of their own and say what they mean', () => {
    const all = [false, true].flatMap((faults) => leaderElection.properties(faults))
    expect(new Set(all.map(({ name }) => name)).size).toBe(10)
    for (const { says } of all) expect(says).toMatch(/^[A-Z].*\.$/)
    expect(all.filter(({ when }) => when === 'always').map(({ name }) => name)).toEqual([
      'at most one leader',
      'a leader stays leader',
      'no two leaders that reach each other',
    ])
  })
})
