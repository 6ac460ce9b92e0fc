import { counted, enumerated, grouped } from '../../../src/core/text-format.ts'
import type { CycleResult, RunResult } from '../../../src/sim/index.ts'
import { beginsStep, type EventKind, KINDS, STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { RunLog } from '../recording/run-log.ts'
import {
  describeStep,
  linkSentence,
  momentName,
  nodeName,
  sentenceStart,
  shortNumber,
  wordsOf,
} from './describe-step.ts'

/** One sentence on where a run stands. */
export interface MomentDescription {
  readonly text: string
  /** Something is wrong. */
  readonly grave: boolean
  /** Worth reading to the end, even while the play goes on. */
  readonly notable: boolean
}

/** Events that are described rather than the traffic of messages, the most important first. */
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
/** At most this many steps of one moment are looked through. */
const LOOKED_AT = 2000
const COUNTED = [
  ['wake', 'node', 'wakes', 'wake'],
  ['receive', 'message', 'arrives', 'arrive'],
  ['timeout', 'timer', 'fires', 'fire'],
  ['send', 'message', 'is sent', 'are sent'],
] as const satisfies readonly (readonly [EventKind, string, string, string])[]
const COUNTED_BY_KIND = KINDS.map((kind) => COUNTED.findIndex(([counted]) => counted === kind))
const RECEIVED = 1
const LEADER = STATUSES.indexOf('leader')

/** Describes a run after `frame.step` steps: its end, a violation, a new leader, or messages. */
export function describeMoment(
  frame: RunFrame,
  result: RunResult | CycleResult | null,
): MomentDescription {
  const { log, step } = frame
  if (step === 0) return routine(opening(log))
  const first = firstOfMoment(log, step)
  const violation = log.violations.find((broken) => broken.step > first && broken.step <= step)
  if (violation) return grave(`Violated: ${violation.property}. ${sentenceOf(violation.detail)}`)
  if (step === log.steps && result !== null)
    return 'leading' in result ? closing(frame, result) : agreement(frame, result)
  const event = mostNotable(log, first, step)
  if (event !== null) return { text: describeNotable(frame, event), grave: false, notable: true }
  const aggregates = !Number.isNaN(log.estimate.at(step - 1))
  if (step - first === 1 && !aggregates) return routine(describeStep(log, first))
  return routine(describeTraffic(frame, first))
}

function routine(text: string): MomentDescription {
  return { text, grave: false, notable: false }
}

function grave(text: string): MomentDescription {
  return { text, grave: true, notable: true }
}

function opening({ world }: RunLog): string {
  const { algorithm, topology, n } = world
  return `Nothing has happened yet: ${algorithm} with ${counted(n, 'node')} on ${topology}.`
}

function closing(
  frame: RunFrame,
  { leader, leading, messages, verdict }: RunResult,
): MomentDescription {
  const { world } = frame.log
  const cost = counted(messages.total, 'message')
  const broken = verdict.properties.find(({ holds }) => holds === false)
  const who =
    leading.length === 0
      ? 'no node leads'
      : leading.length > 1
        ? `positions ${enumerated(leading.slice(0, 8).map(String))} lead at once`
        : `${nodeName(world, leading[0])} leads`
  if (broken) return grave(`The end, after ${cost}: ${who}. Violated: ${broken.name}.`)
  if (leader === null) return routine(`The end, after ${cost}: ${who}.`)
  return { text: `The end: ${who}, after ${cost} in all.`, grave: false, notable: true }
}

/** How an aggregation ends. */
function agreement(frame: RunFrame, { messages, truth }: CycleResult): MomentDescription {
  const cost = counted(messages.total, 'message')
  return routine(`The end, after ${cost}${spread(frame)}; the truth is ${shortNumber(truth)}.`)
}

/** The first step of the moment to which the last step belongs. */
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

function describeNotable(frame: RunFrame, event: number): string {
  const { log } = frame
  const logged = log.event(event)
  const { kind, node, peer, at } = logged
  if (kind === 'cut' || kind === 'mend') return linkSentence(kind, node, peer)
  const subject = sentenceStart(nodeName(log.world, node))
  const words = wordsOf(logged)
  if (kind === 'withdraw') return `${subject} ${words}.`
  if (kind !== 'lead') return `${subject} ${words} at ${momentName(log.world, at)}.`
  const phrases = causeOf(log, event) === 'recover' ? ['recovers', words] : [words]
  return `${subject} ${enumerated(phrases)} after ${counted(frame.messages, 'message')}.`
}

/** What began the step of an event. */
function causeOf(log: RunLog, event: number): EventKind {
  let cause = event
  while (!beginsStep(log.kind.at(cause))) cause--
  return KINDS[log.kind.at(cause)]
}

/** The messages and timers of a moment, and the leader by now. */
function describeTraffic(frame: RunFrame, first: number): string {
  const { log, step } = frame
  const counts = COUNTED.map(() => 0)
  for (let event = log.first.at(first); event < log.end(step - 1); event++) {
    const index = COUNTED_BY_KIND[log.kind.at(event)]
    if (index >= 0) counts[index]++
  }
  const amounts = COUNTED.flatMap(([kind, what, one, many], i) => {
    const count = counts[i]
    if (count === 0) return []
    // The word `messages` stands once: beside those that arrive, if there are any.
    const amount = kind === 'send' && counts[RECEIVED] > 0 ? grouped(count) : counted(count, what)
    return [`${amount} ${count === 1 ? one : many}`]
  })
  const leader = frame.status.indexOf(LEADER)
  const leads = leader < 0 ? '' : `; ${nodeName(log.world, leader)} leads`
  const moment = sentenceStart(momentName(log.world, log.timeOf(step - 1)))
  const traffic = amounts.length === 0 ? 'nodes exchange values' : enumerated(amounts)
  return `${moment}: ${traffic}${leads}${spread(frame)}.`
}

/** The range of the estimates of an aggregation; empty for elections. */
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
