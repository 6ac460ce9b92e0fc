import type { Algorithm } from '../core/language/algorithm.ts'
import { LED } from '../core/language/clause.ts'
import type { Message } from '../core/language/message.ts'
import type { ValueType } from '../core/language/value-types.ts'
import { UnmetCondition } from './refusal.ts'
import { FLAG, RING_LINKS, type Sort, sortOf } from './sorts.ts'

/** Most nodes that a proof looks at. */
export const MOST_NODES = 8

/** One cell of a node or a message. */
export interface Field {
  readonly name: string
  readonly sort: Sort
  /** For a set of links: the position of a node that it may name. */
  readonly member?: number
}

/** The fields of nodes and messages, as cells of a configuration. */
export interface Vocabulary {
  readonly algorithm: Algorithm
  readonly topology: 'ring' | 'complete'
  /** The state of a node, the parameters that are words, and for each timer whether it is set. */
  readonly node: readonly Field[]
  /** The fields of each kind of message; the first is the link over which it arrives. */
  readonly messages: readonly (readonly Field[])[]
  /** The names of these kinds, and where they are declared. */
  readonly words: readonly string[]
  /** The most fields that a message has. */
  readonly messageWidth: number
  readonly fifo: boolean
  /** The number of the kind that tells who has led; -1 where leaders have no terms. */
  readonly led: number
}

/** The place of `id` among the fields of a node, of `from` among a message's. */
export const ID = 0
export const FROM = 0

const STATUSES: Sort = { kind: 'finite', values: ['asleep', 'unknown', 'leader', 'lost'] }

export function vocabularyOf(algorithm: Algorithm): Vocabulary {
  const topology = provenTopology(algorithm)
  const fields = (where: string, types: Readonly<Record<string, ValueType<unknown>>>) =>
    Object.entries(types).flatMap(([name, type]) =>
      cellsOf(`${where}.${name}`, name, type, topology),
    )
  const { waiting: _, ...own } = algorithm.layout.own
  const inputs = algorithm.needs.knows?.includes('inputs')
  const node: Field[] = [
    { name: 'id', sort: { kind: 'id', nullable: false } },
    { name: 'status', sort: STATUSES },
    { name: 'leader', sort: { kind: 'id', nullable: true } },
    { name: 'stopped', sort: FLAG },
    ...fields('state', algorithm.defers ? own : algorithm.layout.own),
    ...(inputs ? [{ name: 'value', sort: { kind: 'id', nullable: false } as const }] : []),
    ...Object.entries(algorithm.params).flatMap(([name, { choices }]) =>
      choices ? [{ name, sort: { kind: 'finite', values: choices } as const }] : [],
    ),
    ...algorithm.timers.map(({ word }) => ({ name: timerField(word), sort: FLAG })),
  ]
  const from: Field = { name: 'from', sort: topology === 'ring' ? RING_LINKS : { kind: 'counter' } }
  const kinds = algorithm.kinds.map(({ word, codec }) => [from, ...fields(word, codec.fields)])
  const led = algorithm.problem?.terms ? [[from, ...fields('LED', LED.fields)]] : []
  const messages = [...kinds, ...led]
  return {
    algorithm,
    topology,
    node,
    messages,
    words: [...algorithm.kinds.map(({ word }) => word), 'LED'],
    messageWidth: Math.max(1, ...messages.map(({ length }) => length)),
    fifo: algorithm.needs.order === 'fifo',
    led: led.length > 0 ? kinds.length : -1,
  }
}

/** The networks that a proof about a definition speaks of. */
export function provenTopology({ needs }: Pick<Algorithm, 'needs'>): Vocabulary['topology'] {
  return needs.topology === 'complete' ? 'complete' : 'ring'
}

/** The number of the kind of a message; undefined where the definition does not have it. */
export function kindOf({ algorithm, led }: Vocabulary, { serial }: Message): number | undefined {
  return serial === LED.serial && led >= 0 ? led : algorithm.kindBySerial[serial]
}

/** The name of the field that tells whether a timer is set; no field of a definition has it. */
function timerField(word: string): string {
  return `timer ${word}`
}

/** The fields whose values a proof cannot try. */
export function unprovableFields({ layout, kinds, defers, needs }: Algorithm): UnmetCondition[] {
  const { waiting: _, ...own } = layout.own
  const topology = provenTopology({ needs })
  const records = [
    ['state', defers ? own : layout.own] as const,
    ...kinds.map(({ word, codec }) => [word, codec.fields] as const),
  ]
  return records.flatMap(([where, fields]) =>
    Object.entries(fields).flatMap(([name, type]) =>
      sortOf(type, topology) === null ? [unprovable(`${where}.${name}`, type)] : [],
    ),
  )
}

/** The cell of a field; for a set of links also one for each node that it may name. */
function cellsOf(
  where: string,
  name: string,
  type: ValueType<unknown>,
  topology: Vocabulary['topology'],
): Field[] {
  const sort = sortOf(type, topology)
  if (sort === null) throw unprovable(where, type)
  if (sort.kind !== 'links') return [{ name, sort }]
  const members = Array.from({ length: MOST_NODES }, (_, member) => ({ name, sort: FLAG, member }))
  return [{ name, sort: FLAG, member: -1 }, ...members]
}

function unprovable(where: string, { schema }: ValueType<unknown>): UnmetCondition {
  const collection = /^(list|set|map|vector|bytes|record|pair)/.exec(schema)
  return collection
    ? new UnmetCondition(
        `${where} is a ${collection[1]}.`,
        'Proofs try fields of a few values, ids, counters and terms.',
      )
    : new UnmetCondition(
        `${where} may be any number.`,
        'Use link, below(k), counter or term where it is one: an induction tries all values.',
      )
}
