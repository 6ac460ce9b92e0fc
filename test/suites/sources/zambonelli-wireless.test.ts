import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { treeAggregate, wireless } from '../../../src/algorithms/index.ts'
import { campaign } from '../../support/campaign.ts'
import { graphs, schedules } from '../../support/graphs.ts'
import { observe, shuffled, simulate } from '../../support/random-worlds.ts'

/** The network of the figure, nodes a to j, with their capacities. */
const NAMES = [...'abcdefghij']
const FIGURE = {
  topology: 'edges:0-1,0-9,1-2,1-6,2-3,2-4,3-4,4-5,4-6,5-8,6-7,6-9,7-8,8-9',
  ids: NAMES.map((_, node) => node),
  values: [4, 6, 3, 2, 1, 4, 2, 8, 5, 4],
  wake: '0',
}

type Run = ReturnType<typeof observe>

/** Any network and schedule; the source is one of its nodes. */
const worlds = graphs.chain(({ topology, n }) =>
  fc.record({
    schedule: schedules(n, ['fifo', 'any']),
    topology: fc.constant(topology),
    ids: fc.nat().map((seed) => shuffled(n, seed)),
    source: fc.nat(n - 1).map(String),
  }),
)

/** Fails unless what is claimed of a run with one source is true in many. */
function always(claim: (run: Run, source: number) => void): void {
  fc.assert(
    fc.property(worlds, ({ schedule, topology, ids, source }) => {
      claim(observe(wireless, { topology, ids, ...schedule, wake: source }), Number(source))
    }),
    { numRuns: campaign(480) },
  )
}

/** By node: who sent the first ELECTION that it got. */
function firstSenders(events: Run['events']): Map<number, number> {
  const first = new Map<number, number>()
  for (const event of events)
    if (event.event === 'receive' && event.type === 'election' && !first.has(event.node))
      first.set(event.node, event.from)
  return first
}

/** Those who sent a node an answer with a candidate in it, by that node. */
function candidatesSent({ sends }: Run) {
  return sends.filter(({ type, body }) => type === 'ack' && body.found !== null)
}

