import { enumerated } from '../text-format.ts'
import {
  drawWords,
  type EventNames,
  eventWords,
  fateWords,
  hasOwnSubject,
  messageText,
  sendWords,
  stepSentence,
} from './event-words.ts'
import type { TraceEvent } from './trace-event.ts'

/** What a step needs besides its events. */
export interface StepDetails {
  /** The name of the node at the beginning of the sentence. */
  readonly subject: string
  /** The random choices of its handler. */
  readonly draws?: readonly number[]
  /** Further verbs, said of the node. */
  readonly remarks?: readonly string[]
  /** How its own state has changed, in clauses; null where no handler ran. */
  readonly effects: readonly string[] | null
}

const NAMES: EventNames = {
  node: (node) => `position ${node}`,
  leader: (id) => `id ${id}`,
}

/**
 * One step as a sentence: its cause, the random choices, the actions of the node, and then how its
 * own state has changed.
 */
export function stepText(
  [cause, ...events]: readonly TraceEvent[],
  { subject, draws = [], remarks = [], effects }: StepDetails,
): string {
  if (cause.event === 'cut' || cause.event === 'mend') {
    const now = cause.event === 'cut' ? 'cut' : 'restored'
    return cause.oneWay
      ? `The link from position ${cause.node} to position ${cause.to} is ${now} in this direction.`
      : `The link between positions ${cause.node} and ${cause.to} is ${now}.`
  }
  if (cause.event === 'meet') return meetingText(cause, events, subject, effects ?? [])
  const drawn = draws.length > 0 ? [drawWords(draws)] : []
  const actions = [...drawn, ...actionsOf(events), ...remarks]
  const own = { words: eventWords(cause, NAMES), ownSubject: hasOwnSubject(cause) }
  const ignored = cause.event === 'receive' && cause.ignored === true
  const idle = effects?.length === 0 && actions.length === 0 && !ignored
  return stepSentence(subject, own, actions, idle ? 'nothing changes' : null, effects ?? [])
}

/** A meeting: what becomes of both nodes, each in a clause of its own. */
function meetingText(
  cause: Extract<TraceEvent, { event: 'meet' }>,
  events: readonly TraceEvent[],
  subject: string,
  effects: readonly string[],
): string {
  const outcomes = events
    .filter(({ event }) => event !== 'respond')
    .map((event) => `${NAMES.node(event.node, -1)} ${meetingWords(event)}`)
  const clauses = [...outcomes, ...effects]
  const remark = clauses.length === 0 ? ' (nothing changes)' : ''
  return `${[`${subject} ${eventWords(cause, NAMES)}`, ...clauses].join('; ')}${remark}.`
}

/** What becomes of a node in a meeting. */
function meetingWords(event: TraceEvent): string {
  if (event.event === 'follow' && event.leader === null) return 'does not lead any more'
  return eventWords(event, NAMES)
}

/** What a node does, in phrases: the same message to several others is one. */
function actionsOf(events: readonly TraceEvent[]): string[] {
  const phrases: string[] = []
  for (let i = 0; i < events.length; i++) {
    const event = events[i]
    if (event.event === 'lose' || event.event === 'double') {
      phrases.push(`${phrases.pop()}, ${fateWords(event.event)}`)
      continue
    }
    if (event.event !== 'send') {
      phrases.push(eventWords(event, NAMES))
      continue
    }
    const message = messageText(event)
    const to = [event.to]
    for (let next = events[i + 1]; isSameSend(next, message); next = events[++i + 1]) {
      // A message with a fate of its own has a phrase of its own.
      const fate = events[i + 2]?.event
      if (fate === 'lose' || fate === 'double') break
      to.push(next.to)
    }
    phrases.push(sendWords(message, receivers(to)))
  }
  return phrases
}

type Send = Extract<TraceEvent, { event: 'send' }>

function isSameSend(event: TraceEvent | undefined, message: string): event is Send {
  return event?.event === 'send' && messageText(event) === message
}

/** `position 1`, `positions 1 and 2`; on several links to one node `position 1 twice`. */
function receivers(to: readonly number[]): string {
  const [first] = to
  if (to.length === 1) return `position ${first}`
  if (new Set(to).size === to.length) return `positions ${enumerated(to.map(String))}`
  const same = to.every((node) => node === first)
  return same && to.length === 2
    ? `position ${first} twice`
    : enumerated(to.map((node) => `position ${node}`))
}
