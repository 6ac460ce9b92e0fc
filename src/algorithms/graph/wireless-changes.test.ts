import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { observe, simulate } from '../../../test/support/random-worlds.ts'
import type { ValueSummary } from './summary.ts'
import { treeAggregate } from './tree-aggregate.ts'
import { wireless } from './wireless.ts'

type Edge = readonly [number, number]

interface Span {
  readonly from: number
  /** null: for good. */
  readonly to: number | null
}

/** A small network, and when its nodes are dead and its links are cut. */
interface Changing {
  readonly n: number
  readonly edges: readonly Edge[]
  readonly ids: readonly number[]
  readonly dead: readonly (Span | null)[]
  readonly cut: readonly (Span | null)[]
  readonly partition: (Span & { readonly groups: readonly (readonly number[])[] }) | null
}

const written = ({ from, to }: Span) => `${from}${to === null ? '' : `..${to}`}`
const orNone = (entries: readonly string[]) => entries.join() || 'none'

/** The same as a scenario has it. */
function scenarioOf({ edges, ids, dead, cut, partition }: Changing) {
  const back = (span: Span | null, node: number) => (span?.to == null ? [] : [`${node}@${span.to}`])
  return {
    topology: `edges:${edges.map((edge) => edge.join('-')).join()}`,
    ids,
    crash: orNone(dead.flatMap((span, node) => (span === null ? [] : `${node}@${span.from}`))),
    recover: orNone(dead.flatMap(back)),
    cut: orNone(cut.flatMap((span, i) => (span ? `${edges[i].join('-')}@${written(span)}` : []))),
    partition: partition
      ? `${partition.groups.map(String).join('/')}@${written(partition)}`
      : 'none',
  }
}

/** The leader of every node at the end, derived from the fault plan alone; null if crashed. */
function views({ n, edges, ids, dead, cut, partition }: Changing): (number | null)[] {
  const gone = (span: Span | null) => span !== null && span.to === null
  const group = (node: number) =>
    partition !== null && gone(partition) ? partition.groups.findIndex((g) => g.includes(node)) : 0
  const open = edges.filter(
    ([a, b], i) => !gone(dead[a]) && !gone(dead[b]) && !gone(cut[i]) && group(a) === group(b),
  )
  const best = ids.map((id, node) => (gone(dead[node]) ? null : id))
  for (let round = 0; round < n; round++)
    for (const [a, b] of open) best[a] = best[b] = Math.max(best[a]!, best[b]!)
  return best
}

const LATEST = 30

function spans(lasting: boolean): fc.Arbitrary<Span | null> {
  const from = fc.integer({ min: 0, max: LATEST })
  const forGood = from.map((at) => ({ from: at, to: null }))
  const passing = fc
    .tuple(from, fc.integer({ min: 1, max: LATEST }))
    .map(([at, time]) => ({ from: at, to: at + time }))
  const some = lasting ? forGood : fc.oneof(forGood, passing)
  return fc.option(some, { freq: 2, nil: null })
}

/** Connected at first; with `lasting`, what is gone stays gone. */
function changing(lasting: boolean): fc.Arbitrary<Changing> {
  return fc
    .tuple(
      fc.array(fc.nat(), { minLength: 1, maxLength: 7 }),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }),
    )
    .chain(([tree, extra]) => {
      const n = tree.length + 1
      const pairs = [...tree.map((draw, i) => [draw % (i + 1), i + 1]), ...extra].map(([a, b]) =>
        [a % n, b % n].sort((x, y) => x - y),
      )
      const edges = [...new Set(pairs.filter(([a, b]) => a !== b).map(String))]
        .map((pair) => pair.split(',').map(Number) as [number, number])
        .sort(([a, b], [c, d]) => a - c || b - d)
      const per = <T>(count: number, one: fc.Arbitrary<T>) =>
        fc.array(one, { minLength: count, maxLength: count })
      return fc.record({
        n: fc.constant(n),
        edges: fc.constant(edges),
        ids: fc.uniqueArray(fc.nat(99), { minLength: n, maxLength: n }),
        dead: per(n, spans(lasting)),
        cut: per(edges.length, spans(lasting)),
        partition: fc.tuple(spans(lasting), fc.integer({ min: 1, max: n - 1 })).map(
          ([span, size]) =>
            span && {
              ...span,
              groups: [
                [...Array(size).keys()],
                [...Array(n - size).keys()].map((node) => node + size),
              ],
            },
        ),
      })
    })
}

const schedule = fc.record({
  delay: fc.constantFrom('unit', 'uniform:1:10', 'exponential:3'),
  order: fc.constantFrom('fifo', 'any'),
  detect: fc.constantFrom(0, 1, 5),
  seed: fc.nat(),
})

/** Everybody starts: a part of the network in which all sleep would never hold an election. */
const started = { wake: 'all', 'max-messages': 100_000 }

function outcome(world: Changing, flags: object) {
  const result = simulate(wireless, { ...started, ...scenarioOf(world), ...flags })
  const found = result.nodes!.map(({ status, leader, id }) => {
    if (status === 'dead') return null
    return status === (leader === id ? 'leader' : 'lost') ? leader : `${status} of ${leader}`
  })
  return { result, found }
}

