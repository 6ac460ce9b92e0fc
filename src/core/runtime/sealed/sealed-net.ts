import type { Algorithm, MessageKind } from '../../language/algorithm.ts'
import type { Message, Timer } from '../../language/message.ts'
import type { Link, Office, RandomDelay } from '../../language/net.ts'
import { valueInError } from '../../language/validation/field-types.ts'
import { uid } from '../../language/value-types.ts'
import type { AnyBody } from '../message-codec.ts'
import { unknownMembers, Violation } from './violation.ts'

/** Questions that a net answers. */
export type Question =
  | 'peer'
  | 'up'
  | 'weight'
  | 'along'
  | 'places'
  | 'choose'
  | 'random'
  | 'chance'
  | 'pick'
  | 'moment'
  | 'majority'

/** The argument of `net.majority`. */
export interface VoteCount {
  readonly links: readonly Link[]
  readonly own: boolean
}

/** Actions other than sending. */
export type NetAction = 'after' | 'cancel' | 'lead' | 'follow' | 'withdraw' | 'stop' | 'defer'

export type Sending = 'send' | 'sendAll' | 'sendOthers'

/** What carries out the calls of a net whose arguments have been checked. */
export interface NetCalls {
  readonly from: Link
  readonly initiator: boolean
  readonly n: number
  readonly degree: number
  readonly links: readonly Link[]
  readonly onward: Link
  hasLink(link: Link): boolean
  readonly incarnation: string
  readonly diameter: number
  ask(question: Question, argument?: number | VoteCount): unknown
  act(action: NetAction, argument?: unknown, timer?: Timer): void
  send(how: Sending, link: Link, kind: MessageKind, message: Message, body: AnyBody): void
}

/** What has to be declared for a member of the net. */
const DECLARED_BY: Readonly<Record<string, string>> = {
  onward: "topology: 'ring' in needs",
  n: "knows: ['n'] to needs",
  peer: "knows: ['peers'] to needs",
  up: "knows: ['liveness'] to needs",
  weight: "knows: ['weights'] to needs",
  majority: "knows: ['voters'] to needs",
  incarnation: "knows: ['incarnation'] to needs",
  diameter: "knows: ['diameter'] to needs",
  along: "knows: ['direction'] to needs",
  places: "knows: ['direction'] to needs",
  choose: 'coins: true to needs',
  random: 'coins: true to needs',
  chance: 'coins: true to needs',
  pick: 'coins: true to needs',
  moment: 'coins: true to needs',
  defer: 'defers: true to the definition',
}

/** Makes a net that has only what the definition declares, and that checks all arguments. */
export function sealedNet(calls: NetCalls, algorithm: Algorithm): object {
  const { needs, defers, meet } = algorithm
  const checks = new ArgumentChecks(calls, algorithm)
  const parts: object[] = [meet === null ? actions(calls, checks) : meetingPart(calls, checks)]
  const { knows = [] } = needs
  if (needs.topology === 'ring' && meet === null) parts.push(ringPart(calls))
  if (needs.coins === true) parts.push(coinPart(calls, checks))
  if (knows.includes('n')) parts.push(sizePart(calls))
  if (knows.includes('peers')) parts.push({ peer: about(calls, checks, 'peer') })
  if (knows.includes('liveness')) parts.push({ up: about(calls, checks, 'up') })
  if (knows.includes('weights')) parts.push({ weight: about(calls, checks, 'weight') })
  if (knows.includes('voters')) parts.push(votersPart(calls, checks))
  if (knows.includes('incarnation')) parts.push(incarnationPart(calls))
  if (knows.includes('diameter')) parts.push(diameterPart(calls))
  if (knows.includes('direction') && needs.topology !== 'hypercube')
    parts.push(directionPart(calls, checks))
  if (defers) parts.push({ defer: () => calls.act('defer') })
  const members = Object.assign({}, ...parts.map((part) => Object.getOwnPropertyDescriptors(part)))
  const remedy = (name: string) =>
    Object.hasOwn(DECLARED_BY, name) && (meet === null || !(name in MESSAGES_ONLY))
      ? {
          problem: `net.${name} is not available: the definition does not declare it.`,
          hint:
            cycleless(name, needs) ??
            `${name === 'onward' ? 'Write' : 'Add'} ${DECLARED_BY[name]}.`,
          exists: true,
        }
      : {
          problem: `net.${name} does not exist.`,
          hint: `The net has ${Object.keys(members).join(', ')}.`,
        }
  const prototype = unknownMembers('net', Object.keys(members), remedy)
  return Object.freeze(Object.create(prototype, members))
}

/** Where link numbers are coordinates there is no cycle to go along. */
function cycleless(name: string, { topology }: Algorithm['needs']): string | null {
  if (topology !== 'hypercube' || (name !== 'along' && name !== 'places')) return null
  return 'On a hypercube link b leads across coordinate b: use the number of the link.'
}

