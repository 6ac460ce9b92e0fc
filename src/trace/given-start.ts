import { type ModelOptions, ModelWalk, type TransitionJson } from '../check/index.ts'
import { type Algorithm, type Property, UsageError } from '../core/index.ts'
import { linksOf } from '../core/language/topology.ts'
import type { CorruptedMessage, World } from '../core/language/world.ts'
import { quoted } from '../core/text-format.ts'
import type { CounterexampleJson } from '../prove/report/counterexample-json.ts'
import type { ScenarioInput } from '../scenario/index.ts'
import { isRecord } from './check-options-text.ts'

type Values = Readonly<Record<string, unknown>>

/** A message in flight, with the names that moves have for a message that is received. */
export interface GivenMessage {
  /** The receiver, the sender, and the link of the receiver between them. */
  readonly node: number
  readonly from: number
  readonly link: number
  readonly type: string
  readonly body: Values
}

/**
 * Where a run begins that does not begin in the initial state: the fields of all nodes beside their
 * ids, and what is in flight, in the order of sending.
 */
export interface GivenStart {
  readonly states: readonly Values[]
  readonly messages: readonly GivenMessage[]
}

/** A counterexample to induction in a trace: its configuration, and as a proof tells it. */
export interface TracedInduction {
  readonly start: GivenStart
  /** What it leaves out may have any value; `start` has one. */
  readonly cti: CounterexampleJson
}

/** Reads both from the first line of a trace; `where` names the file and the line. */
export function readInduction(start: unknown, cti: unknown, where: string): TracedInduction {
  const { states, messages } = isRecord(start) ? start : ({} as ScenarioInput)
  if (!Array.isArray(states) || !states.every(isRecord))
    throw unreadable(`${where}: start.states`, 'a list of states', states)
  if (!Array.isArray(messages) || !messages.every(isMessage))
    throw unreadable(`${where}: start.messages`, 'a list of messages', messages)
  if (!isCounterexample(cti, states.length, messages.length))
    throw unreadable(`${where}: cti`, 'a counterexample to induction with the same start', cti)
  return { start: { states, messages }, cti }
}

function isMessage(value: unknown): value is GivenMessage {
  if (!isRecord(value)) return false
  const { node, from, link, type, body } = value
  return (
    [node, from, link].every(Number.isSafeInteger) && typeof type === 'string' && isRecord(body)
  )
}

function isCounterexample(
  value: unknown,
  nodes: number,
  messages: number,
): value is CounterexampleJson {
  if (!isRecord(value)) return false
  const { step, broken, text } = value
  const isStep =
    step === null ||
    (isRecord(step) && isRecord(step.after) && isList(step.sends, isToldMessage, null))
  const isNamed = (one: unknown) =>
    isRecord(one) && Number.isSafeInteger('inFlight' in one ? one.inFlight : one.sent)
  return (
    value.topology === 'ring' &&
    isList(value.nodes, isRecord, nodes) &&
    isList(value.messages, isToldMessage, messages) &&
    isStep &&
    isRecord(broken) &&
    isList(broken.nodes, Number.isSafeInteger, null) &&
    isList(broken.messages, isNamed, null) &&
    isList(text, (line) => typeof line === 'string', null)
  )
}

function isToldMessage(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.type === 'string' &&
    Number.isSafeInteger(value.to) &&
    isRecord(value.body)
  )
}

function isList(value: unknown, has: (one: unknown) => boolean, length: number | null): boolean {
  return Array.isArray(value) && value.every(has) && value.length === (length ?? value.length)
}

function unreadable(where: string, expected: string, got: unknown): UsageError {
  return new UsageError(
    where,
    `expected ${expected}, got ${quoted(got)}.`,
    'Record the trace again.',
  )
}

/** Refuses a start with other values than the counterexample tells. */
export function refuseOtherStart({ start, cti }: TracedInduction, where: string): void {
  const agree =
    cti.nodes.every((known, node) => agrees(start.states[node], known)) &&
    cti.messages.every(({ type, to, body }, i) => {
      const message = start.messages[i]
      return message.type === type && message.node === to && agrees(message.body, body)
    })
  if (!agree) throw unfit(where, 'it has other values than the counterexample')
}

/** Whether no value differs; what only one of them has does not matter. */
export function agrees(values: Values, known: Values): boolean {
  return Object.entries(known).every(([name, value]) => !(name in values) || values[name] === value)
}

/** The world with this start; an error where the algorithm has no such states or messages. */
export function startedWorld(world: World, start: GivenStart, where: string): World {
  const { algorithm, topology } = world
  const { states, messages } = start
  if (states.length !== topology.n)
    throw unfit(where, `there are ${states.length} states, but ${topology.n} nodes`)
  const { id: _, ...fields } = algorithm.layout.all
  for (const [node, state] of states.entries())
    refuseUnfit(where, `the state of position ${node}`, fields, state)
  const inFlight = messages.map((message) => corruptedMessage(message, world, where))
  return { ...world, corrupted: { fields: states, messages: inFlight } }
}

function corruptedMessage(
  { node, from, link, type, body }: GivenMessage,
  { algorithm, topology }: World,
  where: string,
): CorruptedMessage {
  const kind = algorithm.kinds.findIndex(({ name }) => name === type)
  if (kind < 0) throw unfit(where, `there are no messages ${quoted(type)}`)
  if (!isLink(topology, node, link) || topology.neighbor(node, link) !== from)
    throw unfit(where, `no link ${link} leads from position ${node} to position ${from}`)
  refuseUnfit(where, `the message ${type}`, algorithm.kinds[kind].codec.fields, body)
  return { node: from, link: topology.back(node, link), kind, body }
}

function isLink(topology: World['topology'], node: number, link: number): boolean {
  return node >= 0 && node < topology.n && linksOf(topology, node).includes(link)
}

/** Every field has a value, of its type. */
function refuseUnfit(
  where: string,
  what: string,
  types: Algorithm['layout']['all'],
  values: Values,
): void {
  const strange = Object.keys(values).find((name) => !(name in types))
  if (strange !== undefined) throw unfit(where, `${what} has a field ${quoted(strange)}`)
  for (const [name, type] of Object.entries(types)) {
    const problem = type.check(values[name], name)
    if (problem !== null) throw unfit(where, `${what} does not fit: ${problem}`)
  }
}

function unfit(where: string, problem: string): UsageError {
  return new UsageError(
    `${where}: start`,
    `${problem}.`,
    'The algorithm or the file has changed. Create the trace again.',
  )
}

/** The state of the node at position 0, which takes the step, after these moves. */
export function actingState(
  world: World,
  rules: ModelOptions,
  moves: readonly TransitionJson[],
): Values {
  let last: Values = {}
  const noting: Property = {
    name: 'noted',
    when: 'always',
    broken({ state }) {
      last = { ...state(0) }
      return null
    },
  }
  new ModelWalk(world, rules, [noting]).goTo(moves)
  return last
}
