import { type ModelOptions, ModelWalk, type WalkedPath } from '../check/index.ts'
import type { Algorithm, Property } from '../core/index.ts'
import { left, right } from '../core/language/net.ts'
import type { World } from '../core/language/world.ts'
import { propertyNamed } from '../prove/report/clause-property.ts'
import type { CounterexampleJson } from '../prove/report/counterexample-json.ts'
import { sequences } from '../prove/structures/structures.ts'
import { checkTargetOf, type Explorable } from '../scenario/check-target.ts'
import {
  actingState,
  agrees,
  type GivenMessage,
  startedWorld,
  type TracedInduction,
} from './given-start.ts'
import { traceHead } from './trace-file.ts'

type Values = Readonly<Record<string, unknown>>
type Types = Algorithm['layout']['all']

/** A counterexample to induction, and what it is about. */
export interface BrokenInduction {
  /** The clause that it breaks. */
  readonly clause: string
  readonly cti: CounterexampleJson
  readonly order: 'any' | 'fifo'
  /** The clauses and properties that hold before the step. */
  readonly assumed: readonly string[]
}

/** So many numbers are tried for each counter. */
const COUNTS = 4

/**
 * A counterexample to induction as the text of a trace, or why there is none. What it leaves open
 * gets a value; with it the engine of the checker takes the step, and must find what the proof has
 * found.
 */
export function inductionTrace(
  what: Explorable,
  broken: BrokenInduction,
): { readonly text: string } | { readonly problem: string } {
  const { cti, order, clause } = broken
  const algorithm = what.definition as Algorithm
  const problem = beyondTraces(cti, algorithm)
  if (problem !== null) return { problem }
  const ids = idsOf(cti)
  const given = {
    algorithm: algorithm.name,
    topology: `ring:${ids.length}`,
    ids,
    order,
    set: settingsOf(cti, algorithm),
    'allow-weaker': true,
  }
  const { scenario, world, properties } = checkTargetOf(what, given, (field) => field)
  const rules: ModelOptions = { mode: 'untimed', order, wake: 'any' }
  const goals = properties(false)
  const judged = [clause, ...broken.assumed].flatMap(
    (name) => propertyNamed(name, algorithm, goals) ?? [],
  )
  for (const induction of inductions(cti, world, order)) {
    const run = takenStep(startedWorld(world, induction.start, 'start'), rules, judged, broken)
    if (run === null) continue
    const explored = { rules, property: clause, moves: run.transitions, induction }
    const lines = [traceHead(scenario, explored), ...run.events.map((it) => JSON.stringify(it))]
    return { text: `${lines.join('\n')}\n` }
  }
  return { problem: 'no values of counters were found with which the step can be executed' }
}

/** What a trace does not tell. */
function beyondTraces({ topology, step }: CounterexampleJson, { timers, needs }: Algorithm) {
  if (topology !== 'ring')
    return 'the counterexample does not have all nodes of a majority, and cannot be executed'
  if (step?.violation != null) return 'a handler that goes wrong has no events'
  if (timers.length > 0 || needs.knows?.includes('inputs'))
    return 'a trace does not tell which timers are set and what inputs nodes have at the beginning'
  return null
}

/** The ids of all nodes; one that is open gets a new one. */
function idsOf({ nodes, messages }: CounterexampleJson): number[] {
  const values = [...nodes, ...messages.map(({ body }) => body)].flatMap(Object.values)
  let next = Math.max(0, ...values.filter((value) => typeof value === 'number'))
  return nodes.map(({ id }) => (typeof id === 'number' ? id : ++next))
}

/** Parameters that are words, as the acting node has them. */
function settingsOf({ nodes: [acting] }: CounterexampleJson, { params }: Algorithm): Values {
  return Object.fromEntries(Object.entries(acting).filter(([name]) => name in params))
}

