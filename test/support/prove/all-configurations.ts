import type { Algorithm, Clause, Random, State } from '../../../src/core/index.ts'
import {
  afterStep,
  bodyDomains,
  type ConfigurationEvent,
  type ConfigurationMessage,
  type Domain,
  holds,
  nodeDomains,
  type RingConfiguration,
  stepOfFirst,
} from './ring-configurations.ts'

/*
 * A second search for counterexamples to induction: slow, plain, and apart from the prover. It
 * writes out every configuration, or draws some, and takes every step of node 0.
 */

export type Clauses = Readonly<Record<string, Clause>>

/** Chooses one of the values: all of them in turn, or one at random. */
type Choose = <T>(values: readonly T[]) => Iterable<T>

interface Values {
  readonly values: Readonly<Record<string, unknown>>
  /** All ids so far, in order. */
  readonly ids: readonly number[]
}

class Enumeration {
  private readonly domains: Readonly<Record<string, Domain>>
  private readonly unread: readonly string[]

  constructor(
    private readonly algorithm: Algorithm,
    private readonly assumed: Clauses,
    private readonly choose: Choose,
    /** Fields that no clause reads: they matter at the node that acts. */
    unread: readonly string[],
  ) {
    this.domains = nodeDomains(algorithm)
    this.unread = unread
  }

  /** All configurations of so many nodes and messages in which the assumed clauses hold. */
  *rings(n: number, messages: number): Iterable<RingConfiguration> {
    for (const ids of this.choose(orders(n)))
      for (const { nodes, known } of this.nodes(
        [],
        ids,
        ids.toSorted((a, b) => a - b),
      ))
        yield* this.withMessages({ nodes, messages: [] }, known, messages)
  }

  private *nodes(
    before: readonly State[],
    ids: readonly number[],
    known: readonly number[],
  ): Iterable<{ readonly nodes: readonly State[]; readonly known: readonly number[] }> {
    if (before.length === ids.length) {
      yield { nodes: before, known }
      return
    }
    const fields = Object.entries(this.domains).filter(
      ([name]) => before.length === 0 || !this.unread.includes(name),
    )
    const start = this.algorithm.layout.create(ids[before.length], {})
    if (before.length > 0) for (const name of this.unread) refuse(start, name)
    for (const { values, ids: more } of this.values(fields, { values: {}, ids: known })) {
      const nodes = [...before, Object.assign(Object.create(start), values) as State]
      if (this.allHold({ nodes, messages: [] })) yield* this.nodes(nodes, ids, more)
    }
  }

  private *withMessages(
    ring: RingConfiguration,
    known: readonly number[],
    more: number,
  ): Iterable<RingConfiguration> {
    if (more === 0) {
      yield ring
      return
    }
    const { nodes, messages } = ring
    // One that is delivered is among them first; the order of the others means nothing.
    const receivers = messages.length === 0 ? [0] : nodes.map((_, i) => i)
    for (const kind of this.choose(this.algorithm.kinds.map((_, i) => i)))
      for (const to of this.choose(receivers))
        for (const from of this.choose([0, 1])) {
          const fields = Object.entries(bodyDomains(this.algorithm, kind))
          for (const { values, ids } of this.values(fields, { values: {}, ids: known })) {
            const message: ConfigurationMessage = { kind, to, from, body: values }
            const next = { nodes, messages: [...messages, message] }
            if (this.allHold(next)) yield* this.withMessages(next, ids, more - 1)
          }
        }
  }

  private *values(fields: readonly [string, Domain][], so: Values): Iterable<Values> {
    const [first, ...rest] = fields
    if (first === undefined) {
      yield so
      return
    }
    const [name, domain] = first
    for (const { value, ids } of this.options(domain, so.ids))
      yield* this.values(rest, { values: { ...so.values, [name]: value }, ids })
  }

