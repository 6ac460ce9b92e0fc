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
