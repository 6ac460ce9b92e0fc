import type { Algorithm, Clause, Link, Message, Relations } from '../../src/core/index.ts'
import { linksOf, type Topology } from '../../src/core/language/topology.ts'
import { flagged, prepare } from '../../src/scenario/index.ts'
import { type ReferenceOptions, referenceCheck } from './reference-checker.ts'
import type { ReferenceState } from './reference-state.ts'

/* Whether clauses hold in all states that a ring can reach: by search, without the prover. */

type View = object
type Holds = (...tuple: unknown[]) => boolean

/** A message in flight, and its place in its channel. */
interface InFlight {
  readonly view: View
  readonly kind: number
  readonly channel: number
  readonly place: number
}

/** The clauses that fail in some reachable state, with the ids of the ring. */
export function failingClauses(
  algorithm: Algorithm,
  ids: readonly number[],
  rules: ReferenceOptions,
  clauses: Readonly<Record<string, Clause>> = algorithm.invariant(),
): { failing: string[]; states: number } {
  const { world } = prepare({ n: ids.length, ids }, algorithm, flagged)
  const failing = new Set<string>()
  const { states } = referenceCheck(world, rules, (_, __, now) => {
    const seen = viewsOf(world.topology, now)
    for (const [name, clause] of Object.entries(clauses))
      if (!holdsEverywhere(algorithm, clause, seen)) failing.add(name)
  })
  return { failing: [...failing], states }
}

interface Views {
  readonly nodes: readonly View[]
  readonly messages: readonly InFlight[]
}

function viewsOf(topology: Topology, now: ReferenceState): Views {
  const nodes = now.nodes.map(({ my }) => my as View)
  const messages = nodes.flatMap((_, sender) =>
    linksOf(topology, sender).flatMap((link) => {
      const channel = topology.channel(sender, link)
      const to = nodes[topology.neighbor(sender, link)]
      const from: Link = topology.back(sender, link)
      return now.flights[channel].map(({ kind, body }, place) => ({
        ...{ kind, channel, place },
        view: { ...body, to, from },
      }))
    }),
  )
  return { nodes, messages }
}

/** Positions grow to the left. */
function relationsOf({ nodes, messages }: Views): Relations<object> {
  const n = nodes.length
  /** Steps to the left; all round from a node to itself. */
  const distance = (a: View, b: View) => {
    const steps = (nodes.indexOf(b) - nodes.indexOf(a) + n) % n
    return steps === 0 ? n : steps
  }
  const find = (view: View) => messages.find((one) => one.view === view)!
  return {
    inside: (a, b, c) => a !== b && distance(a, b) < distance(a, c),
    ahead(first, second) {
      const [one, other] = [find(first), find(second)]
      return one.channel === other.channel && one.place < other.place
    },
  }
}

function holdsEverywhere(algorithm: Algorithm, clause: Clause, views: Views): boolean {
  const relations = relationsOf(views)
  const ofType = (type: Message) => {
    const kind = algorithm.kindBySerial[type.serial]
    return views.messages.filter((one) => one.kind === kind).map(({ view }) => view)
  }
  const ranges = [
    ...clause.messages.map(ofType),
    ...Array.from({ length: clause.nodes }, () => views.nodes),
  ]
  return tuples(ranges).every((tuple) => (clause.holds as Holds)(...tuple, relations))
}

function tuples(ranges: readonly (readonly View[])[]): View[][] {
  return ranges.reduce<View[][]>(
    (all, range) => all.flatMap((tuple) => range.map((one) => [...tuple, one])),
    [[]],
  )
}

/** All orders of the ids 1 to n round a ring, up to rotation. */
export function ringOrders(n: number): number[][] {
  const orders = (rest: readonly number[]): number[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((id) => orders(rest.filter((other) => other !== id)).map((o) => [id, ...o]))
  const [first, ...others] = Array.from({ length: n }, (_, i) => n - i)
  return orders(others).map((order) => [first, ...order])
}