/** What no node can do that meets others. */
const MESSAGES_ONLY = { onward: true, peer: true, up: true, weight: true, defer: true, pick: true }

/** The net of nodes that meet: they decide about themselves, and know nothing of the network. */
function meetingPart(calls: NetCalls, checks: ArgumentChecks): object {
  const members = Object.getOwnPropertyDescriptors(actions(calls, checks))
  const { lead, follow, withdraw } = members as Record<string, PropertyDescriptor>
  const initiator = { get: () => calls.initiator, enumerable: true }
  return Object.defineProperties({}, { initiator, lead, follow, withdraw })
}

function actions(calls: NetCalls, checks: ArgumentChecks): object {
  const sending =
    (how: 'sendAll' | 'sendOthers') =>
    (message: Message, body: AnyBody): void => {
      const kind = checks.kind(message, `net.${how}`)
      calls.send(how, -1, kind, message, checks.body(kind, body))
    }
  return {
    get from() {
      return calls.from
    },
    get links() {
      return calls.links
    },
    get degree() {
      return calls.degree
    },
    send(link: Link, message: Message, body: AnyBody): void {
      checks.link(link, 'net.send')
      const kind = checks.kind(message, 'net.send')
      calls.send('send', link, kind, message, checks.body(kind, body))
    },
    sendAll: sending('sendAll'),
    sendOthers: sending('sendOthers'),
    after(delay: number | RandomDelay, timer: Timer): void {
      checks.delay(delay)
      checks.timer(timer, 'net.after')
      calls.act('after', delay, timer)
    },
    cancel(timer: Timer): void {
      checks.timer(timer, 'net.cancel')
      calls.act('cancel', undefined, timer)
    },
    lead(office?: Office): void {
      // The driver checks the rest.
      if (office?.while !== undefined) checks.timer(office.while, 'net.lead')
      calls.act('lead', office)
    },
    follow(leader: unknown): void {
      checks.leader(leader)
      calls.act('follow', leader)
    },
    withdraw: () => calls.act('withdraw'),
    stop: () => calls.act('stop'),
  }
}

function ringPart(calls: NetCalls): object {
  return {
    get onward() {
      return calls.onward
    },
  }
}

function sizePart(calls: NetCalls): object {
  return {
    get n() {
      return calls.n
    },
  }
}

function votersPart(calls: NetCalls, checks: ArgumentChecks): object {
  return {
    majority(links: Iterable<Link>, own: boolean) {
      return calls.ask('majority', checks.votes(links, own))
    },
  }
}

function incarnationPart(calls: NetCalls): object {
  return {
    get incarnation() {
      return calls.incarnation
    },
  }
}

function diameterPart(calls: NetCalls): object {
  return {
    get diameter() {
      return calls.diameter
    },
  }
}

function coinPart(calls: NetCalls, checks: ArgumentChecks): object {
  return {
    choose(k: number) {
      checks.choices(k)
      return calls.ask('choose', k)
    },
    random: () => calls.ask('random'),
    chance(p: number) {
      checks.probability(p)
      return calls.ask('chance', p)
    },
    pick: () => calls.ask('pick'),
    moment(span: number) {
      checks.number('net.moment', span)
      return calls.ask('moment', span)
    },
  }
}

function directionPart(calls: NetCalls, checks: ArgumentChecks): object {
  return {
    along(places: number) {
      checks.number('net.along', places)
      return calls.ask('along', places)
    },
    places: about(calls, checks, 'places'),
  }
}

function about(calls: NetCalls, checks: ArgumentChecks, question: Question) {
  return (link: Link) => {
    checks.link(link, `net.${question}`)
    return calls.ask(question, link)
  }
}

/** Refuses arguments of the net that are not what the definition declares. */
class ArgumentChecks {
  private readonly words: string

  constructor(
    private readonly calls: NetCalls,
    private readonly algorithm: Algorithm,
  ) {
    this.words = algorithm.kinds.map(({ word }) => word).join(', ')
  }

  link(link: unknown, call: string): void {
    if (typeof link !== 'number')
      throw new Violation(
        `the first argument of ${call} is ${valueInError(link)}, but it must be the number of a link.`,
        call === 'net.send' ? 'Write net.send(link, MESSAGE, { ... }).' : `Write ${call}(link).`,
      )
    if (this.calls.hasLink(link)) return
    const { links } = this.calls
    const range = links.length === 0 ? 'no links' : `links ${links[0]} to ${links.at(-1)}`
    throw new Violation(
      `${call} is called with link ${link}, but this node has ${range}.`,
      link === -1
        ? 'net.from is -1 here: no message is being handled.'
        : this.algorithm.needs.topology === 'ring'
          ? 'Use left, right, net.from or net.onward.'
          : 'Use net.from or one of net.links.',
    )
  }

