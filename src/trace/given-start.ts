import { type Algorithm, UsageError } from '../core/index.ts'
import { linksOf } from '../core/language/topology.ts'
import type { CorruptedMessage, World } from '../core/language/world.ts'
import { quoted } from '../core/text-format.ts'
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
  /** The names of the fields that might have any other value, of each state and each message. */
  readonly undecided: {
    readonly states: readonly (readonly string[])[]
    readonly messages: readonly (readonly string[])[]
  }
}

/** Reads the start in the first line of a trace; `where` names the file and the line. */
export function readStart(start: unknown, where: string): GivenStart {
  const { states, messages, undecided } = isRecord(start) ? start : ({} as ScenarioInput)
  const { states: openStates, messages: openMessages } = isRecord(undecided)
    ? undecided
    : ({} as ScenarioInput)
  if (!Array.isArray(states) || !states.every(isRecord))
    throw unreadable(where, 'states', 'a list of states', states)
  if (!Array.isArray(messages) || !messages.every(isMessage))
    throw unreadable(where, 'messages', 'a list of messages', messages)
  if (!isListOfNames(openStates, states.length) || !isListOfNames(openMessages, messages.length))
    throw unreadable(where, 'undecided', 'names of fields of each state and message', undecided)
  return { states, messages, undecided: { states: openStates, messages: openMessages } }
}

function isMessage(value: unknown): value is GivenMessage {
  if (!isRecord(value)) return false
  const { node, from, link, type, body } = value
  return (
    [node, from, link].every(Number.isSafeInteger) && typeof type === 'string' && isRecord(body)
  )
}

function isListOfNames(value: unknown, length: number): value is string[][] {
  return (
    Array.isArray(value) &&
    value.length === length &&
    value.every((names) => Array.isArray(names) && names.every((name) => typeof name === 'string'))
  )
}

function unreadable(where: string, field: string, expected: string, got: unknown): UsageError {
  return new UsageError(
    `${where}: start.${field}`,
    `expected ${expected}, got ${quoted(got)}.`,
    'Record the trace again.',
  )
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
