import {
  drawWords,
  type EventNames,
  eventWords,
  fateWords,
  hasOwnSubject,
  stepSentence,
} from '../../core/trace/event-words.ts'
import type { TraceEvent } from '../../core/trace/trace-event.ts'
import type { Transition } from '../model/transition.ts'
import type { TransitionCache } from '../model/transition-cache.ts'
import type { Mode } from '../options.ts'
import { TraceWriter } from './trace-writer.ts'
import { type TransitionJson, transitionJson } from './transition-json.ts'

type Send = Extract<TraceEvent, { event: 'send' }>

/** One step of a run. Fields that do not belong to its event are omitted. */
export interface ExplainedStep {
  /** The number of the step, from 1; with a clock the round or the time. */
  readonly at: number
  readonly event: Exclude<Transition['event'], 'unheard'>
  /** The node that takes the step; the sender of a message that is lost or duplicated. */
  readonly node?: number
  readonly from?: number
  readonly to?: number
  readonly type?: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly timer?: string
  /** The id under which the node recovers. */
  readonly id?: number
  /** The node that the detector reports as down or up. */
  readonly peer?: number
  /** The random choices of the node. */
  readonly draws?: readonly number[]
  readonly sends: readonly Pick<Send, 'to' | 'type' | 'body'>[]
  readonly becomes?: 'leader' | 'lost'
  readonly stops?: true
  /** The step as a sentence. */
  readonly text: string
}

/** A run in three forms: steps to read, events to draw, and transitions to re-execute. */
export interface ExplainedRun {
  /** What `at` counts. */
  readonly unit: 'step' | 'round' | 'time'
  readonly trace: readonly ExplainedStep[]
  readonly events: readonly TraceEvent[]
  readonly transitions: readonly TransitionJson[]
}

/** `dead` are the nodes that are dead from the start. */
export function explainRun(
  transitions: readonly Transition[],
  mode: Mode,
  cache: TransitionCache,
  dead: readonly number[] = [],
): ExplainedRun {
  const unit = typeof mode === 'string' ? 'step' : mode.clocked === 1 ? 'round' : 'time'
  const writer = new TraceWriter(cache)
  const trace: ExplainedStep[] = []
  let at = unit === 'time' ? 0 : 1
  const events: TraceEvent[] = dead.map((node) => ({ at, node, event: 'crash' }))
  for (const transition of transitions) {
    if (transition.event === 'unheard') continue
    if (transition.event === 'tick') {
      at += transition.time
      trace.push({ at, event: 'tick', sends: [], text: passing(transition.time, unit) })
      continue
    }
    const step =
      'actions' in transition
        ? transition
        : 'during' in transition
          ? transition.during?.transition
          : undefined
    const record =
      'actions' in transition ? writer.record(at, transition) : writer.recordFault(at, transition)
    const draws = step?.draws ?? []
    events.push(...record)
    trace.push(
      stepOf(
        record,
        transition.event,
        draws,
        sentenceOf(record, draws, writer.name(record[0].node), step?.typeViolation),
      ),
    )
    if (unit === 'step') at++
  }
  return {
    unit,
    trace,
    events,
    transitions: transitions.map((transition) => transitionJson(transition, cache)),
  }
}

function passing(time: number, unit: ExplainedRun['unit']): string {
  const [one, many] = unit === 'round' ? ['round', 'rounds'] : ['unit of time', 'units of time']
  return time === 1 ? `One ${one} passes.` : `${time} ${many} pass.`
}

function stepOf(
  record: readonly TraceEvent[],
  event: ExplainedStep['event'],
  draws: readonly number[],
  text: string,
): ExplainedStep {
  const [cause] = record
  const outcome = record.findLast(({ event }) => event === 'lead' || event === 'follow')
  return {
    at: cause.at,
    event,
    node: cause.node,
    ...('from' in cause && { from: cause.from }),
    ...('to' in cause && { to: cause.to }),
    ...('body' in cause && { type: cause.type, body: cause.body }),
    ...(cause.event === 'timeout' && { timer: cause.timer }),
    ...(cause.event === 'recover' && { id: cause.id }),
    ...('peer' in cause && { peer: cause.peer }),
    ...(draws.length > 0 && { draws }),
    sends: record
      .filter((event) => event.event === 'send')
      .map(({ to, type, body }) => ({ to, type, body })),
    ...(outcome && { becomes: outcome.event === 'lead' ? 'leader' : 'lost' }),
    ...(record.some((event) => event.event === 'stop') && { stops: true }),
    text,
  }
}

const NAMES: EventNames = {
  node: (node) => `position ${node}`,
  leader: (id) => `id ${id}`,
}

/** One step as a sentence: its cause, its random choices, then the actions of the node. */
function sentenceOf(
  record: readonly TraceEvent[],
  draws: readonly number[],
  subject: string,
  typeViolation: string | undefined,
): string {
  const [cause, ...cache] = record
  if (cause.event === 'cut')
    return `The link between positions ${cause.node} and ${cause.to} is cut.`
  const actions: string[] = []
  if (draws.length > 0) actions.push(drawWords(draws))
  for (const event of cache)
    if (event.event === 'lose') actions.push(`${actions.pop()}, ${fateWords('lose')}`)
    else actions.push(eventWords(event, NAMES))
  if (typeViolation !== undefined) actions.push(`violates a declared type (${typeViolation})`)
  const own = { words: eventWords(cause, NAMES), ownSubject: hasOwnSubject(cause) }
  return stepSentence(subject, own, actions, isSilent(cause, cache, typeViolation))
}

/** Whether a handler ran that did nothing but change the state of its node. */
function isSilent(
  cause: TraceEvent,
  cache: readonly TraceEvent[],
  typeViolation: string | undefined,
): boolean {
  if (cache.length > 0 || typeViolation !== undefined) return false
  if (cause.event === 'receive') return cause.ignored !== true
  return HANDLED.includes(cause.event)
}

/** Besides messages, what handlers run for. */
const HANDLED = 'wake timeout recover retire down up'.split(' ')