  kind(message: unknown, call: string): MessageKind {
    const { serial } = (message ?? {}) as Partial<Message>
    const index = this.algorithm.kindBySerial[serial as number]
    const given = message as Message
    if (index !== undefined && typeof given.fields === 'object') return this.algorithm.kinds[index]
    if (typeof serial === 'number')
      throw new Violation(
        `${call} is called with a message that the definition does not declare.`,
        `Add it to messages: { ${this.words} }.`,
      )
    throw new Violation(
      `${call} is called with ${valueInError(message)}, but a message is needed.`,
      `Use one of the messages of the definition: ${this.words}.`,
    )
  }

  body({ word, codec }: MessageKind, body: unknown): AnyBody {
    const { entries } = codec
    const example = entries.length === 0 ? '{}' : `{ ${entries.map(([name]) => name).join(', ')} }`
    if (body === undefined && entries.length === 0) return {}
    if (typeof body !== 'object' || body === null)
      throw new Violation(
        body === undefined
          ? `${word} is sent without a body.`
          : `${word} is sent with ${valueInError(body)} as its body.`,
        `Its fields are ${example}.`,
      )
    for (const [name, type] of entries) {
      if (!(name in body))
        throw new Violation(`${word} is sent without its field ${name}.`, `Write ${example}.`)
      const problem = type.check((body as AnyBody)[name], name)
      if (problem !== null)
        throw new Violation(
          `${word} is sent with a wrong value: ${problem}.`,
          'Correct the value, or the type in message({ ... }).',
        )
    }
    // The state, or a body that was received, may be sent for the sake of some of its fields.
    if (Object.getPrototypeOf(body) !== Object.prototype) return body as AnyBody
    for (const name of Object.keys(body))
      if (!Object.hasOwn(codec.fields, name))
        throw new Violation(
          `${word} is sent with a field ${name} that it does not have.`,
          'Add it to message({ ... }), or remove it.',
        )
    return body as AnyBody
  }

  timer(timer: unknown, call: string): void {
    const { serial, fields } = (timer ?? {}) as Partial<Message>
    if (typeof serial !== 'number' || fields !== undefined)
      throw new Violation(
        `${call} is called with ${fields === undefined ? valueInError(timer) : 'a message'}, but a timer is needed.`,
        'Declare it with timer(), and write net.after(delay, TIMER).',
      )
    if (this.algorithm.timerBySerial[serial] === undefined)
      throw new Violation(
        `${call} is called with a timer that the definition does not declare.`,
        'Add it to timers, with a handler in timeout.',
      )
  }

  delay(delay: unknown): void {
    // The driver checks random delays.
    if (typeof delay === 'object' && delay !== null) return
    if (!(typeof delay === 'number' && delay >= 0))
      throw new Violation(
        `net.after is called with the delay ${valueInError(delay)}.`,
        'A delay is a number, 0 or more.',
      )
  }

  leader(leader: unknown): void {
    if (leader === null) return
    const problem = uid.check(leader, 'the argument of net.follow')
    if (problem !== null)
      throw new Violation(`${problem}, or null.`, 'Write net.follow(id) with the id of the leader.')
    if (this.algorithm.needs.ids === undefined)
      throw new Violation(
        `net.follow is called with ${leader}, but the nodes are anonymous.`,
        'Write net.follow(null).',
      )
  }

  votes(links: unknown, own: unknown): VoteCount {
    const list =
      typeof links === 'object' && links !== null && Symbol.iterator in links
        ? [...(links as Iterable<Link>)]
        : null
    if (list === null || typeof own !== 'boolean')
      throw new Violation(
        `net.majority is called with ${valueInError(links)} and ${valueInError(own)}.`,
        'Write net.majority(links, own): a set or list of links, and true if this node votes, too.',
      )
    for (const link of list) this.link(link, 'net.majority')
    return { links: list, own }
  }

  choices(k: unknown): void {
    if (!(Number.isSafeInteger(k) && (k as number) > 0))
      throw new Violation(
        `net.choose(k) is called with ${valueInError(k)}.`,
        'k is a whole number, 1 or more: the outcomes are 0 to k - 1.',
      )
  }

  probability(p: unknown): void {
    if (!(typeof p === 'number' && p >= 0 && p <= 1))
      throw new Violation(
        `net.chance(p) is called with ${valueInError(p)}.`,
        'p is a probability, from 0 to 1.',
      )
  }

  number(call: string, argument: unknown): void {
    if (!(typeof argument === 'number' && argument >= 0))
      throw new Violation(
        `${call} is called with ${valueInError(argument)}.`,
        'Its argument is a number, 0 or more.',
      )
  }
}
