import type { Algorithm } from '../core/language/algorithm.ts'
import type { MessageKind } from '../core/language/kinds.ts'
import type { ValueType } from '../core/language/value-types.ts'
import { Refusal } from './refusal.ts'
import { FLAG, type Sort, sortOf } from './sorts.ts'

export interface Field {
  readonly name: string
  readonly sort: Sort
}

/** The fields of nodes and messages, as cells of a configuration. */
export interface Vocabulary {
  readonly algorithm: Algorithm
  /** The state of a node, the parameters that are words, and for each timer whether it is set. */
  readonly node: readonly Field[]
  /** The fields of each kind of message; the first is the link over which it arrives. */
  readonly messages: readonly (readonly Field[])[]
  /** The most fields that a message has. */
  readonly messageWidth: number
  readonly fifo: boolean
}

/** The place of `id` and of `status` among the fields of a node, of `from` among a message's. */
export const ID = 0
export const STATUS = 1
export const FROM = 0

const STATUSES: Sort = { kind: 'finite', values: ['asleep', 'unknown', 'leader', 'lost'] }

export function vocabularyOf(algorithm: Algorithm): Vocabulary {
  const own = Object.entries(algorithm.layout.own)
  const node: Field[] = [
    { name: 'id', sort: { kind: 'id', nullable: false } },
    { name: 'status', sort: STATUSES },
    { name: 'leader', sort: { kind: 'id', nullable: true } },
    { name: 'stopped', sort: FLAG },
    ...own
      .filter(([name]) => !(algorithm.defers && name === 'waiting'))
      .map(([name, type]) => field(`state.${name}`, name, type)),
    ...Object.entries(algorithm.params).flatMap(([name, { choices }]) =>
      choices ? [{ name, sort: { kind: 'finite', values: choices } as const }] : [],
    ),
    ...algorithm.timers.map(({ word }) => ({ name: timerField(word), sort: FLAG })),
  ]
  const messages = algorithm.kinds.map((kind) => messageFields(kind))
  return {
    ...{ algorithm, node, messages },
    messageWidth: Math.max(1, ...messages.map(({ length }) => length)),
    fifo: algorithm.needs.order === 'fifo',
  }
}

/** The name of the field that tells whether a timer is set; no field of a definition has it. */
export function timerField(word: string): string {
  return `timer ${word}`
}

const LINKS: Sort = { kind: 'finite', values: [0, 1] }

function messageFields({ word, codec }: MessageKind): Field[] {
  const body = codec.entries.map(([name, type]) => field(`${word}.${name}`, name, type))
  return [{ name: 'from', sort: LINKS }, ...body]
}

/** The fields whose values a proof cannot try. */
export function unprovableFields({ layout, kinds, defers }: Algorithm): Refusal[] {
  const own = Object.entries(layout.own).filter(([name]) => !(defers && name === 'waiting'))
  const fields = [
    ...own.map(([name, type]) => [`state.${name}`, type] as const),
    ...kinds.flatMap(({ word, codec }) =>
      codec.entries.map(([name, type]) => [`${word}.${name}`, type] as const),
    ),
  ]
  return fields.flatMap(([where, type]) => (sortOf(type) === null ? [unprovable(where, type)] : []))
}

function field(where: string, name: string, type: ValueType<unknown>): Field {
  const sort = sortOf(type)
  if (sort === null) throw unprovable(where, type)
  return { name, sort }
}

function unprovable(where: string, type: ValueType<unknown>): Refusal {
  const list = /^(list|set|map|vector|bytes|record|pair)/.exec(type.schema)
  return list
    ? new Refusal(
        `${where} is a ${list[1]}.`,
        'Proofs try fields of a few values, ids and counters.',
      )
    : new Refusal(
        `${where} may be any number.`,
        'Use link, below(k) or counter where it is one: an induction tries all values.',
      )
}
