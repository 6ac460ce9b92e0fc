import { type CheckOptions, checkWorld } from '../../../src/check/index.ts'
import {
  type Algorithm,
  type Clause,
  type GlobalState,
  LED,
  type Property,
} from '../../../src/core/index.ts'
import { complete } from '../../../src/core/networks/complete.ts'
import { flagged, prepare } from '../../../src/scenario/index.ts'

/* Whether clauses about complete networks hold in the states that exploration reaches. */

type View = object
type Holds = (...tuple: View[]) => boolean

/** The clauses that fail in some state; who has led is known to clauses for ever. */
export function failingInCluster(
  algorithm: Algorithm,
  clauses: Readonly<Record<string, Clause>>,
  n: number,
  rules: Partial<CheckOptions>,
): { readonly failing: readonly string[]; readonly states: number } {
  const { world } = prepare({ n }, algorithm, flagged)
  const failing = new Set<string>()
  const listening: Property = {
    name: 'clauses',
    when: 'always',
    broken(global) {
      const seen = viewsOf(algorithm, global)
      for (const [name, clause] of Object.entries(clauses))
        if (!holdsEverywhere(clause, seen)) failing.add(name)
      return null
    },
  }
  const { states } = checkWorld(world, {
    ...{ mode: 'untimed', order: 'lossy', wake: 'any', reduction: 'off' },
    ...{ properties: [listening], limits: { states: 20_000 }, ...rules },
  })
  return { failing: [...failing], states }
}

interface Views {
  readonly nodes: readonly View[]
  readonly messages: readonly { readonly serial: number; readonly view: View }[]
}

function viewsOf(
  algorithm: Algorithm,
  { n, state, inFlight = [], leads = [] }: GlobalState,
): Views {
  const topology = complete(n)
  const nodes: View[] = []
  const votersOf = (members: ReadonlySet<View>) => ({
    has: (node: View) => members.has(node),
    majority: 2 * new Set([...members]).size > n,
  })
  for (let node = 0; node < n; node++) nodes.push({ ...state(node) })
  for (const [node, view] of nodes.entries()) {
    const { votes } = state(node) as { votes?: ReadonlySet<number> }
    if (votes === undefined) continue
    const voters = new Set([...votes].map((link) => nodes[topology.neighbor(node, link)]))
    const majority = 2 * (voters.size + 1) > n
    Object.assign(view, { votes: { ...votersOf(voters), majority } })
  }
  const kinds = Object.entries(algorithm.kindBySerial)
  const serialOf = (kind: number) => Number(kinds.find(([, other]) => other === kind)![0])
  return {
    nodes,
    messages: [
      ...inFlight.map(({ from, to, kind, body }) => ({
        serial: serialOf(kind),
        view: { ...body, to: nodes[to], sender: nodes[from] },
      })),
      // Of one or two nodes a majority are all.
      ...leads.map(({ node, term }) => ({
        serial: LED.serial,
        view: { term, to: nodes[node], votes: votersOf(new Set(nodes)) },
      })),
    ],
  }
}

function holdsEverywhere({ messages, nodes, holds }: Clause, views: Views): boolean {
  const ranges = [
    ...messages.map(({ serial }) =>
      views.messages.filter((one) => one.serial === serial).map(({ view }) => view),
    ),
    ...Array.from({ length: nodes }, () => views.nodes),
  ]
  const all = (tuple: readonly View[]): boolean =>
    tuple.length === ranges.length
      ? (holds as unknown as Holds)(...tuple)
      : ranges[tuple.length].every((view) => all([...tuple, view]))
  return all([])
}
