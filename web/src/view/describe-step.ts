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
import type { LoggedEvent, RunFacts, RunLog } from '../recording/run-log.ts'

const NAMES: EventNames = {
  node: (node) => `position ${node}`,
  leader: (id) => `id ${id}`,
}

/** One step as a sentence: what happens to a node, and what it does at once. */
export function describeStep(log: RunLog, step: number): string {
  const [cause, ...effects] = log.eventsOf(step)
  const { kind, node, peer } = cause
  if (kind === 'cut' || kind === 'mend') return linkSentence(kind, node, peer)
  const { actions, fates } = effectsOf(effects)
  const silent = effects.length === 0 && kind === 'receive' ? 'no visible effect' : null
  const subject = sentenceStart(nodeName(log.world, node))
  const own = { words: wordsOf(cause), ownSubject: hasOwnSubject(described(cause)) }
  return stepSentence(subject, own, actions, silent, fates)
}

/** A node by its position and its id: `position 3 (id 8)`. */
export function nodeName({ ids }: RunFacts, node: number): string {
  return ids === null ? `position ${node}` : `position ${node} (id ${ids[node]})`
}

export function sentenceStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A moment of a run: `time 3`, `round 4`. */
export function momentName({ unit }: RunFacts, at: number): string {
  return `${unit} ${momentText(at)}`
}

export function linkSentence(kind: 'cut' | 'mend', node: number, peer: number): string {
  return `The link between positions ${node} and ${peer} is ${kind === 'cut' ? 'cut' : 'restored'}.`
}

/** An event in words, said of its node. */
export function wordsOf(event: LoggedEvent): string {
  const words = eventWords(described(event), NAMES)
  return event.kind === 'recover' && !Number.isNaN(event.id) ? `${words} as id ${event.id}` : words
}

/** What a node did, one phrase for the same message to several others. */
function effectsOf(events: readonly LoggedEvent[]) {
  const actions: string[] = []
  const fates: string[] = []
  const sent = new Map<string, { readonly index: number; readonly to: number[] }>()
  for (const event of events) {
    const { kind, peer } = event
    if (kind === 'lose' || kind === 'double') fates.push(fateWordsOf(kind, NAMES.node(peer, peer)))
    else if (kind !== 'send') actions.push(eventWords(described(event), NAMES))
    else {
      const text = messageText(messageOf(event))
      const same = sent.get(text)
      if (same) same.to.push(peer)
      else sent.set(text, { index: actions.push('') - 1, to: [peer] })
    }
  }
  for (const [text, { index, to }] of sent) {
    const [first] = to
    const others = to.length === 1 ? NAMES.node(first, first) : `${to.length} others`
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

/** Four digits of a fraction are enough to read. */
function shortened(_: string, value: unknown): unknown {
  return typeof value === 'number' ? shortNumber(value) : value
}

export function shortNumber(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(4))
}
