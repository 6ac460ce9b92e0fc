import type { AnyBody, MessageCodec } from '../runtime/message-codec.ts'
import type { State } from '../runtime/state.ts'
import type { EventContext, Seen, ShownId } from './display.ts'
import { requireFields } from './validation/field-types.ts'
import type { Fields, Values } from './value-types.ts'

/**
 * A message type. Algorithms look it up by its serial number, so that two definitions may share a
 * message; the number never appears in a result.
 */
export interface Message<F extends Fields = Fields> {
  readonly serial: number
  readonly fields: F
}

/** The fields of a message, as its handler gets them. */
export type Body<M> = M extends Message<infer F> ? Values<F> : never

let messagesMade = 0

/** Declares a type of message with the fields of its body. */
export function message<F extends Fields>(fields: F): Message<F> {
  requireFields('message', fields, 'message({ id: uid })')
  return { serial: messagesMade++, fields }
}

/** A timer of a node, set with `net.after`; at most one of each kind is set at a time. */
export interface Timer {
  readonly serial: number
}

let timersMade = 0

/** Declares a timer, which `net.after` arms. */
export function timer(): Timer {
  return { serial: timersMade++ }
}

export type MessageHandler = (my: State, body: AnyBody, net: unknown) => void
export type Action = (my: State, net: unknown) => void

/** One message kind of one algorithm. */
export interface MessageKind<M extends string = string> {
  readonly index: number
  /** In lower case, as in results. */
  readonly name: M
  /** As the definition has it. */
  readonly word: string
  readonly announces: boolean
  readonly codec: MessageCodec
  readonly handle: MessageHandler
  /* For pictures and texts; engines use none of them. */
  /** Why the handler does what it does. */
  readonly reason:
    | ((my: State, body: AnyBody, name: ShownId, around: EventContext) => string | null)
    | null
  /** The field that decides. */
  readonly decides: string | null
  readonly seen:
    | ((my: State, body: AnyBody, seen: Seen, around: EventContext) => Seen | null)
    | null
}

export interface TimerKind {
  readonly index: number
  readonly name: string
  readonly word: string
  readonly fire: Action
  readonly reason: ((my: State, name: ShownId, around: EventContext) => string | null) | null
  readonly seen: ((my: State, seen: Seen, around: EventContext) => Seen | null) | null
}

/** The parts of a definition that kinds are made of. */
interface HandlersByWord {
  readonly announcement?: string
  readonly on: object
  readonly timeout?: object
  readonly reasons?: object
  readonly display?: { readonly decides?: object; readonly seen?: object }
}

type ByWord<T> = Readonly<Record<string, T | undefined>>

export function messageKinds<M extends string>(
  messages: readonly (readonly [string, Message])[],
  codecs: readonly MessageCodec[],
  { announcement, on, reasons, display }: HandlersByWord,
): MessageKind<M>[] {
  return messages.map(([word], index) => ({
    index,
    name: word.toLowerCase() as M,
    word,
    announces: word === announcement,
    codec: codecs[index],
    handle: (on as Readonly<Record<string, MessageHandler>>)[word],
    reason: (reasons as ByWord<MessageKind['reason']>)?.[word] ?? null,
    decides: (display?.decides as ByWord<string>)?.[word] ?? null,
    seen: (display?.seen as ByWord<MessageKind['seen']>)?.[word] ?? null,
  }))
}

export function timerKinds(
  timers: readonly (readonly [string, Timer])[],
  { timeout, reasons, display }: HandlersByWord,
): TimerKind[] {
  return timers.map(([word], index) => ({
    index,
    name: word.toLowerCase(),
    word,
    fire: (timeout as Readonly<Record<string, Action>>)[word],
    reason: (reasons as ByWord<TimerKind['reason']>)?.[word] ?? null,
    seen: (display?.seen as ByWord<TimerKind['seen']>)?.[word] ?? null,
  }))
}

/** The place of each message or timer of a definition, by its serial number. */
export function indexBySerial(tokens: [string, { serial: number }][]): (number | undefined)[] {
  const table: (number | undefined)[] = []
  for (const [index, [, { serial }]] of tokens.entries()) {
    while (table.length <= serial) table.push(undefined)
    table[serial] = index
  }
  return table
}
