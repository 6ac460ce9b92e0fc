import type { Algorithm, Clause, Random, State, StepClause } from '../../../src/core/index.ts'
import type { ProofResult } from '../../../src/prove/prove.ts'
import {
  bodyDomains,
  type ConfigurationMessage,
  type ConfigurationStep,
  type Domain,
  holds,
  holdsFor,
  nodeDomains,
  type RingConfiguration,
  stepOfFirst,
} from './ring-configurations.ts'

/* Whether a counterexample to induction is one: in plain configurations, without the prover. */

/** Ids of counterexamples are numbered from 1; others may lie between them. */
const APART = 16

const MOST_COUNT = 4

/** How often numbers are drawn for counters, which counterexamples leave out. */
const DRAWS = 400

type Values = Readonly<Record<string, unknown>>

/** What a replay depends on. */
type Links = Pick<ProofResult['for'], 'order' | 'duplicates'>

type Counterexample = NonNullable<ProofResult['faulty']>

export interface Replay {
  readonly algorithm: Algorithm
  readonly counterexample: Counterexample
  readonly clause: Clause | StepClause
  /** All hold before the step. */
  readonly assumed: readonly Clause[]
  readonly links: Links
}

/** What is wrong with a counterexample, what it leaves open being drawn; null: nothing. */
export function wrongWith(replay: Replay, random: Random): string | null {
  const { counterexample, links } = replay
  const most = links.order === 'fifo' ? 24 : 1
  let problem: string | null = null
  // It tells neither counters nor which of the messages on different channels is older.
  const open = hasCounters(replay.algorithm) ? DRAWS : most
  const seed = random.below(2 ** 30)
  for (let draw = 0; draw < open; draw++) {
    const completion = new Completion(replay.algorithm, counterexample, random.split(`${seed}`))
    const config = completion.ring(random)
    problem = wrongOn(replay, config, random)
    if (problem === null) return null
  }
  return problem
}

function hasCounters(algorithm: Algorithm): boolean {
  return algorithm.kinds.some((_, kind) =>
    Object.values(bodyDomains(algorithm, kind)).some((domain) => domain.of === 'counts'),
  )
}

/** Decides what a counterexample leaves open. */
class Completion {
  private readonly taken: Set<number>

  constructor(
    private readonly algorithm: Algorithm,
    private readonly counterexample: Counterexample,
    /** Draws the same values of all fields but counters. */
    private readonly random: Random,
  ) {
    const { nodes } = counterexample
    this.taken = new Set(nodes.flatMap(({ id }) => (id === undefined ? [] : [APART * Number(id)])))
  }

  ring(counts: Random): RingConfiguration {
    const { algorithm, counterexample } = this
    const domains = nodeDomains(algorithm)
    const nodes = counterexample.nodes.map((known): State => {
      const id = known.id === undefined ? this.newId() : APART * Number(known.id)
      return { ...algorithm.layout.create(id, {}), ...this.values(domains, known, counts) }
    })
    const messages = counterexample.messages.map(({ word, to, fields }): ConfigurationMessage => {
      const kind = algorithm.kinds.findIndex((one) => one.word === word)
      const from = (fields.from as number | undefined) ?? this.random.below(2)
      return { kind, to, from, body: this.values(bodyDomains(algorithm, kind), fields, counts) }
    })
    return { nodes, messages }
  }

  private values(domains: Readonly<Record<string, Domain>>, known: Values, counts: Random): Values {
    const entries = Object.entries(domains).map(([name, domain]) => [
      name,
      domain.of === 'counts'
        ? counts.below(MOST_COUNT)
        : name in known
          ? scaled(domain, known[name])
          : this.any(domain),
    ])
    return Object.fromEntries(entries)
  }

  private any(domain: Exclude<Domain, { of: 'counts' }>): unknown {
    if (domain.of === 'values') return domain.values[this.random.below(domain.values.length)]
    if (domain.null && this.random.below(3) === 0) return null
    const { nodes } = this.counterexample
    const { id } = nodes[this.random.below(nodes.length)]
    return id !== undefined && this.random.below(2) === 0 ? APART * Number(id) : this.number()
  }

  private newId(): number {
    let id = this.number()
    while (this.taken.has(id)) id = this.number()
    this.taken.add(id)
    return id
  }