describe('wireless on a network that changes', () => {
  it('all live nodes that can reach each other end with the largest of them', () => {
    fc.assert(
      fc.property(changing(false), schedule, (world, flags) => {
        expect(outcome(world, flags).found).toEqual(views(world))
      }),
      { numRuns: campaign(3200) },
    )
  })

  it('while nodes and links only vanish, no two leaders can reach each other', () => {
    fc.assert(
      fc.property(changing(true), schedule, (world, flags) => {
        const { result, found } = outcome(world, flags)
        expect(found).toEqual(views(world))
        const open = result.verdict.properties.map(({ holds }) => holds).filter((it) => !it)
        expect(open).toEqual(found.every((view) => view === null) ? [null] : [])
      }),
      { numRuns: campaign(3200) },
    )
  })

  it('where all are neighbours a new leader never meets an old one, not even one back', () => {
    const lives = fc.tuple(fc.nat(4), fc.nat(LATEST), fc.integer({ min: 1, max: LATEST }))
    fc.assert(
      fc.property(lives, schedule, ([node, from, time], flags) => {
        const span = { crash: `${node}@${from}`, recover: `${node}@${from + time}` }
        const { events } = observe(wireless, { topology: 'complete:5', ...span, ...flags })
        const leading = new Set<number>()
        let most = 0
        for (const { event, node: at } of events) {
          if (event === 'lead') leading.add(at)
          if (['follow', 'withdraw', 'crash'].includes(event)) leading.delete(at)
          most = Math.max(most, leading.size)
        }
        expect([most, leading.size]).toEqual([1, 1])
      }),
      { numRuns: campaign(800) },
    )
  })

  it('wakes sleepers beyond a link that comes up', () => {
    const given = { topology: 'path:4', ids: [1, 2, 3, 4], wake: '0', cut: '1-2@0..20' }
    expect(simulate(wireless, given).nodes!.map(({ leader }) => leader)).toEqual([4, 4, 4, 4])
  })

  it('asks no node that is known to have crashed, and elects among the others', () => {
    const given = { topology: 'complete:5', ids: [1, 2, 3, 4, 5], crash: '4' }
    const { messages, leader } = simulate(wireless, given)
    const election = 2 * 6 - 3
    expect(messages).toMatchObject({ byType: { election, ack: election, leader: 3 }, toDead: 0 })
    expect(leader?.id).toBe(4)
  })

  it('elects one leader in each part of a network that was never connected', () => {
    const given = { topology: 'edges:0-1,1-2,3-4', ids: [5, 3, 4, 1, 2], wake: '1,3' }
    const { nodes, verdict } = simulate(wireless, given)
    expect(nodes!.map(({ leader }) => leader)).toEqual([5, 5, 5, 2, 2])
    expect(verdict.ok).toBe(true)
  })

  it('does not take a wave for one that its source began before it crashed', () => {
    // The middle begins its second wave when the cut is known, and has forgotten it when back.
    const flags = { delay: 'constant:10', wake: '1', cut: '0-1@0.5', crash: '1@2', recover: '1@4' }
    const { nodes } = simulate(wireless, { topology: 'path:3', ids: [1, 2, 3], ...flags })
    expect(nodes!.map(({ leader }) => leader)).toEqual([1, 3, 3])
  })

  // On the path 0-1-2-3 with unit delays ELECTION of 0 reaches 3 at time 3, its ACK 0 at time 6.
  it.each([
    ['the source crashes in the middle of its wave', { crash: '0@2' }, [null, 4, 4, 4]],
    ['a parent crashes before it can answer', { crash: '1@3' }, [1, null, 4, 4]],
    ['the best crashes after it has answered', { crash: '3@4' }, [3, 3, 3, null]],
    ['the leader crashes', { crash: '3@20' }, [3, 3, 3, null]],
    ['a question arrives after its sender has crashed', { crash: '1@1.5' }, [1, null, 4, 4]],
    [
      'a cut swallows a question and is over before it is known',
      { cut: '1-2@1..1.5' },
      [4, 4, 4, 4],
    ],
    ['a cut swallows an answer', { cut: '1-2@4..4.5' }, [4, 4, 4, 4]],
    ['a cut swallows the news', { cut: '2-3@8..8.5' }, [4, 4, 4, 4]],
    ['a node recovers before it was missed', { crash: '2@2.5', recover: '2@2.8' }, [4, 4, 4, 4]],
    ['the leader recovers', { crash: '3@20', recover: '3@40' }, [4, 4, 4, 4]],
    ['two parts come together', { partition: '0,1/2,3@0..30', wake: '0,2' }, [4, 4, 4, 4]],
    ['the leader retires', { retire: '3@20' }, [3, 3, 3, 3]],
  ])('%s', (_, flags, leaders) => {
    const { nodes } = simulate(wireless, { topology: 'path:4', ids: [1, 2, 3, 4], ...flags })
    const alive = nodes!.map(({ status, leader }) => (status === 'dead' ? null : leader))
    expect(alive).toEqual(leaders)
  })
})

describe('tree-aggregate on a network that changes', () => {
  it('in the end counts all live nodes that can reach each other, each of them once', () => {
    fc.assert(
      fc.property(changing(false), schedule, (world, flags) => {
        // With powers of two the sum shows which nodes were counted.
        const values = world.ids.map((_, node) => 2 ** node)
        const given = { ...started, ...scenarioOf(world), ...flags, values }
        const { nodes } = simulate(treeAggregate, given)
        const parts = views(world)
        const sum = (view: number | null) =>
          values.reduce((all, value, node) => all + (parts[node] === view ? value : 0), 0)
        for (const [node, view] of parts.entries()) {
          const { state, leader } = nodes![node]
          if (view === null) continue
          expect(leader).not.toBeNull()
          expect((state.found as ValueSummary).sum).toBe(sum(view))
        }
      }),
      { numRuns: campaign(3200) },
    )
  })
})