describe('Zambonelli: elections in wireless networks', () => {
  it('the figure: a starts, h has the largest capacity and leads', () => {
    const { result } = observe(wireless, FIGURE)
    expect(NAMES[result.leader!.node]).toBe('h')
    expect(result.nodes![result.leader!.node].value).toBe(8)
    expect(result.messages.byType).toEqual({ election: 19, ack: 19, leader: 9 })
    expect(result.verdict.ok).toBe(true)
  })

  it('the figure: the tree and what is passed up it, with messages that take the same time', () => {
    const run = observe(wireless, FIGURE)
    const parents = [...firstSenders(run.events)].filter(([node]) => node !== 0)
    expect(parents.map(([node, from]) => NAMES[from] + NAMES[node]).toSorted()).toEqual(
      ['ab', 'aj', 'bc', 'bg', 'cd', 'ce', 'ji', 'gh', 'if'].toSorted(),
    )
    // The best below b is h by way of g, and below j it is i.
    const passed = candidatesSent(run).map(({ node, to, body }) => [
      NAMES[node],
      NAMES[to],
      NAMES[body.found as number],
    ])
    expect(passed).toContainEqual(['g', 'b', 'h'])
    expect(passed).toContainEqual(['b', 'a', 'h'])
    expect(passed).toContainEqual(['c', 'b', 'c'])
    expect(passed).toContainEqual(['j', 'a', 'i'])
  })

  it('the figure: whatever the delays, h leads for the same number of messages', () => {
    for (let seed = 0; seed < 30; seed++)
      for (const delay of ['uniform:1:10', 'exponential:1']) {
        const { leader, messages } = simulate(wireless, { ...FIGURE, delay, seed, order: 'any' })
        expect(leader?.id).toBe(7)
        expect(messages.byType).toEqual({ election: 19, ack: 19, leader: 9 })
      }
  })

  it('one source: ELECTION = ACK = 2E-(N-1) and LEADER = N-1, any network and schedule', () => {
    always(({ result: { n, links, messages } }) => {
      const election = 2 * links - (n - 1)
      expect(messages.byType).toEqual({ election, ack: election, leader: n - 1 })
    })
  })

  it('the first sender becomes the parent, and all other neighbours are asked', () => {
    always(({ sends, events, result }, source) => {
      const first = firstSenders(events)
      const asked = sends.filter(({ type }) => type === 'election')
      const pairs = new Set(asked.map(({ node, to }) => `${node} ${to}`))
      expect(pairs.size).toBe(asked.length)
      for (const [node, parent] of first)
        if (node !== source) expect(pairs.has(`${node} ${parent}`)).toBe(false)
      // Each asks all its neighbours but the parent: of the 2E ways the N - 1 to parents are left.
      expect(asked).toHaveLength(2 * result.links - (result.n - 1))
    })
  })

  it('an ELECTION from another than the parent is just acknowledged, at once', () => {
    always(({ events, sends }, source) => {
      const first = firstSenders(events)
      const empty = sends.filter(({ type, body }) => type === 'ack' && body.found === null)
      const others = events.flatMap((event) =>
        event.event === 'receive' &&
        event.type === 'election' &&
        (event.node === source || event.from !== first.get(event.node))
          ? [event]
          : [],
      )
      expect(empty.map(({ at, node, to }) => [at, node, to])).toEqual(
        others.map(({ at, node, from }) => [at, node, from]),
      )
    })
  })

  it('acknowledgements flow up the tree, each with the best of the nodes below', () => {
    always((run, source) => {
      const parents = firstSenders(run.events)
      parents.delete(source)
      const ids = run.result.nodes!.map(({ id }) => id!)
      const best = new Map(ids.entries())
      for (const { node, to, body } of candidatesSent(run)) {
        expect(to).toBe(parents.get(node))
        expect(body.found).toBe(best.get(node))
        best.set(to, Math.max(best.get(to)!, body.found as number))
      }
      expect(best.get(source)).toBe(Math.max(...ids))
    })
  })

  it('once the source has all replies, its choice is broadcast to all nodes', () => {
    always(({ events, sends, result }, source) => {
      const told = sends.filter(({ type }) => type === 'leader')
      expect(new Set([source, ...told.map(({ to }) => to)]).size).toBe(result.n)
      const largest = Math.max(...result.nodes!.map(({ id }) => id!))
      expect(told.every(({ body }) => body.found === largest)).toBe(true)
      const chosen = events.findIndex(({ event }) => event === 'lead' || event === 'follow')
      expect(events[chosen].node).toBe(source)
      expect(
        events.slice(chosen).filter((one) => one.event === 'receive' && one.type === 'ack'),
      ).toEqual([])
    })
  })

  it('nodes do not know the other nodes, nor their number', () => {
    expect(wireless.needs.knows).toEqual(['liveness'])
  })

  it('several sources: the highest drops the others out, and one election makes a choice', () => {
    fc.assert(
      fc.property(worlds, ({ schedule, topology, ids }) => {
        const { sends, starts, result } = observe(wireless, { topology, ids, ...schedule })
        const highest = Math.max(...[...starts.keys()].map((node) => ids[node]))
        const told = sends.filter(({ type }) => type === 'leader')
        expect(told).toHaveLength(ids.length - 1)
        const sources = new Set(result.nodes!.map(({ state }) => state.source))
        expect(sources.size).toBe(1)
        if (schedule.wake === 'all') expect(sources).toEqual(new Set([highest]))
        expect(result.leaders).toEqual([ids.indexOf(Math.max(...ids))])
      }),
      { numRuns: campaign(480) },
    )
  })

  it('the parent is the neighbour that delivers a higher source, not that source', () => {
    const given = { topology: 'path:5', ids: [1, 2, 3, 4, 5], wake: '0,4' }
    const run = observe(wireless, given)
    expect(run.result.nodes!.map(({ state }) => state.source)).toEqual([5, 5, 5, 5, 5])
    const candidates = candidatesSent(run).filter(({ body }) => body.source === 5)
    expect(candidates.map(({ node, to }) => [node, to])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ])
    expect(run.result.leader?.id).toBe(5)
  })
})

describe('Zambonelli: the tree of the wireless election', () => {
  it('can indeed be used to compute more complex aggregation functions than MAX and MIN', () => {
    // The capacities of the figure add up to 39, their squares to 191.
    const { nodes, messages, tree } = simulate(treeAggregate, FIGURE)
    const election = simulate(wireless, FIGURE)
    for (const { state, leader } of nodes!) {
      expect(leader).toBe(nodes![0].id)
      const found = { count: 10, sum: 39, min: 1, max: 8, deviations: expect.closeTo(38.9, 9) }
      expect(state.found).toEqual(found)
    }
    expect(tree).toEqual(election.tree)
    expect(Object.values(messages.byType)).toEqual(Object.values(election.messages.byType))
  })
})
