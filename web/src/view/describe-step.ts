import { messageText, momentText } from '../../../src/diagram/caption.ts'
import type { LoggedEvent, RunFacts, RunLog } from '../recording/run-log.ts'

/** One step as a sentence: what happens to a node, and what it does at once. */
export function describeStep(log: RunLog, step: number): string {
  const [cause, ...deeds] = log.eventsOf(step)
  const accident = accidentOf(cause)
  if (accident !== null) return accident
  const parts = [causeOf(cause), ...deedsOf(deeds)]
  if (deeds.length === 0 && cause.kind === 'receive') parts.push('sends nothing')
  return `${sentenceStart(nodeName(log.world, cause.node))} ${joined(parts)}.`
}

/** A node as people speak of it: by its position and its id. */
export function nodeName({ ids }: RunFacts, node: number): string {
  return ids === null ? `position ${node}` : `position ${node} with id ${ids[node]}`
}

export function sentenceStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A moment of a run: `time 3`, `round 4`. */
export function momentName({ unit }: RunFacts, at: number): string {
  return `${unit} ${momentText(at)}`
}

/** So many of something: `1 message`, `1,000 messages`. */
export function several(count: number, what: string): string {
  return `${momentText(count)} ${what}${count === 1 ? '' : 's'}`
}

/** `a, b and c` */
export function joined(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join()
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** What the network does by itself, as a whole sentence; null where a node does something. */
function accidentOf(event: LoggedEvent): string | null {
  const { kind, node, peer } = event
  switch (kind) {
    case 'vanish':
      return `Position ${node} is dead: ${letter(event)} from position ${peer} is gone.`
    case 'cut':
      return `The link between positions ${node} and ${peer} is cut.`
    case 'mend':
      return `The link between positions ${node} and ${peer} is back.`
    default:
      return null
  }
}

function causeOf(event: LoggedEvent): string {
  const { kind, peer, id, type } = event
  switch (kind) {
    case 'wake':
      return 'wakes'
    case 'receive':
      return `gets ${letter(event)} from position ${peer}`
    case 'timeout':
      return `hears its timer ${type}`
    case 'crash':
      return 'crashes'
    case 'recover':
      return Number.isNaN(id) ? 'is up again' : `is up again as id ${id}`
    case 'retire':
      return 'steps down for good'
    case 'down':
      return `is told that position ${peer} is gone`
    case 'up':
      return `is told that position ${peer} is back`
    default:
      return deedOf(event)
  }
}

/** What a node did, the same message to several others told once. */
function deedsOf(events: readonly LoggedEvent[]): string[] {
  const parts: string[] = []
  const sent = new Map<string, { readonly place: number; readonly to: number[] }>()
  for (const event of events) {
    if (event.kind !== 'send') {
      parts.push(deedOf(event))
      continue
    }
    const words = letter(event)
    const same = sent.get(words)
    if (same) same.to.push(event.peer)
    else sent.set(words, { place: parts.push('') - 1, to: [event.peer] })
  }
  for (const [words, { place, to }] of sent) {
    const whom = to.length === 1 ? `position ${to[0]}` : `${to.length} others`
    parts[place] = `sends ${words} to ${whom}`
  }
  return parts
}

function deedOf(event: LoggedEvent): string {
  const { kind, id, peer } = event
  switch (kind) {
    case 'send':
      return `sends ${letter(event)} to position ${peer}`
    case 'lose':
      return `loses what it sends to position ${peer}`
    case 'double':
      return `sees what it sends to position ${peer} doubled`
    case 'lead':
      return 'takes office'
    case 'follow':
      return Number.isNaN(id) ? 'follows a leader without a name' : `follows id ${id}`
    case 'withdraw':
      return 'has no leader any more'
    default:
      return 'stops'
  }
}

function letter({ type, body }: LoggedEvent): string {
  return messageText({ type, body: body === '' ? {} : JSON.parse(body, shortened) })
}

/** Nobody reads more digits of a fraction. */
function shortened(_: string, value: unknown): unknown {
  return typeof value === 'number' ? shortNumber(value) : value
}

export function shortNumber(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(4))
}
