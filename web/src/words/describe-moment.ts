import { counted, enumerated, grouped } from '../../../src/core/text-format.ts'
import type { CycleResult, RunResult } from '../../../src/sim/index.ts'
import type { RecordedViolation } from '../recording/columns.ts'
import { beginsStep, type EventKind, KINDS, STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { RunLog } from '../recording/run-log.ts'
import { shortNumber } from '../stage/message-text.ts'
import { describeStep, linkSentence, momentName, subjectOf, wordsOf } from './describe-step.ts'
import { detailWords, nodeName, sentenceStart } from './names.ts'
import { manyNodes, predicateOf } from './phrases.ts'
import { storyOf } from './story.ts'

/** One sentence on where a run stands. */
export interface MomentDescription {
  readonly text: string
  /** Something is wrong. */
  readonly grave: boolean
  /** It is remembered while the play goes on. */
  readonly notable: boolean
}

/** What a description needs besides the frame. */
export interface MomentContext {
  readonly result?: RunResult | CycleResult | null
  /** Only the last event is described, not all of its moment. */
  readonly single?: boolean
  /** Why no node notices a crash; null where a failure detector reports it. */
  readonly unnoticed?: string | null
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
/** Where nodes move, links come and go all the time: from this rank on nothing is told of them. */
const LINKS = NOTABLE.indexOf('cut')
const RANKS = KINDS.map((kind) => NOTABLE.indexOf(kind))
const COUNTED = [
  ['wake', 'node', 'wakes', 'wake'],
  ['receive', 'message', 'arrives', 'arrive'],
  ['timeout', 'timer', 'fires', 'fire'],
  ['down', 'node', 'learns of a crash', 'learn of a crash'],
  ['up', 'node', 'learns of a recovery', 'learn of a recovery'],
  ['send', 'message', 'is sent', 'are sent'],
] as const satisfies readonly (readonly [EventKind, string, string, string])[]
const COUNTED_BY_KIND = KINDS.map((kind) => COUNTED.findIndex(([counted]) => counted === kind))
const RECEIVED = 1
const DEAD = STATUSES.indexOf('dead')

/** Describes a run after `frame.step` steps: a violation, its end, a new leader, or the rest. */
export function describeMoment(frame: RunFrame, context: MomentContext = {}): MomentDescription {
  const { result = null, single = false, unnoticed = null } = context
  const { log, step } = frame
  if (step === 0) return routine(opening(log))
  const first = single || isWithin(log, step) ? step - 1 : firstOfMoment(log, step)
  const violation = log.violations.find((broken) => broken.step > first && broken.step <= step)
  if (violation) return grave(violationWords(frame, violation))
  if (step === log.steps && result !== null)
    return 'leading' in result
      ? closing(frame, result, unnoticed)
      : routine(
          `The end, after ${counted(result.messages.total, 'message')}${spread(frame, result)}.`,
        )
  const events = mostNotable(log, first, step)
  if (events.length > 0) return describeNotable(frame, events, unnoticed)
  return describeRoutine(frame, first)
}

function violationWords(frame: RunFrame, { property, detail }: RecordedViolation): string {
  const { leaders } = frame
  // At the end of a moment more nodes may lead than at the event that violates the property.
  const several = / lead at once$/.test(detail) && leaders.length > 1
  const words = several ? `${manyNodes(frame, leaders)} lead at once` : detailWords(frame, detail)
  return `Violated: ${property}. ${sentenceOf(words)}`.trim()
}

function routine(text: string): MomentDescription {
  return { text, grave: false, notable: false }
}

function grave(text: string): MomentDescription {
  return { text, grave: true, notable: true }
}

function opening({ world }: RunLog): string {
  const none = world.unit === 'interaction' ? 'no meeting' : 'no message'
  return `Nothing has happened yet: ${counted(world.n, 'node')}, ${none}.`
}

function closing(
  frame: RunFrame,
  { leader, leading, messages, time, verdict }: RunResult,
  unnoticed: string | null,
): MomentDescription {
  const meets = time.unit === 'interaction'
  const cost = meets ? counted(time.ended ?? 0, 'interaction') : counted(messages.total, 'message')
  const broken = verdict.properties.find(({ holds }) => holds === false)
  const who =
    leading.length === 0
      ? 'no node leads'
      : leading.length === 1
        ? `${nodeName(frame, leading[0])} leads`
        : `${manyNodes(frame, leading)} lead at once`
  if (broken) {
    const why = unnoticed !== null && frame.status.includes(DEAD) ? ` ${unnoticed}` : ''
    return grave(`The end, after ${cost}: ${who}. Violated: ${broken.name}.${why}`)
  }
  if (leader === null) return routine(`The end, after ${cost}: ${who}.`)
  return { text: `The end: ${who}, after ${cost} in all.`, grave: false, notable: true }
}

/** Whether more events of the same moment follow. */
function isWithin(log: RunLog, step: number): boolean {
  return step < log.steps && log.timeOf(step) === log.timeOf(step - 1)
}

/** The first step of the moment to which the last step belongs. */
export function firstOfMoment(log: RunLog, step: number): number {
  const at = log.timeOf(step - 1)
  return Math.min(step - 1, log.stepsUntil(at - Math.max(Math.abs(at), 1) * Number.EPSILON))
}

/** The events of the most important kind. */
function mostNotable(log: RunLog, first: number, step: number): number[] {
  let found: number[] = []
  let rank = NOTABLE.length
  for (let event = log.first.at(first); event < log.end(step - 1); event++) {
    const own = RANKS[log.kind.at(event)]
    if (own < 0 || own > rank || (own >= LINKS && log.world.walk !== undefined)) continue
    if (own < rank) found = []
    rank = own
    found.push(event)
  }
  return found
}

function describeNotable(
  frame: RunFrame,
  events: readonly number[],
  unnoticed: string | null,
): MomentDescription {
  const { log } = frame
  const logged = log.event(events[0])
  const { kind, node, peer, at } = logged
  if (kind === 'cut' || kind === 'mend') {
    const cut = kind === 'cut' ? 'cut' : 'restored'
    if (events.length === 1) return notable(linkSentence(frame, kind, node, peer))
    return notable(`${grouped(events.length)} links are ${cut}.`)
  }
  const nodes = [...new Set(events.map((event) => log.node.at(event)))]
  const words = predicateOf(nodes, wordsOf(frame, logged))
  const subject = sentenceStart(
    nodes.length === 1 ? subjectOf(frame, logged) : manyNodes(frame, nodes),
  )
  if (kind === 'withdraw') return notable(`${subject} ${words}.`)
  if (kind === 'crash') {
    const noticed = unnoticed === null ? '' : ` ${unnoticed}`
    return notable(`${subject} ${words} at ${momentName(log.world, at)}.${noticed}`)
  }
  if (kind !== 'lead') return notable(`${subject} ${words} at ${momentName(log.world, at)}.`)
  const alone = nodes.length === 1
  const cause = alone && causeOf(log, events[0]) === 'recover' ? ['recovers'] : []
  const cost =
    log.world.unit === 'interaction'
      ? counted(at, 'interaction')
      : counted(messagesBefore(frame, events), 'message')
  const reason = alone ? electedBecause(frame, node) : ''
  const elected = enumerated([...cause, words])
  return withLeaders(frame, nodes, `${subject} ${elected} after ${cost}${reason}`)
}

/** The messages sent before the steps of some events: an announcement is no part of the cost. */
function messagesBefore({ log, messages }: RunFrame, events: readonly number[]): number {
  const isSend = (event: number) => KINDS[log.kind.at(event)] === 'send'
  let own = 0
  for (const step of new Set(events.map((event) => beginningOf(log, event))))
    for (let event = step + 1; event < log.kind.length && !beginsStep(log.kind.at(event)); event++)
      if (isSend(event)) own++
  return messages - own
}

/** Why a node has become leader in its last step: ": its own id is back". */
function electedBecause({ log, step }: RunFrame, node: number): string {
  let last = step - 1
  while (log.nodeOf(last) !== node) last--
  const [, why] = /^becomes leader(:.*)$/.exec(log.reason(last) ?? '') ?? []
  return why ?? ''
}

function notable(text: string): MomentDescription {
  return { text, grave: false, notable: true }
}

/** Several leaders are named, and are grave where the problem allows only one. */
function withLeaders(frame: RunFrame, told: readonly number[], text: string): MomentDescription {
  const { leaders, log, step } = frame
  const violated = log.violations.some((broken) => broken.step <= step)
  const several = leaders.length > 1
  const others = leaders.length > told.length || told.length === 0
  const names = several && others ? `; ${manyNodes(frame, leaders)} lead at once` : ''
  const important = told.length > 0
  return { text: `${text}${names}.`, grave: several && violated, notable: important }
}

/** What began the step of an event. */
function causeOf(log: RunLog, event: number): EventKind {
  return KINDS[log.kind.at(beginningOf(log, event))]
}

function beginningOf(log: RunLog, event: number): number {
  let cause = event
  while (!beginsStep(log.kind.at(cause))) cause--
  return cause
}

/** What nodes do and why, or else how many messages there are. */
function describeRoutine(frame: RunFrame, first: number): MomentDescription {
  const { log, step } = frame
  const aggregates = !Number.isNaN(log.estimate.at(step - 1))
  const story = storyOf(frame, first)
  if (story !== null) return withLeaders(frame, [], sentenceStart(story))
  if (step - first === 1 && !aggregates)
    return withLeaders(frame, [], describeStep(frame).slice(0, -1))
  return withLeaders(frame, [], describeTraffic(frame, first))
}

/** The messages and timers of a moment. */
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
  const at = log.timeOf(step - 1)
  const moment = sentenceStart(momentName(log.world, at))
  const aggregates = !Number.isNaN(log.estimate.at(step - 1))
  const exchange = at === 0 ? 'every node begins with its own value' : 'nodes exchange values'
  const silent = log.world.unit === 'interaction' ? 'two nodes meet' : 'nothing is sent'
  const idle = aggregates ? exchange : silent
  const traffic = amounts.length === 0 ? idle : enumerated(amounts)
  return `${moment}: ${traffic}${spread(frame)}`
}

/** The range of the estimates of an aggregation, and the truth; empty for elections. */
function spread({ estimate }: RunFrame, result?: CycleResult): string {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of estimate) {
    if (value < low) low = value
    if (value > high) high = value
  }
  if (low > high) return ''
  const known = result !== undefined && Number.isFinite(result.truth)
  const truth = known ? `; the truth is ${shortNumber(result.truth)}` : ''
  const [from, to] = [low, high].map((one) => (Number.isFinite(one) ? shortNumber(one) : '∞'))
  if (from === to) return `; all estimates are ${from}${truth}`
  return `; estimates from ${from} to ${to}${truth}`
}

function sentenceOf(detail: string): string {
  return detail === '' ? '' : `${sentenceStart(detail.replace(/\.$/, ''))}.`
}
