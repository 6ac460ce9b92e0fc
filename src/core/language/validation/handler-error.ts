import { UsageError } from '../../usage-error.ts'
import type { Algorithm } from '../algorithm.ts'
import type { Link, Office } from '../net.ts'
import { valueInError } from './field-types.ts'

/** Where and when a handler made its mistake. */
export interface HandlerPlace {
  readonly algorithm: string
  /** As the definition calls it: `ELECTION`, `start`, `timeout SILENCE`. */
  readonly handler: string
  /** -1 where it is not about one node. */
  readonly position: number
  readonly id: number | null
  /** In time units, or in rounds; null where the engine has no time. */
  readonly time: number | null
}

/**
 * A mistake of a handler: it does what the definition does not declare, throws, or is not
 * deterministic. The stack is that of the handler; `cause` is what the handler itself threw.
 */
export class HandlerError extends UsageError {
  readonly handler: string
  readonly position: number
  readonly id: number | null
  readonly time: number | null
  /** Whether a value in the state is not of its type: the checker tells how it came to that. */
  readonly wrongValue: boolean

  constructor(
    private readonly place: HandlerPlace,
    problem: string,
    hint = '',
    /** The error at its place, and whether the handler threw it. */
    origin?: {
      readonly error: unknown
      readonly thrown: boolean
      readonly wrongValue?: boolean
    },
  ) {
    super(`${place.algorithm}: ${inWords(place)}`, problem, hint)
    this.name = 'HandlerError'
    this.handler = place.handler
    this.position = place.position
    this.id = place.id
    this.time = place.time
    this.wrongValue = origin?.wrongValue === true
    if (origin?.thrown) this.cause = origin.error
    if (origin?.error instanceof Error) this.takeFrames(origin.error)
  }

  /** Takes over the stack frames of an error that was made at the place of the mistake. */
  takeFrames({ stack }: Error): void {
    const frames = framesOf(stack)
    if (frames !== '') this.stack = `${this.name}: ${this.message}\n${frames}`
  }

  /** The same mistake with a further place in front, such as the run of an experiment. */
  override at(where: string): HandlerError {
    const { place, problem, hint, cause } = this
    const moved = new HandlerError(place, problem, hint, { error: this, thrown: false })
    const message = `${where}: ${problem}${hint && ` ${hint}`}`
    return Object.assign(moved, { where, message }, cause !== undefined && { cause })
  }
}

function inWords({ handler, position, id, time }: HandlerPlace): string {
  const node = id === null ? `position ${position}` : `position ${position} (id ${id})`
  const moment = time === null ? '' : `, time ${time}`
  return position < 0 ? handler : `${handler} at ${node}${moment}`
}

function framesOf(stack: string | undefined): string {
  const lines = (stack ?? '').split('\n')
  const first = lines.findIndex((line) => /^\s+at /.test(line))
  return first < 0 ? '' : lines.slice(first).join('\n')
}

/* What is wrong with a call of the net, said to the author of the handler. */

/** The term of a leader is a natural number; it must be there where the problem has terms. */
export function requireTerm({ name, problem }: Algorithm, office: Office | undefined): void {
  const term = office?.term
  if (Number.isSafeInteger(term) && term! >= 0) return
  const given = `net.lead is called with ${valueInError(office)}`
  throw new UsageError(
    name,
    term !== undefined
      ? `net.lead needs a whole number from 0 as term; ${valueInError(term)} was given.`
      : office === undefined
        ? `the problem "${problem?.name}" needs the term of a leader, but net.lead() has none.`
        : `${given}, but it takes nothing or an object with a term.`,
    'Write for example net.lead({ term: my.term }).',
  )
}

export function unbindable({ name }: Algorithm): UsageError {
  return new UsageError(
    name,
    'net.lead binds leadership to a timer, but the definition does not say that timers measure real time.',
    "Add time: 'clocks' to needs.",
  )
}

export function unknownLink(
  { name }: Algorithm,
  { position, first, degree }: { position: number; first: Link; degree: number },
  link: Link,
): UsageError {
  const some = `its links are ${first} to ${first + degree - 1}`
  return new UsageError(
    name,
    `position ${position} sends over link ${link}, but ${degree === 0 ? 'it has no links' : some}.`,
    'Correct the algorithm.',
  )
}

export function undeclared({ name }: Algorithm, verb: string, list: string): Error {
  return new Error(`${name}: net.${verb} needs one of the "${list}" of the definition`)
}
