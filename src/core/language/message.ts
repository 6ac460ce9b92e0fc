import type { Fields, Values } from './value-types.ts'

/**
 * A kind of message that nodes send. The serial number finds its place in each algorithm that uses
 * it, so that two definitions may share a message; it never shows in a result.
 */
export interface Message<F extends Fields = Fields> {
  readonly serial: number
  readonly fields: F
}

export type Body<M> = M extends Message<infer F> ? Values<F> : never

let messagesMade = 0

export function message<F extends Fields>(fields: F): Message<F> {
  return { serial: messagesMade++, fields }
}

/** An alarm clock of a node: set with `net.after`, at most one of each kind at a time. */
export interface Timer {
  readonly serial: number
}

let timersMade = 0

export function timer(): Timer {
  return { serial: timersMade++ }
}
