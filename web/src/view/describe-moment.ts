import { grouping } from '../../../src/diagram/caption.ts'
import type { CycleResult, RunResult } from '../../../src/sim/index.ts'
import { beginsStep, type EventKind, KINDS, STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { RunLog } from '../recording/run-log.ts'
import {
  describeStep,
  joined,
  momentName,
  nodeName,
  sentenceStart,
  several,
  shortNumber,
} from './describe-step.ts'

/** One sentence on where a run stands. */
export interface MomentDescription {
  readonly text: string
  /** Something is wrong. */
  readonly grave: boolean
  /** Worth reading to the end, even while the play goes on. */
  readonly notable: boolean
}

/** What is told rather than the coming and going of messages, the most important first. */
const NOTABLE: readonly EventKind[] = [
  'lead',
  'crash',
  'recover',
  'retire',
  'withdraw',
  'cut',
  'mend',
]
const RANKS = KINDS.map((kind) => NOTABLE.indexOf(kind))
/** More steps of one moment than this are not looked through. */
const LOOKED_AT = 2000
const COUNTED = [
  ['wake', 'node', 'wakes', 'wake'],
  ['receive', 'message', 'arrives', 'arrive'],
  ['timeout', 'timer', 'rings', 'ring'],
  ['send', 'message', 'is sent', 'are sent'],
] as const satisfies readonly (readonly [EventKind, string, string, string])[]
const COUNTED_BY_KIND = KINDS.map((kind) => COUNTED.findIndex(([counted]) => counted === kind))
const RECEIVED = 1
const LEADER = STATUSES.indexOf('leader')

/** What is to be seen after so many steps: the end, a violation, an office taken, messages. */
export function describeMoment(
  frame: RunFrame,
  result: RunResult | CycleResult | null,
): MomentDescription {
  const { log, step } = frame
  if (step === 0) return plain(opening(log))
  const first = firstOfMoment(log, step)
  const violation = log.violations.find((broken) => broken.step > first && broken.step <= step)
  if (violation) return grave(`Violated: ${violation.property}. ${sentenceOf(violation.detail)}`)
  if (step === log.steps && result !== null)
    return 'leading' in result ? closing(frame, result) : agreement(frame, result)
  const event = mostNotable(log, first, step)
  if (event !== null) return { text: tellNotable(frame, event), grave: false, notable: true }
  const aggregates = !Number.isNaN(log.estimate.at(step - 1))
  if (step - first === 1 && !aggregates) return plain(describeStep(log, first))
  return plain(tellTraffic(frame, first))
}

function plain(text: string): MomentDescription {
  return { text, grave: false, notable: false }
}

function grave(text: string): MomentDescription {
  return { text, grave: true, notable: true }
}

function opening({ world }: RunLog): string {
  const { algorithm, topology, n } = world
  return `Nothing has happened yet: ${algorithm} with ${several(n, 'node')} on ${topology}.`
}

function closing(
  frame: RunFrame,
  { leader, leading, messages, verdict }: RunResult,
): MomentDescription {
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
  if (leader === null) return plain(`The end, after ${cost}: ${who}.`)
  return { text: `The end: ${who}, after ${cost} in all.`, grave: false, notable: true }
}

/** How an aggregation ends. */
function agreement(frame: RunFrame, { messages, truth }: CycleResult): MomentDescription {
  const cost = several(messages.total, 'message')
  return plain(`The end, after ${cost}${spread(frame)}; the truth is ${shortNumber(truth)}.`)
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

function tellNotable(frame: RunFrame, event: number): string {
  const { log } = frame
  const { kind, node, peer, id, at } = log.event(event)
  const who = sentenceStart(nodeName(log.world, node))
  const when = momentName(log.world, at)
  switch (kind) {
    case 'lead': {
      const returns = causeOf(log, event) === 'recover' ? 'is up again and ' : ''
      return `${who} ${returns}takes office after ${several(frame.messages, 'message')}.`
    }
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

/** What began the step of an event. */
function causeOf(log: RunLog, event: number): EventKind {
  let cause = event
  while (!beginsStep(log.kind.at(cause))) cause--
  return KINDS[log.kind.at(cause)]
}

/** What comes and goes in a moment, and who leads by now. */
function tellTraffic(frame: RunFrame, first: number): string {
  const { log, step } = frame
  const counts = COUNTED.map(() => 0)
  for (let event = log.first.at(first); event < log.end(step - 1); event++) {
    const counted = COUNTED_BY_KIND[log.kind.at(event)]
    if (counted >= 0) counts[counted]++
  }
  const deeds = COUNTED.flatMap(([kind, what, one, many], i) => {
    const count = counts[i]
    if (count === 0) return []
    // What is sent is called messages only where none has arrived.
    const amount = kind === 'send' && counts[RECEIVED] > 0 ? grouping(count) : several(count, what)
    return [`${amount} ${count === 1 ? one : many}`]
  })
  const leader = frame.status.indexOf(LEADER)
  const leads = leader < 0 ? '' : `; ${nodeName(log.world, leader)} leads`
  const moment = sentenceStart(momentName(log.world, log.timeOf(step - 1)))
  const told = deeds.length === 0 ? 'nodes meet' : joined(deeds)
  return `${moment}: ${told}${leads}${spread(frame)}.`
}

/** How far the estimates of an aggregation lie apart; nothing for elections. */
function spread({ estimate }: RunFrame): string {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of estimate) {
    if (value < low) low = value
    if (value > high) high = value
  }
  if (low > high) return ''
  return `; estimates from ${shortNumber(low)} to ${shortNumber(high)}`
}

function sentenceOf(detail: string): string {
  return detail === '' ? '' : `${sentenceStart(detail.replace(/\.$/, ''))}.`
}
