import { momentText } from '../../../src/core/text-format.ts'
import {
  type DescribedEvent,
  type EventNames,
  eventWords,
  fateWordsOf,
  hasOwnSubject,
  messageText,
  sendWords,
  stepSentence,
} from '../../../src/core/trace/event-words.ts'
import { STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { LoggedEvent, RunFacts } from '../recording/run-log.ts'
import { shortNumber, shortRow, messageCaption as shortText } from '../stage/message-text.ts'
import { linkName, nodeName, sentenceStart } from './names.ts'

/** Nodes are named as they are labelled on the stage at this moment. */
function namesIn(frame: RunFrame): EventNames {
  return { node: (node) => nodeName(frame, node), leader: String }
}

/** The last step of a frame as a sentence: what happens to a node, and what it does at once. */
export function describeStep(frame: RunFrame): string {
  const { log, step } = frame
  const [cause, ...effects] = log.eventsOf(step - 1)
  const { kind, node, peer } = cause
  if (kind === 'cut' || kind === 'mend') return linkSentence(frame, kind, node, peer)
  if (kind === 'estimate') return estimateSentence(frame, node)
  const { actions, fates } = effectsOf(frame, effects)
  const silent = effects.length === 0 && kind === 'receive' ? 'nothing changes' : null
  return causeSentence(frame, cause, actions, silent, fates)
}

/** What begins a step, as a clause: `6 receives ok from 7`, `6: timer settled fires`. */
export function causeClause(frame: RunFrame, cause: LoggedEvent): string {
  return causeSentence(frame, cause, [], null).slice(0, -1)
}

function causeSentence(
  frame: RunFrame,
  cause: LoggedEvent,
  actions: readonly string[],
  remark: string | null,
  fates: readonly string[] = [],
): string {
  const subject = sentenceStart(subjectOf(frame, cause))
  const own = { words: wordsOf(frame, cause), ownSubject: hasOwnSubject(described(cause)) }
  return stepSentence(subject, own, actions, remark, fates)
}

/** Cycles have no events of their own: a step is what has become of a node. */
function estimateSentence(frame: RunFrame, node: number): string {
  const estimate = frame.estimate[node]
  const crashed = STATUSES[frame.status[node]] === 'dead'
  const words = crashed
    ? 'has crashed'
    : Number.isFinite(estimate)
      ? `estimates ${shortNumber(estimate)}`
      : 'has no estimate'
  return `${sentenceStart(nodeName(frame, node))} ${words}.`
}

/** A node as it was named before the event: it may recover under another id. */
export function subjectOf(frame: RunFrame, { kind, node }: LoggedEvent): string {
  const former = kind === 'recover' ? frame.log.world.ids?.[node] : undefined
  return former === undefined ? nodeName(frame, node) : String(former)
}

/** A moment of a run: `time 3`, `round 4`. */
export function momentName({ unit }: RunFacts, at: number): string {
  return `${unit} ${momentText(at)}`
}

export function linkSentence(
  frame: RunFrame,
  kind: 'cut' | 'mend',
  node: number,
  peer: number,
): string {
  return `The link ${linkName(frame, node, peer)} is ${kind === 'cut' ? 'cut' : 'restored'}.`
}

/** An event in words, said of its node. */
export function wordsOf(frame: RunFrame, event: LoggedEvent): string {
  const words = eventWords(described(event), namesIn(frame))
  const { kind, node, id } = event
  const renamed = kind === 'recover' && id !== frame.log.world.ids?.[node] && !Number.isNaN(id)
  return renamed ? `${words} as ${id}` : words
}

/** A message in flight by its content and its ends: `election 6 from 7 to 3`. */
export function flightName(frame: RunFrame, flight: number): string {
  const { type, body, node, peer } = frame.log.event(frame.log.sending.at(flight))
  const ends = `from ${nodeName(frame, node)} to ${nodeName(frame, peer)}`
  return `${shortText(type, body)} ${ends}`
}

/** The arrival of a flight: `8 receives election 3 from 5`. */
export function arrivalWords(frame: RunFrame, flight: number): string {
  const { type, body, node, peer } = frame.log.event(frame.log.sending.at(flight))
  const [sender, receiver] = [node, peer].map((end) => nodeName(frame, end))
  return `${receiver} receives ${shortText(type, body)} from ${sender}`
}

/** What a node did, one phrase for the same message to several others. */
function effectsOf(frame: RunFrame, events: readonly LoggedEvent[]) {
  const names = namesIn(frame)
  const actions: string[] = []
  const fates: string[] = []
  const sent = new Map<string, { readonly index: number; readonly to: number[] }>()
  for (const event of events) {
    const { kind, peer } = event
    if (kind === 'lose' || kind === 'double') fates.push(fateWordsOf(kind, names.node(peer, peer)))
    else if (kind !== 'send') actions.push(eventWords(described(event), names))
    else {
      const text = messageText(messageOf(event))
      const same = sent.get(text)
      if (same) same.to.push(peer)
      else sent.set(text, { index: actions.push('') - 1, to: [peer] })
    }
  }
  for (const [text, { index, to }] of sent) {
    const [first] = to
    const others = to.length === 1 ? names.node(first, first) : `${to.length} others`
    actions[index] = sendWords(text, others)
  }
  return { actions, fates }
}

/** A recorded event as the vocabulary takes it. */
export function described(event: LoggedEvent): DescribedEvent {
  const { kind, node, peer, id, type } = event
  const leader = Number.isNaN(id) ? null : id
  const other = { from: peer, to: peer, peer }
  return {
    event: kind,
    node,
    id,
    leader,
    timer: type,
    ...(kind === 'lead' && leader !== null && { term: leader }),
    ...other,
    ...messageOf(event),
  } as DescribedEvent
}

function messageOf({ type, body }: LoggedEvent) {
  return { type, body: body === '' ? {} : JSON.parse(body, shortened) }
}

/** Four digits of a fraction, and the first numbers of a long row. */
function shortened(_: string, value: unknown): unknown {
  return typeof value === 'number' ? shortNumber(value) : shortRow(value)
}