  private *options(
    domain: Domain,
    ids: readonly number[],
  ): Iterable<{ readonly value: unknown; readonly ids: readonly number[] }> {
    if (domain.of === 'counts') throw new Error('counters are not enumerated')
    if (domain.of === 'values') {
      for (const value of this.choose(domain.values)) yield { value, ids }
      return
    }
    const between = [...ids, ids[ids.length - 1] + 2].map(
      (id, i) => (id + (ids[i - 1] ?? id - 2)) / 2,
    )
    for (const value of this.choose([...(domain.null ? [null] : []), ...ids, ...between]))
      yield {
        value,
        ids: value === null || ids.includes(value) ? ids : [...ids, value].sort((a, b) => a - b),
      }
  }

  private allHold(ring: RingConfiguration): boolean {
    return Object.values(this.assumed).every((clause) => holds(this.algorithm, clause, ring))
  }
}

/** A field that must not be read. */
function refuse(state: State, name: string): void {
  Object.defineProperty(state, name, {
    get() {
      throw new Error(`a clause reads ${name}`)
    },
  })
}

/** All orders of the ids of n nodes. */
function orders(n: number): number[][] {
  const all = (rest: readonly number[]): number[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((id) => all(rest.filter((other) => other !== id)).map((more) => [id, ...more]))
  return all(Array.from({ length: n }, (_, i) => i + 1))
}

/** The clauses that a step of node 0 breaks, with and without the message being doubled. */
function brokenBy(algorithm: Algorithm, ring: RingConfiguration, clauses: Clauses): string[] {
  const events: ConfigurationEvent[] = [
    'wake',
    ...(ring.messages.length > 0 ? [{ delivered: 0 }] : []),
  ]
  return events.flatMap((event) => {
    const step = stepOfFirst(algorithm, ring, event)
    if (step === null) return []
    const after = afterStep(ring, event, step, true)
    return Object.keys(clauses).filter((name) => !holds(algorithm, clauses[name], after))
  })
}

/** The clauses that some step breaks on rings of up to n nodes with up to so many messages. */
export function brokenOnSmallRings(
  algorithm: Algorithm,
  clauses: Clauses,
  size: { readonly nodes: number; readonly messages: number },
  unread: readonly string[],
): { readonly broken: Set<string>; readonly configurations: number } {
  const all = new Enumeration(algorithm, clauses, (values) => values, unread)
  const broken = new Set<string>()
  let configurations = 0
  for (let n = 1; n <= size.nodes; n++)
    for (let m = 0; m <= size.messages; m++)
      for (const ring of all.rings(n, m)) {
        configurations++
        for (const name of brokenBy(algorithm, ring, clauses)) broken.add(name)
      }
  return { broken, configurations }
}

/** The largest subset that no step breaks: what is broken is dropped, until nothing is. */
export function unbrokenSubset(
  algorithm: Algorithm,
  clauses: Clauses,
  size: { readonly nodes: number; readonly messages: number },
  unread: readonly string[],
): string[] {
  let left = clauses
  while (true) {
    const { broken } = brokenOnSmallRings(algorithm, left, size, unread)
    if (broken.size === 0) return Object.keys(left)
    left = Object.fromEntries(Object.entries(left).filter(([name]) => !broken.has(name)))
  }
}

/** The same for configurations drawn at random; how many were found in which all clauses hold. */
export function brokenInSample(
  algorithm: Algorithm,
  clauses: Clauses,
  size: { readonly nodes: number; readonly messages: number },
  draws: number,
  random: Random,
): { readonly broken: Set<string>; readonly configurations: number } {
  // Several values are tried of each choice, since most lead nowhere.
  const choose: Choose = (values) => [values[random.below(values.length)]]
  const one = new Enumeration(algorithm, clauses, choose, [])
  const broken = new Set<string>()
  let configurations = 0
  for (let draw = 0; draw < draws; draw++)
    for (const ring of one.rings(1 + random.below(size.nodes), random.below(size.messages + 1))) {
      configurations++
      for (const name of brokenBy(algorithm, ring, clauses)) broken.add(name)
    }
  return { broken, configurations }
}
