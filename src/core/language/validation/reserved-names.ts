import { UsageError } from '../../usage-error.ts'
import type { Message } from '../message.ts'
import type { Fields } from '../value-types.ts'

/** The part of a definition that decides which names are taken. */
interface Naming {
  readonly name: string
  readonly needs: {
    readonly topology: string
    readonly knows?: readonly string[]
    readonly time?: string
  }
  readonly state: Fields
  readonly messages: Readonly<Record<string, Message>>
  readonly params?: Readonly<Record<string, unknown>>
  readonly defers?: true
  readonly byAttribute?: unknown
}

/** The fields of every node. */
const OUTCOME = ['id', 'status', 'leader', 'stopped'] as const
/** The record view of a node needs this one. */
const VIEW = ['node'] as const
/** The input of a node, with `knows: ['inputs']`. */
const INPUTS = ['value', 'chosen'] as const
/** Ring elections that restart after a crash have these fields, too. */
const RESTART = ['attempt', 'begun', 'waiting'] as const
/** Engines keep these with `time: 'clocks'`, and with `knows: ['incarnation']`. */
const BOUND = ['leadsBound', 'openTerm'] as const
const INCARNATION = ['restarts'] as const
/** A parameter of every node with `knows: ['diameter']`. */
const DIAMETER = ['diameter'] as const
const RESTART_REASON = 'a ring election that starts again needs it'

type RestartNames<N> = N extends { topology: 'ring' }
  ? N extends { time: string }
    ? never
    : N extends { knows: readonly (infer K)[] }
      ? 'n' extends K
        ? never
        : (typeof RESTART)[number]
      : (typeof RESTART)[number]
  : never

type InputNames<N> = N extends { knows: readonly (infer K)[] }
  ? 'inputs' extends K
    ? (typeof INPUTS)[number]
    : never
  : never

type BoundNames<N> = N extends { time: 'clocks' } ? (typeof BOUND)[number] : never

type IncarnationNames<N> = N extends { knows: readonly (infer K)[] }
  ? 'incarnation' extends K
    ? (typeof INCARNATION)[number]
    : never
  : never

type DiameterNames<N> = N extends { knows: readonly (infer K)[] }
  ? 'diameter' extends K
    ? (typeof DIAMETER)[number]
    : never
  : never

/** Untyped parameters have no known names. */
type ParamNames<P> = string extends keyof P ? never : keyof P

type Reserved<N, P> =
  | (typeof OUTCOME)[number]
  | (typeof VIEW)[number]
  | RestartNames<N>
  | InputNames<N>
  | BoundNames<N>
  | IncarnationNames<N>
  | DiameterNames<N>
  | ParamNames<P>

/** The fields of a state; fields with reserved names get a type that no value has. */
export type Unreserved<S, N, P> = {
  readonly [K in keyof S]: K extends Reserved<N, P>
    ? `The name ${K & string} is reserved. Choose another name for this field.`
    : unknown
}

/** Refuses names of state fields, parameters and message fields that the engines use themselves. */
export function refuseReserved(definition: Naming): void {
  const { name, needs, state, messages, params = {}, defers, byAttribute } = definition
  const { topology, knows = [], time } = needs
  const restarts = topology === 'ring' && !knows.includes('n') && time === undefined
  const reasons: [reason: string, names: readonly string[]][] = [
    ['every node has a field of that name', OUTCOME],
    ['it is the position of the node', VIEW],
    ['it is an input of the node', knows.includes('inputs') ? INPUTS : []],
    ['bound leadership needs it', time === 'clocks' ? BOUND : []],
    ['incarnations need it', knows.includes('incarnation') ? INCARNATION : []],
    ['it is the diameter that nodes know', knows.includes('diameter') ? DIAMETER : []],
    [RESTART_REASON, restarts ? RESTART : []],
    ['deferred messages are kept there', defers ? ['waiting'] : []],
    ['it marks nodes that start by themselves', byAttribute === 'initiators' ? ['initiator'] : []],
  ]
  const refuse = (
    part: string,
    fields: object,
    reasons: readonly [string, readonly string[]][],
  ) => {
    for (const [reason, names] of reasons) {
      const taken = Object.keys(fields).find((field) => names.includes(field))
      if (taken !== undefined) throw reserved(`${name}: ${part}`, taken, reason)
    }
  }
  refuse('params', params, reasons)
  refuse('state', state, [...reasons, ['a parameter has that name', Object.keys(params)]])
  const [numbered] = restarts
    ? Object.entries(messages).filter(([, { fields }]) => 'attempt' in fields)
    : []
  if (numbered !== undefined)
    throw reserved(`${name}: messages: ${numbered[0]}`, 'attempt', RESTART_REASON)
}

function reserved(where: string, field: string, reason: string): UsageError {
  return new UsageError(
    where,
    `The name ${JSON.stringify(field)} is reserved: ${reason}.`,
    'Choose another name.',
  )
}
