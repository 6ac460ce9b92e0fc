import type { MessageKind } from '../../language/algorithm.ts'
import type { Link } from '../../language/net.ts'
import type { HandlerPlace } from '../../language/validation/handler-error.ts'
import type { AnyBody } from '../message-codec.ts'
import type { State } from '../state.ts'
import type { NetAction, Question, Sending } from './sealed-net.ts'

/** A handler of a definition, in one form for messages, timers, notices and starts. */
export interface SealedHandler {
  /** As the definition calls it: `ELECTION`, `timeout SILENCE`. */
  readonly name: string
  /** What the handler gets beside `my` and `net`, made of what the engine gives. */
  argument(given: unknown): unknown
  call(my: object, argument: unknown, net: object): unknown
}

/** A call of the net, with its answer. */
export interface NetCall {
  readonly name: Question | NetAction | Sending
  readonly argument: unknown
  readonly subject: unknown
  readonly body: AnyBody | null
  readonly answer: unknown
  /** The outcome after a call that may change it. */
  readonly outcome: Pick<State, 'status' | 'leader' | 'stopped' | 'id'> | null
}

/** One event at a node, with all that is needed to execute it again. */
export interface ExecutionRecord {
  readonly handler: SealedHandler
  readonly place: HandlerPlace
  readonly before: State
  readonly given: unknown
  readonly from: Link
  readonly initiator: boolean
  readonly n: number
  readonly degree: number
  readonly incarnation: string
  readonly links: readonly Link[]
  readonly calls: NetCall[]
  after: State
}

/** Random delays and terms are small objects. */
export function sameArgument(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object') return false
  return JSON.stringify(one) === JSON.stringify(other)
}

/** A call as the definition has it: `net.send(0, ELECTION, {"id":3})`. */
export function callText({ name, argument, subject, body }: NetCall): string {
  const kind = subject as MessageKind | undefined
  const fields = body === null ? '' : JSON.stringify(kind!.codec.json(body))
  if (name === 'send') return `net.send(${argument}, ${kind!.word}, ${fields})`
  if (name === 'sendAll' || name === 'sendOthers') return `net.${name}(${kind!.word}, ${fields})`
  const given = argument === undefined ? '' : JSON.stringify(argument)
  return `net.${name}(${given})`
}
