import type { RunResult } from '../../../src/sim/index.ts'
import { KINDS, type Kind, numberOf, STATUSES } from '../engine/events.ts'
import type { Frame } from '../engine/frame.ts'
import type { RunLog } from '../engine/run-log.ts'
import { joined, momentName, nodeName, sentenceStart, several, tellStep } from './telling.ts'

/** One sentence on where a run stands. */
export interface Telling {
  readonly text: string
  /** Something is wrong. */
  readonly grave: boolean
  /** Worth reading to the end, even while the play goes on. */
  readonly notable: boolean
}

/** What is told rather than the coming and going of messages, the most important first. */
const NOTABLE: readonly Kind[] = ['lead', 'crash', 'recover', 'retire', 'withdraw', 'cut', 'mend']
const RANKS = KINDS.map((kind) => NOTABLE.indexOf(kind))
/** More steps of one moment than this are not looked through. */
const LOOKED_AT = 2000
const RECEIVE = numberOf('receive')
const SEND = numberOf('send')
const LEADER = STATUSES.indexOf('leader')

/** What is to be seen after so many steps: the end, a violation, an office taken, messages. */
export function tellMoment(frame: Frame, result: RunResult | null): Telling {
  const { log, step } = frame
  if (step === 0) return plain(opening(log))
  const violation = log.violations.find((broken) => broken.step === step)
  if (violation) return grave(`Violated: ${violation.property}. ${sentenceOf(violation.detail)}`)
  if (step === log.steps && result !== null) return closing(frame, result)
  const first = firstOfMoment(log, step)
  const event = mostNotable(log, first, step)
  if (event !== null) return { text: tellNotable(frame, event), grave: false, notable: true }
  if (step - first === 1) return plain(tellStep(log, first))
  return plain(tellTraffic(frame, first))
}

function plain(text: string): Telling {
  return { text, grave: false, notable: false }
}

function grave(text: string): Telling {
  return { text, grave: true, notable: true }
}

function opening({ world }: RunLog): string {
  const { algorithm, topology, n } = world
  const where = `${sentenceStart(algorithm)} on ${topology}`
  return `${where}: ${several(n, 'node')}, and nothing has happened yet.`
}

function closing(frame: Frame, { leader, leading, messages, verdict }: RunResult): Telling {
  const { world } = frame.log
  const cost = several(messages.total, 'message')
  const broken = verdict.properties.find(({ holds }) => holds === false)
  const who =
    leading.length === 0
      ? 'nobody leads'
      : leading.length > 1
        ? `positions ${joined(leading.slice(0, 8).map(String))} lead at once`
        : `${nodeName(world, leading[0])} leads`
  if (broken) return grave(`The end, after ${cost}: ${who}. Violated: ${broken.name}.`)
  if (leader === null) return plain(`The end, after ${cost}${spread(frame)}.`)
  return { text: `The end: ${who}, after ${cost} in all.`, grave: false, notable: true }
}

/** The first step of the moment in which the last of so many steps happened. */
function firstOfMoment(log: RunLog, step: number): number {
  const at = log.timeOf(step - 1)
  let first = step - 1
  while (first > 0 && step - first < LOOKED_AT && log.timeOf(first - 1) === at) first--
  return first
}

function mostNotable(log: RunLog, first: number, step: number): number | null {
  let found: number | null = null
  let rank = NOTABLE.length
  for (let event = log.first.at(first); event < log.end(step - 1); event++) {
    const own = RANKS[log.kind.at(event)]
    if (own < 0 || own > rank) continue
    rank = own
    found = event
  }
  return found
}

function tellNotable(frame: Frame, event: number): string {
  const { log } = frame
  const { kind, node, peer, id, at } = log.event(event)
  const who = sentenceStart(nodeName(log.world, node))
  const when = momentName(log.world, at)
  switch (kind) {
    case 'lead':
      return `${who} takes office after ${several(frame.messages, 'message')}.`
    case 'crash':
      return `${who} crashes at ${when}.`
    case 'recover':
      return `Position ${node} is up again at ${when}${Number.isNaN(id) ? '' : `, with id ${id}`}.`
    case 'retire':
      return `${who} steps down for good at ${when}.`
    case 'withdraw':
      return `${who} has no leader any more.`
    default:
      return `The link between positions ${node} and ${peer} is ${kind === 'cut' ? 'cut' : 'back'}.`
  }
}

/** What comes and goes in a moment, and who leads by now. */
function tellTraffic(frame: Frame, first: number): string {
  const { log, step } = frame
  let received = 0
  let sent = 0
  for (let event = log.first.at(first); event < log.end(step - 1); event++) {
    if (log.kind.at(event) === RECEIVE) received++
    if (log.kind.at(event) === SEND) sent++
  }
  const arrive = `${several(received, 'message')} ${received === 1 ? 'arrives' : 'arrive'}`
  const deeds = [...(received > 0 ? [arrive] : []), `${sent} ${sent === 1 ? 'is' : 'are'} sent`]
  const leader = frame.status.indexOf(LEADER)
  const leads = leader < 0 ? '' : `; ${nodeName(log.world, leader)} leads`
  const moment = sentenceStart(momentName(log.world, log.timeOf(step - 1)))
  return `${moment}: ${joined(deeds)}${leads}${spread(frame)}.`
}

/** How far the estimates of an aggregation lie apart; nothing for elections. */
function spread({ estimate }: Frame): string {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of estimate) {
    if (value < low) low = value
    if (value > high) high = value
  }
  if (low > high) return ''
  return `; estimates from ${short(low)} to ${short(high)}`
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)))
}

function sentenceOf(detail: string): string {
  return detail === '' ? '' : `${sentenceStart(detail.replace(/\.$/, ''))}.`
}
