import type { Algorithm, MessageKind } from '../../language/algorithm.ts'
import type { Message, Timer } from '../../language/message.ts'
import { type Link, left, type Office, right } from '../../language/net.ts'
import { valueInError } from '../../language/validation/field-types.ts'
import { HandlerError, type HandlerPlace } from '../../language/validation/handler-error.ts'
import { grouped } from '../../text-format.ts'
import { UsageError } from '../../usage-error.ts'
import type { Driver } from '../driver.ts'
import type { AnyBody } from '../message-codec.ts'
import type { State } from '../state.ts'
import {
  callText,
  type ExecutionRecord,
  type NetCall,
  type SealedHandler,
  sameArgument,
} from './execution-record.ts'
import {
  type NetAction,
  type NetCalls,
  type Question,
  type Sending,
  sealedNet,
  type VoteCount,
} from './sealed-net.ts'
import type { StateFields, StateHolder } from './state-view.ts'
import { Violation } from './violation.ts'

/** A handler that sends more than this, and than 100 messages per link, is taken for endless. */
const MOST_SENDS = 1_000_000
const MOST_SENDS_PER_LINK = 100
/** An event with more calls of the net is not repeated. */
const MOST_RECORDED = 100_000

/** Thrown out of a repeated execution that does something else than the first. */
class Divergence extends Error {}

/** In place of the state and the net when a handler has returned, as callbacks would use them. */
const GONE = new Proxy(
  {},
  {
    get: refuseLateUse,
    set: refuseLateUse,
  },
)

function refuseLateUse(): never {
  throw new Violation(
    'my or net is used after the handler has returned.',
    'Use neither setTimeout nor promises. To wait, set a timer: net.after(delay, TIMER).',
  )
}

/** The execution of a handler between a sealed state and a sealed net; reused for other events. */
export class Execution implements NetCalls, StateHolder {
  raw!: State
  private driver!: Driver
  private handler!: SealedHandler
  private sent = 0
  private mostSends = 0
  private recorded: NetCall[] | null = null
  private replayed: ExecutionRecord | null = null
  private position = 0
  traced: string | null = null
  private touched: Error | null = null
  /** What the engine threw; the handler is not to blame for it. */
  private engineError: unknown
  private readonly my: object
  private readonly net: object

  private readonly knowsIncarnation: boolean

  constructor(
    private readonly algorithm: Algorithm,
    private readonly fields: StateFields,
  ) {
    this.knowsIncarnation = algorithm.needs.knows?.includes('incarnation') === true
    this.my = fields.view(this)
    this.net = sealedNet(this, algorithm)
  }

  /** Executes an event; with `record` all that is needed to repeat it is returned. */
  run(
    handler: SealedHandler,
    raw: State,
    driver: Driver,
    given: unknown,
    record: boolean,
  ): ExecutionRecord | null {
    this.raw = raw
    this.driver = driver
    this.handler = handler
    this.sent = 0
    this.mostSends = Math.max(MOST_SENDS, MOST_SENDS_PER_LINK * driver.degree)
    this.replayed = null
    this.engineError = undefined
    const recording = record ? this.recordingOf(given) : null
    this.recorded = recording?.calls ?? null
    try {
      refusePromise(handler.call(this.my, handler.argument(given), this.net))
      this.fields.settle(raw)
    } catch (error) {
      const told = this.explained(error)
      if (error instanceof Violation && error.field !== null && this.recorded !== null)
        throw placed(told as HandlerError, this.lastUse(recording!, error.field))
      throw told
    } finally {
      this.retire()
    }
    if (recording === null || this.recorded === null) return null
    recording.after = this.fields.copy(raw)
    return recording
  }

