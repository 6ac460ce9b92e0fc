import type { Algorithm } from '../../core/language/algorithm.ts'
import type { InductionCounterexample, MessageRecord, PartialRecord } from '../induction.ts'
import { counterexampleText, directionOf } from './counterexample-text.ts'

/** A message as data: its type by its name, and what is decided of its fields. */
interface MessageJson {
  readonly type: string
  readonly to: number
  /** Only on complete networks. */
  readonly sender?: number
  /** Which way it travels; null where that is not decided. */
  readonly going: 'left' | 'right' | null
  readonly body: PartialRecord
}

/** A counterexample to induction as data; a field that is left out may have any value. */
export interface CounterexampleJson {
  readonly topology: InductionCounterexample['topology']
  /** On a ring, going left from the one that acts. Ids are numbered by their order. */
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
  counterexample: InductionCounterexample,
  clause: string,
): CounterexampleJson {
  const { nodes, messages, step, tuple } = counterexample
  const json = (message: MessageRecord): MessageJson => {
    const { from: _, ...body } = message.fields
    const { word, to, sender } = message
    return {
      type: word.toLowerCase(),
      to,
      going: directionOf(message),
      ...(sender !== null && { sender }),
      body,
    }
  }
  return {
    topology: counterexample.topology,
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
      messages: tuple.messages.map((named) =>
        named.when === 'before' ? { inFlight: named.number } : { sent: named.number },
      ),
    },
    text: counterexampleText(algorithm, counterexample, clause),
  }
}
