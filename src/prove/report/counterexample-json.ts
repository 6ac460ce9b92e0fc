import type { Algorithm } from '../../core/language/algorithm.ts'
import type { Counterexample, PartialRecord } from '../induction.ts'
import { counterexampleText, directionOf, kindWord } from './counterexample-text.ts'

/** A message as data: its type by its name, and what is decided of its fields. */
interface MessageJson {
  readonly type: string
  /** The position of the receiver; null: it goes to all others. */
  readonly to: number | null
  /** On a complete network: the position of the sender. */
  readonly sender?: number
  /** Which way it travels on a ring; null where that is not decided. */
  readonly going: 'left' | 'right' | null
  readonly body: PartialRecord
}

/** A counterexample to induction as data; a field that is left out may have any value. */
export interface CounterexampleJson {
  /** From the one that acts; on a ring going left. Ids are numbered by their order. */
  readonly nodes: readonly PartialRecord[]
  readonly messages: readonly MessageJson[]
  /** Null: the clause fails before any step. */
  readonly step: {
    readonly event: 'wake' | 'receive' | 'timeout' | 'recover'
    readonly after: PartialRecord
    readonly sends: readonly MessageJson[]
    /** What the handler does that it must not; null where it is only the clause that fails. */
    readonly violation: string | null
  } | null
  /** The nodes and messages for which the clause fails; messages are numbered as above. */
  readonly broken: {
    readonly nodes: readonly number[]
    readonly messages: readonly ({ readonly inFlight: number } | { readonly sent: number })[]
  }
  /** The same in sentences. */
  readonly text: readonly string[]
}

export function counterexampleJson(
  algorithm: Algorithm,
  counterexample: Counterexample,
  clause: string,
): CounterexampleJson {
  const { nodes, messages, step, tuple } = counterexample
  const json = (message: Counterexample['messages'][number]): MessageJson => {
    const { from: _, ...body } = message.fields
    const { kind, to, sender } = message
    const going = sender === null ? directionOf(message) : null
    return {
      type: kindWord(algorithm, kind).toLowerCase(),
      to,
      ...(sender !== null && { sender }),
      going,
      body,
    }
  }
  return {
    nodes,
    messages: messages.map(json),
    step: step && {
      event: step.event.event,
      after: step.after,
      sends: step.sends.map(json),
      violation: step.violation,
    },
    broken: {
      nodes: tuple.nodes,
      messages: tuple.messages.map(({ when, number }) =>
        when === 'sent' ? { sent: number } : { inFlight: number },
      ),
    },
    text: counterexampleText(algorithm, counterexample, clause),
  }
}