/** All starts that differ in counters and, on FIFO links, in the order of messages. */
function* inductions(
  cti: CounterexampleJson,
  world: World,
  order: 'any' | 'fifo',
): Iterable<TracedInduction> {
  const { kinds, layout } = world.algorithm
  const { id: _, ...fields } = layout.all
  const types = (type: string) => kinds.find(({ name }) => name === type)!.codec.fields
  const [delivered] = cti.messages
  const counters = [
    ...counterNames(fields).map((name) => ({ of: 'node', name })),
    ...counterNames(delivered === undefined ? {} : types(delivered.type)).map((name) => ({
      of: 'message',
      name,
    })),
  ]
  for (const counts of sequences(counters.length, COUNTS)) {
    const chosen = (of: string) =>
      Object.fromEntries(
        counters.flatMap((one, i) => (one.of === of ? [[one.name, counts[i]]] : [])),
      )
    const states = cti.nodes.map((known, node) =>
      completed(fields, { ...known, ...(node === 0 && chosen('node')) }, () => 0),
    )
    const messages = cti.messages.map((message, i) => {
      const { type, to, body: known, going } = message
      const link = going === 'right' ? left : right
      const given = i === 0 ? { ...known, ...chosen('message') } : known
      const body = completed(types(type), given, () => world.ids[to])
      return { node: to, from: world.topology.neighbor(to, link), link, type, body }
    })
    for (const sequence of orders(messages.length)) {
      const start = { states, messages: sequence.map((i) => messages[i]) }
      yield { start, cti: inOrder(cti, sequence) }
      if (order === 'any') break
    }
  }
}

/** The same with its messages in another order. */
function inOrder(cti: CounterexampleJson, sequence: readonly number[]): CounterexampleJson {
  const messages = cti.broken.messages.map((one) =>
    'inFlight' in one ? { inFlight: sequence.indexOf(one.inFlight) } : one,
  )
  return {
    ...cti,
    messages: sequence.map((i) => cti.messages[i]),
    broken: { ...cti.broken, messages },
  }
}

function counterNames(types: Types): string[] {
  return Object.keys(types).filter((name) => types[name].sort === 'counter')
}

/** All fields in the order of their types: as they are known, or as they are at the beginning. */
function completed(types: Types, known: Values, id: () => number): Values {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      name,
      name in known ? known[name] : type.schema === 'uid' ? id() : type.start(),
    ]),
  )
}

/** All orders of so many messages, of which the first one is delivered; as they are given first. */
function orders(length: number): number[][] {
  return [...sequences(length, length)].filter(
    (order) => new Set(order).size === length && (length === 0 || order[0] === 0),
  )
}

/** The run of one step that breaks the clause and does what is said; null: there is none. */
function takenStep(
  world: World,
  rules: ModelOptions,
  judged: readonly Property[],
  { clause, cti }: BrokenInduction,
): WalkedPath | null {
  const walk = new ModelWalk(world, rules, judged)
  const before = walk.goTo([])
  const { step, messages } = cti
  const breaks = ({ violated }: WalkedPath, after: number) =>
    violated?.property === clause && violated.after === after
  if (step === null) return breaks(before, 0) ? before : null
  if (before.violated !== null) return null
  const [delivered] = messages
  for (const move of before.next) {
    if (move.node !== 0 || move.event !== step.event) continue
    if (move.event === 'receive' && !isDelivered(move, delivered)) continue
    const run = walk.goTo([move])
    const after = actingState(world, rules, [move])
    const [{ sends }] = run.trace
    const sent = sends.map(({ to, type, body }) => ({ to, type, body }))
    if (
      breaks(run, 1) &&
      agrees(after, step.after) &&
      sent.length === step.sends.length &&
      sent.every((one, i) => isSent(one, step.sends[i]))
    )
      return run
  }
  return null
}

type Sent = Pick<GivenMessage, 'type' | 'body'>

function isDelivered(move: Values, { type, body }: Sent): boolean {
  return move.type === type && agrees(move.body as Values, body)
}

function isSent(
  { to, type, body }: Sent & { readonly to: number },
  said: CounterexampleJson['messages'][number],
): boolean {
  return to === said.to && type === said.type && agrees(body, said.body)
}
