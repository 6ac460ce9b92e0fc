import {
  type Algorithm,
  type Clause,
  type Link,
  type Message,
  type Relations,
  ring,
  type State,
  type World,
} from '../../../src/core/index.ts'
import { Handling } from '../reference-handling.ts'

/* Configurations of rings as they stand in the theorem, all values written out; no prover. */

export interface ConfigurationMessage {
  readonly kind: number
  readonly to: number
  /** The link of the receiver over which it arrives. */
  readonly from: Link
  readonly body: Readonly<Record<string, unknown>>
}

/** Nodes going left, and messages, the older ones first. */
export interface RingConfiguration {
  readonly nodes: readonly State[]
  readonly messages: readonly ConfigurationMessage[]
}

export type ConfigurationEvent = 'wake' | { readonly delivered: number }

/** A step that node 0 can take, and what it leads to. */
export interface ConfigurationStep {
  readonly after: State
  readonly sends: readonly ConfigurationMessage[]
}

type View = object

const worlds = new WeakMap<Algorithm, Map<string, World>>()

function worldOf(algorithm: Algorithm, ids: readonly number[]): World {
  const known = worlds.get(algorithm) ?? new Map<string, World>()
  worlds.set(algorithm, known)
  const key = ids.join()
  const world = known.get(key) ?? {
    ...{ algorithm, topology: ring(ids.length), ids: Float64Array.from(ids), params: {} },
  }
  known.set(key, world)
  return world
}

/** Runs the handler of node 0. Null where the event is not possible. */
export function stepOfFirst(
  algorithm: Algorithm,
  { nodes, messages }: RingConfiguration,
  event: ConfigurationEvent,
): ConfigurationStep | null {
  const [my] = nodes
  if (event === 'wake' && my.status !== 'asleep') return null
  const world = worldOf(
    algorithm,
    nodes.map(({ id }) => id!),
  )
  const handling = new Handling(world, 0, { my, timers: [], down: [] } as never, [], [])
  if (event === 'wake') handling.begin()
  else {
    const { kind, from, body } = messages[event.delivered]
    handling.take({ kind, body } as never, from)
  }
  const { topology } = world
  return {
    after: handling.my,
    sends: handling.sends.map(({ link, flight }) => ({
      kind: flight.kind,
      to: topology.neighbor(0, link),
      from: topology.back(0, link),
      body: flight.body,
    })),
  }
}

/** The configuration after a step of node 0. */
export function afterStep(
  { nodes, messages }: RingConfiguration,
  event: ConfigurationEvent,
  { after, sends }: ConfigurationStep,
  doubled = false,
): RingConfiguration {
  const gone = event === 'wake' || doubled ? -1 : event.delivered
  return {
    nodes: [after, ...nodes.slice(1)],
    messages: [...messages.filter((_, i) => i !== gone), ...sends],
  }
}

/** A configuration as clauses see it. */
class Views implements Relations<object> {
  readonly nodes: readonly View[]
  readonly messages: readonly View[]

  constructor(private readonly of: RingConfiguration) {
    this.nodes = of.nodes.map((state): View => Object.create(state))
    this.messages = of.messages.map(({ to, from, body }) => ({
      ...{ ...body, from, to: this.nodes[to] },
    }))
  }

  /** b is met on the way from a to the left, before c is. */
  inside(a: View, b: View, c: View): boolean {
    const n = this.nodes.length
    const start = this.nodes.indexOf(a)
    for (let i = 1; i <= n; i++) {
      const met = this.nodes[(start + i) % n]
      if (met === c) return false
      if (met === b) return true
    }
    return false
  }

  ahead(first: View, second: View): boolean {
    const [i, j] = [this.messages.indexOf(first), this.messages.indexOf(second)]
    const [one, other] = [this.of.messages[i], this.of.messages[j]]
    return one.to === other.to && one.from === other.from && i < j
  }
}

type Holds = (...tuple: unknown[]) => boolean

/** A clause for one choice of messages and nodes, by their numbers. */
export function holdsFor(
  clause: Clause,
  config: RingConfiguration,
  messages: readonly number[],
  nodes: readonly number[],
): boolean {
  const views = new Views(config)
  const tuple = [...messages.map((i) => views.messages[i]), ...nodes.map((i) => views.nodes[i])]
  return (clause.holds as Holds)(...tuple, relationsOf(views))
}

/** A clause for all choices. */
export function holds(algorithm: Algorithm, clause: Clause, config: RingConfiguration): boolean {
  const views = new Views(config)
  const relations = relationsOf(views)
  const ofType = ({ serial }: Message) =>
    views.messages.filter((_, i) => config.messages[i].kind === algorithm.kindBySerial[serial])
  const ranges = [
    ...clause.messages.map(ofType),
    ...Array.from({ length: clause.nodes }, () => views.nodes),
  ]
  const all = (tuple: readonly View[]): boolean =>
    tuple.length === ranges.length
      ? (clause.holds as Holds)(...tuple, relations)
      : ranges[tuple.length].every((view) => all([...tuple, view]))
  return all([])
}

function relationsOf(views: Views): Relations<object> {
  return {
    inside: (a, b, c) => views.inside(a, b, c),
    ahead: (first, second) => views.ahead(first, second),
  }
}

/** What values a field may have. */
export type Domain =
  | { readonly of: 'values'; readonly values: readonly unknown[] }
  | { readonly of: 'ids'; readonly null: boolean }
  | { readonly of: 'counts' }

interface FieldType {
  readonly schema: string
  readonly sort?: string
  readonly values?: readonly unknown[]
}

function domainOf({ schema, sort, values }: FieldType): Domain {
  if (schema === 'uid') return { of: 'ids', null: false }
  if (schema === 'maybe(uid)') return { of: 'ids', null: true }
  if (sort === 'counter') return { of: 'counts' }
  if (sort === 'link') return { of: 'values', values: [0, 1] }
  if (values === undefined) throw new Error(`no plain domain for ${schema}`)
  return { of: 'values', values }
}

/** The fields of a node beside its id. */
export function nodeDomains({ layout }: Algorithm): Record<string, Domain> {
  return {
    status: { of: 'values', values: ['asleep', 'unknown', 'leader', 'lost'] },
    leader: { of: 'ids', null: true },
    stopped: { of: 'values', values: [false, true] },
    ...Object.fromEntries(
      Object.entries(layout.own).map(([name, type]) => [name, domainOf(type as FieldType)]),
    ),
  }
}

export function bodyDomains({ kinds }: Algorithm, kind: number): Record<string, Domain> {
  const fields = Object.entries(kinds[kind].codec.fields)
  return Object.fromEntries(fields.map(([name, type]) => [name, domainOf(type as FieldType)]))
}