  /** Executes a recorded event again, without any effect; throws where it does something else. */
  repeat(recording: ExecutionRecord): void {
    const { handler, calls, place } = recording
    let difference: string | null = null
    let origin: unknown
    try {
      this.replay(recording)
      if (this.position < calls.length)
        difference = `${callText(calls[this.position])} and nothing more`
      const found = difference === null ? this.fields.difference(recording.after, this.raw) : null
      if (found !== null) {
        difference = found.text
        origin = this.lastUse(recording, found.field)
      }
    } catch (error) {
      origin = error
      difference =
        error instanceof Divergence ? error.message : `the second one threw ${thrown(error)}`
    }
    this.retire()
    if (difference === null) return
    const error = new HandlerError(
      place,
      `the handler ${handler.name} is not deterministic: two executions on equal states differ (${difference}).`,
      'Handlers must depend only on my, the message and net: no Math.random, Date.now or variables outside of the state.',
    )
    throw placed(error, origin)
  }

  /** Without a state and a driver: what a callback does later is refused. */
  private retire(): void {
    this.replayed = null
    this.raw = GONE as State
    this.driver = GONE as Driver
  }

  private replay(recording: ExecutionRecord): void {
    const { handler, before, given } = recording
    this.raw = this.fields.copy(before)
    this.replayed = recording
    this.recorded = null
    this.position = 0
    handler.call(this.my, handler.argument(given), this.net)
  }

  /** An error where the handler last used a field, which may be where it spoiled it. */
  private lastUse(recording: ExecutionRecord, field: string): Error | null {
    this.traced = field
    this.touched = null
    try {
      this.replay(recording)
    } catch {
      // What the handler did before is of interest all the same.
    }
    this.traced = null
    return this.touched
  }

  touch(): void {
    this.touched = new Error('used here')
  }

  get from(): Link {
    return this.replayed === null ? this.driver.from : this.replayed.from
  }

  get initiator(): boolean {
    return this.replayed === null ? this.driver.initiator : this.replayed.initiator
  }

  get n(): number {
    return this.replayed === null ? this.driver.n : this.replayed.n
  }

  get degree(): number {
    return this.replayed === null ? this.driver.degree : this.replayed.degree
  }

  get incarnation(): string {
    return this.replayed === null ? this.driver.incarnation : this.replayed.incarnation
  }

  /** A constant of every node. */
  get diameter(): number {
    return this.raw.diameter as number
  }

  get links(): readonly Link[] {
    return this.replayed === null ? frozen(this.driver.links) : this.replayed.links
  }

  get onward(): Link {
    return this.from === left ? right : left
  }

  hasLink(link: Link): boolean {
    // A repeated call is compared with the first one, which was checked.
    return this.replayed !== null || this.driver.hasLink(link)
  }

  ask(question: Question, argument?: number | VoteCount): unknown {
    if (this.replayed !== null) return this.compared(question, argument, undefined, null).answer
    let answer: unknown
    try {
      answer =
        question === 'majority'
          ? this.driver.majority((argument as VoteCount).links, (argument as VoteCount).own)
          : this.driver[question](argument as number)
    } catch (error) {
      this.engineError = error
      throw error
    }
    this.record({
      name: question,
      argument,
      subject: undefined,
      body: null,
      answer,
      outcome: null,
    })
    return answer
  }

  act(action: NetAction, argument?: unknown, timer?: Timer): void {
    if (this.replayed !== null) {
      const { outcome } = this.compared(action, argument, timer, null)
      if (outcome !== null) Object.assign(this.raw, outcome)
      return
    }
    const { driver, raw } = this
    try {
      if (action === 'after') driver.after(argument as number, timer as Timer)
      else if (action === 'cancel') driver.cancel(timer as Timer)
      else if (action === 'lead') driver.lead(argument as Office | undefined)
      else if (action === 'follow') driver.follow(argument as number | null)
      else driver[action]()
    } catch (error) {
      this.engineError = error
      throw error
    }
    if (this.recorded === null) return
    const { status, leader, stopped } = raw
    const id = raw.id === undefined ? {} : { id: raw.id }
    this.record({
      name: action,
      argument,
      subject: timer,
      body: null,
      answer: undefined,
      outcome: { status, leader, stopped, ...id },
    })
  }

