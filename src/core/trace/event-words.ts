import { counted, enumerated } from '../text-format.ts'
import type { TraceEvent } from './trace-event.ts'

/*
 * Events in words. Verbs and message texts are here, once for the transcript, the counterexample
 * and the lab. How a node is named, and how a line or sentence is put together, differs: each of
 * the three has its own frame.
 */

type WithoutNumbers<E> = E extends TraceEvent ? Omit<E, 'at' | 'link' | 'message'> : never

/** An event, as far as its words need it. */
export type DescribedEvent = WithoutNumbers<TraceEvent>

/** How the other nodes of an event are named. */
export interface EventNames {
  /** A node that the event at `self` is about; it may be that node itself. */
  node(node: number, self: number): string
  leader(id: number): string
}

type MessageLike = Pick<Extract<TraceEvent, { event: 'send' }>, 'type' | 'body'>

/** A message as a call: `probe(id 8, distance 2)`. */
export function messageText({ type, body }: MessageLike): string {
  const fields = Object.entries(body).map(([name, value]) => `${name} ${valueText(value)}`)
  return fields.length > 0 ? `${type}(${fields.join(', ')})` : type
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What happens, said of the node to which it happens: a verb, or a clause with its own subject. */
export function eventWords(event: DescribedEvent, names: EventNames): string {
  const { node } = event
  switch (event.event) {
    case 'wake':
      return 'wakes'
    case 'meet':
      return `meets ${names.node(event.to, node)}`
    case 'respond':
      return `responds to ${names.node(event.from, node)}`
    case 'send':
      return sendWords(messageText(event), names.node(event.to, node))
    case 'receive': {
      const verb = event.ignored
        ? 'has stopped and ignores'
        : event.woken
          ? 'is woken by'
          : 'receives'
      return `${verb} ${messageText(event)} from ${names.node(event.from, node)}`
    }
    case 'vanish':
      return `has crashed, so ${messageText(event)} from ${names.node(event.from, node)} is lost`
    case 'timeout':
      return `timer ${event.timer} fires${latenessWords(event.late)}`
    case 'lead':
      return event.term === undefined ? 'becomes leader' : `becomes leader in term ${event.term}`
    case 'follow':
      if (event.leader === null) return 'follows a leader without a name'
      return `follows ${names.leader(event.leader)}`
    case 'stop':
      return 'stops'
    case 'withdraw':
      return 'no longer has a leader'
    case 'crash':
      return 'crashes'
    case 'recover':
      return event.amnesia ? 'recovers without its memory' : 'recovers'
    case 'expire':
      return 'the time of its leadership is over'
    case 'pause':
      return 'pauses'
    case 'resume':
      return 'goes on'
    case 'retire':
      return 'retires'
    case 'down':
      return `is notified that ${names.node(event.peer, node)} is down`
    case 'up':
      return `is notified that ${names.node(event.peer, node)} is up`
    case 'cut':
    case 'mend': {
      const link = event.oneWay ? 'one way of its link' : 'its link'
      const now = event.event === 'cut' ? 'cut' : 'restored'
      return `${link} to ${names.node(event.to, node)} is ${now}`
    }
    case 'lose':
    case 'double': {
      const to = names.node(event.to, node)
      return `its message ${messageText(event)} to ${to} is ${FATES[event.event]}`
    }
  }
}

function latenessWords(late = 0): string {
  if (!late) return ''
  return ` ${counted(Math.abs(late), 'unit')} ${late > 0 ? 'late' : 'early'}`
}

const FATES = { lose: 'lost', double: 'duplicated' } as const
const OWN_SUBJECT: readonly string[] = ['timeout', 'expire', 'cut', 'mend', 'lose', 'double']

/** Whether the words of an event have a subject of their own, such as a timer that fires. */
export function hasOwnSubject({ event }: DescribedEvent): boolean {
  return OWN_SUBJECT.includes(event)
}

/** The same message to several nodes is one phrase. */
export function sendWords(message: string, to: string): string {
  return `sends ${message} to ${to}`
}

/** What becomes of a message in the moment of its sending, said directly after the sending. */
export function fateWords(event: 'lose' | 'double'): string {
  return `which is ${FATES[event]}`
}

/** The same where one of several equal messages is meant. */
export function fateWordsOf(event: 'lose' | 'double', to: string): string {
  return `its message to ${to} is ${FATES[event]}`
}

/** What the random choices of a handler came to. */
export function drawWords(draws: readonly number[]): string {
  return `draws ${draws.join(', ')}`
}

/**
 * A step as a sentence: its cause, what the node then does, and what follows from it: what happens
 * to its messages, or how its state has changed. A remark stands in brackets at the end.
 */
export function stepSentence(
  subject: string,
  cause: { readonly words: string; readonly ownSubject: boolean },
  actions: readonly string[],
  remark: string | null,
  consequences: readonly string[] = [],
): string {
  const { words, ownSubject } = cause
  const clauses = ownSubject
    ? [`${subject}: ${words}`, ...(actions.length > 0 ? [`it ${enumerated(actions)}`] : [])]
    : [`${subject} ${enumerated([words, ...actions])}`]
  return `${[...clauses, ...consequences].join('; ')}${remark === null ? '' : ` (${remark})`}.`
}