  private number(): number {
    return 1 + this.random.below(APART * 8)
  }
}

function scaled(domain: Domain, value: unknown): unknown {
  return domain.of === 'ids' && value !== null ? APART * Number(value) : value
}

function wrongOn(replay: Replay, before: RingConfiguration, random: Random): string | null {
  const { algorithm, counterexample, clause, links } = replay
  const { step, tuple } = counterexample
  const receives = step?.event.event === 'receive'
  const order =
    links.order === 'fifo' ? shuffled(before.messages.length, receives ? 1 : 0, random) : null
  const aged = order === null ? before : inOrder(before, order)
  const at = (number: number) => order?.indexOf(number) ?? number
  for (const assumed of replay.assumed)
    if (!holds(algorithm, assumed, aged)) return 'an assumed clause fails before the step'
  if (step === null) return wrongAtFirst(replay, before)
  if (!receives && step.event.event !== 'wake') return `${step.event.event} is not replayed`
  if (receives && before.messages[0].kind !== (step.event as { kind: number }).kind)
    return 'another message is delivered'
  let done: ConfigurationStep | null
  try {
    done = stepOfFirst(algorithm, before, receives ? { delivered: 0 } : 'wake')
  } catch (error) {
    return step.violation === null ? `the handler throws ${error}` : null
  }
  if (done === null) return 'the step is not possible'
  if (step.violation !== null) return null
  const problem = differentStep(algorithm, step, done)
  if (problem !== null) return problem
  if ('step' in clause)
    return (clause.step as (a: State, b: State) => boolean)(before.nodes[0], done.after)
      ? 'the step does not break the clause'
      : null
  const after: RingConfiguration = {
    nodes: [done.after, ...before.nodes.slice(1)],
    messages: [...aged.messages, ...done.sends],
  }
  const named = tuple.messages.map(({ when, number }) =>
    when === 'sent' ? before.messages.length + number : at(number),
  )
  const gone = receives && !links.duplicates && named.includes(at(0))
  if (gone) return 'the clause fails for a message that is gone'
  return holdsFor(clause, after, named, tuple.nodes) ? 'the clause holds after the step' : null
}

/** Any order, but for those that stay first: a message that is delivered. */
function shuffled(length: number, first: number, random: Random): number[] {
  const order: number[] = []
  for (let i = 0; i < length; i++)
    order.splice(i < first ? i : first + random.below(i - first + 1), 0, i)
  return order
}

function inOrder(
  { nodes, messages }: RingConfiguration,
  order: readonly number[],
): RingConfiguration {
  return { nodes, messages: order.map((i) => messages[i]) }
}

function wrongAtFirst(
  { algorithm, counterexample, clause }: Replay,
  config: RingConfiguration,
): string | null {
  const { nodes } = counterexample
  const first = algorithm.layout.create(0, {})
  for (const known of nodes)
    for (const [name, value] of Object.entries(known))
      if (domainIsFixed(nodeDomains(algorithm)[name]) && first[name] !== value)
        return `${name} does not begin as ${value}`
  return 'step' in clause || holds(algorithm, clause, config) ? 'the clause holds at first' : null
}

function domainIsFixed(domain: Domain | undefined): boolean {
  return domain?.of === 'values' || (domain?.of === 'ids' && domain.null)
}

/** Whether the step does what the counterexample says. */
function differentStep(
  algorithm: Algorithm,
  step: NonNullable<Counterexample['step']>,
  { after, sends }: ConfigurationStep,
): string | null {
  const domains = nodeDomains(algorithm)
  for (const [name, value] of Object.entries(step.after))
    if (name in domains && after[name] !== scaled(domains[name], value))
      return `${name} becomes ${after[name]}, not ${value}`
  if (sends.length !== step.sends.length) return 'it sends more or less'
  for (const [i, { word, to, fields }] of step.sends.entries()) {
    const { kind, to: target, from, body } = sends[i]
    if (algorithm.kinds[kind].word !== word || target !== to || from !== fields.from)
      return 'it sends something else'
    const bodies = bodyDomains(algorithm, kind)
    for (const [name, value] of Object.entries(fields))
      if (name in bodies && body[name] !== scaled(bodies[name], value))
        return `${word}.${name} is ${body[name]}, not ${value}`
  }
  return null
}