  send(how: Sending, link: Link, kind: MessageKind, message: Message, body: AnyBody): void {
    if (this.replayed !== null) {
      this.compared(how, link, kind, body)
      return
    }
    const { driver } = this
    this.sent += how === 'send' ? 1 : driver.degree
    if (this.sent > this.mostSends)
      throw new Violation(
        `it has sent more than ${grouped(this.mostSends)} messages and has not returned.`,
        'Does its loop never end?',
      )
    if (this.recorded !== null)
      this.record({
        name: how,
        argument: link,
        subject: kind,
        answer: undefined,
        outcome: null,
        body: kind.codec.copy(body),
      })
    try {
      if (how === 'send') driver.send(link, message, body)
      else driver[how](message, body)
    } catch (error) {
      this.engineError = error
      throw error
    }
  }

  private record(call: NetCall): void {
    if (this.recorded === null) return
    if (this.recorded.length === MOST_RECORDED) this.recorded = null
    else this.recorded.push(call)
  }

  /** The call of the first execution that this one must be equal to. */
  private compared(
    name: NetCall['name'],
    argument: unknown,
    subject: unknown,
    body: AnyBody | null,
  ): NetCall {
    const first = this.replayed!.calls[this.position++]
    const call = { name, argument, subject, body, answer: undefined, outcome: null }
    if (first === undefined) throw new Divergence(`nothing more and ${callText(call)}`)
    const same =
      first.name === name &&
      sameArgument(first.argument, argument) &&
      first.subject === subject &&
      (body === null || (subject as MessageKind).codec.equal(first.body!, body))
    if (!same) throw new Divergence(`${callText(first)} and ${callText(call)}`)
    return first
  }

  private recordingOf(given: unknown): ExecutionRecord {
    const { driver, raw, handler } = this
    return {
      handler,
      given,
      calls: [],
      place: this.place,
      before: this.fields.copy(raw),
      after: raw,
      from: driver.from,
      initiator: driver.initiator,
      n: driver.n,
      degree: driver.degree,
      links: frozen(driver.links),
      incarnation: this.knowsIncarnation ? driver.incarnation : '',
    }
  }

  private get place(): HandlerPlace {
    const { driver, raw, handler, algorithm } = this
    return {
      algorithm: algorithm.name,
      handler: handler.name,
      id: raw.id ?? null,
      position: driver.position,
      time: driver.time,
    }
  }

  private explained(error: unknown): unknown {
    if (error instanceof HandlerError) return error
    if (error instanceof Violation || error instanceof UsageError) {
      const wrongValue = error instanceof Violation && error.wrongValue
      const origin = { error, thrown: false, wrongValue }
      return new HandlerError(this.place, error.problem, error.hint, origin)
    }
    if (error !== undefined && error === this.engineError) return error
    const origin = { error, thrown: true }
    return new HandlerError(this.place, `it threw ${thrown(error)}.`, hintFor(error), origin)
  }
}

/** The same error with the stack of another one, which shows the line in the handler. */
function placed(error: HandlerError, origin: unknown): HandlerError {
  if (origin instanceof Error) error.takeFrames(origin)
  return error
}

function refusePromise(returned: unknown): void {
  if (typeof (returned as { then?: unknown } | undefined)?.then !== 'function') return
  // Its failure would end the process long after the handler.
  Promise.resolve(returned).catch(() => {})
  throw new Violation(
    'it returns a promise, but nothing waits for it.',
    'Remove async and await. To wait, set a timer: net.after(delay, TIMER).',
  )
}

/** Engines share their lists of links between nodes, and a handler must not change them. */
function frozen(links: readonly Link[]): readonly Link[] {
  const known = frozenLinks.get(links) ?? Object.freeze([...links])
  frozenLinks.set(links, known)
  return known
}

const frozenLinks = new WeakMap<readonly Link[], readonly Link[]>()

function thrown(error: unknown): string {
  if (!(error instanceof Error) || typeof error.message !== 'string') return valueInError(error)
  return JSON.stringify(error.message.replace(/\s+/g, ' '))
}

/** What helps against errors of the language itself. */
function hintFor(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { message } = error
  if (/Cannot delete property/.test(message)) return 'Assign a starting value instead.'
  if (/read only property|only a getter|not extensible/.test(message))
    return 'What a handler is given cannot be changed: make a copy.'
  if (/Maximum call stack/.test(message)) return 'Does it call itself without end?'
  return ''
}
