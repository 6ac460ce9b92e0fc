import { resultNaming } from '../../core/language/world.ts'
import { enumerated } from '../../core/text-format.ts'
import { changeText, type StateChange, stateChanges } from '../../core/trace/state-changes.ts'
import { stepText } from '../../core/trace/step-text.ts'
import type { TraceEvent } from '../../core/trace/trace-event.ts'
import type { HandlerTransition, Transition } from '../model/transition.ts'
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
  /** One side of a partition. */
  readonly side?: readonly number[]
  /** By how much a timer fires late, or early if negative. */
  readonly late?: number
  /** Set where the node recovers without its stable storage. */
  readonly amnesia?: true
  /** Set where a link is cut in one direction. */
  readonly oneWay?: true
  /** The random choices of the node. */
  readonly draws?: readonly number[]
  readonly sends: readonly Pick<Send, 'to' | 'type' | 'body'>[]
  readonly becomes?: 'leader' | 'lost'
  readonly stops?: true
  /** The fields of the node's own state that changed. */
  readonly changes?: readonly StateChange[]
  /** The timers that the node set or cancelled. */
  readonly sets?: readonly TimerSetting[]
  readonly cancels?: readonly string[]
  /** The step as a sentence. */
  readonly text: string
}

/** A timer that was set; with a clock, the time until it fires. */
interface TimerSetting {
  readonly timer: string
  readonly in?: number
}

/** What a step changed at its node and nowhere else. */
type LocalEffects = Pick<ExplainedStep, 'changes' | 'sets' | 'cancels'>

/** A run in three forms: steps to read, events to draw, and transitions to re-execute. */
export interface ExplainedRun {
  /** What `at` counts. */
  readonly unit: 'step' | 'round' | 'time'
  readonly trace: readonly ExplainedStep[]
  readonly events: readonly TraceEvent[]
  /** The number of events of each step; those before the first step are no part of one. */
  readonly eventCounts: readonly number[]
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
  const eventCounts: number[] = []
  const events: TraceEvent[] = [
    ...writer.recordInitial(),
    ...dead.map((node): TraceEvent => ({ at, node, event: 'crash' })),
  ]
  for (const transition of transitions) {
    if (transition.event === 'unheard') continue
    if (transition.event === 'tick') {
      at += transition.time
      eventCounts.push(0)
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
    if (transition.event === 'part' || transition.event === 'heal') {
      events.push(...record)
      eventCounts.push(record.length)
      const text = partitionText(transition, cache.world.topology.n)
      trace.push({ at, event: transition.event, side: transition.partition.side, sends: [], text })
      if (unit === 'step') at++
      continue
    }
    const draws = step?.draws ?? []
    // What a crashing node has changed is lost with it.
    const local = 'actions' in transition ? localEffects(transition, cache, unit !== 'step') : null
    const partner = 'partner' in transition ? transition.partner : undefined
    events.push(...record)
    eventCounts.push(record.length)
    const subject = writer.name(record[0].node)
    const violation = step?.typeViolation
    const effects = local && [
      ...effectTexts(local, cache),
      ...(partner === undefined ? [] : partnerEffects(partner, cache)),
    ]
    const remarks = violation === undefined ? [] : [`violates a declared type (${violation})`]
    const text = stepText(record, { subject, draws, remarks, effects })
    trace.push({ ...stepOf(record, transition.event, draws), ...local, text })
    if (unit === 'step') at++
  }
  return {
    unit,
    trace,
    events,
    eventCounts,
    transitions: transitions.map((transition) => transitionJson(transition, cache)),
  }
}

/** A partition that begins or ends, as a sentence. */
function partitionText({ event, partition }: PartitionChange, n: number): string {
  const { side, oneWay } = partition
  const others = Array.from({ length: n }, (_, node) => node).filter((it) => !side.includes(it))
  const named = (nodes: readonly number[]) =>
    `${nodes.length === 1 ? 'position' : 'positions'} ${enumerated(nodes.map(String))}`
  if (oneWay)
    return event === 'part'
      ? `A partition begins: messages from ${named(side)} to ${named(others)} are lost.`
      : `The partition ends: messages from ${named(side)} to ${named(others)} arrive again.`
  return event === 'part'
    ? `A partition begins between ${named(side)} and ${named(others)}.`
    : `The partition between ${named(side)} and ${named(others)} ends.`
}

type PartitionChange = Extract<Transition, { event: 'part' | 'heal' }>

function passing(time: number, unit: ExplainedRun['unit']): string {
  const [one, many] = unit === 'round' ? ['round', 'rounds'] : ['unit of time', 'units of time']
  return time === 1 ? `One ${one} passes.` : `${time} ${many} pass.`
}

function stepOf(
  record: readonly TraceEvent[],
  event: ExplainedStep['event'],
  draws: readonly number[],
): Omit<ExplainedStep, 'text'> {
  const [cause] = record
  const outcome = record.findLast(
    ({ event, node }) => node === cause.node && (event === 'lead' || event === 'follow'),
  )
  return {
    at: cause.at,
    event,
    node: cause.node,
    ...('from' in cause && { from: cause.from }),
    ...('to' in cause && { to: cause.to }),
    ...('body' in cause && { type: cause.type, body: cause.body }),
    ...(cause.event === 'timeout' && { timer: cause.timer }),
    ...(cause.event === 'recover' && { id: cause.id }),
    ...('amnesia' in cause && { amnesia: cause.amnesia }),
    ...('oneWay' in cause && { oneWay: cause.oneWay }),
    ...('late' in cause && { late: cause.late }),
    ...('peer' in cause && { peer: cause.peer }),
    ...(draws.length > 0 && { draws }),
    sends: record
      .filter((event) => event.event === 'send')
      .map(({ to, type, body }) => ({ to, type, body })),
    ...(outcome && { becomes: outcome.event === 'lead' ? 'leader' : 'lost' }),
    ...(record.some((event) => event.event === 'stop') && { stops: true }),
  }
}

/** How a handler changed the state and the timers of its node. */
function localEffects(
  { node, before, after, armed, trigger }: HandlerTransition,
  cache: TransitionCache,
  clocked: boolean,
): LocalEffects {
  const { algorithm } = cache.world
  const naming = resultNaming(cache.world, node)
  const { list } = cache.localStates[node]
  const [old, now] = [list[before], list[after]]
  const json = (local: typeof old) => algorithm.layout.json(local.state, naming)
  const changes = stateChanges(json(old), json(now))
  const name = (timer: number) => algorithm.timers[timer].name
  const pending = new Map(now.timers.map(({ timer, remaining }) => [timer, remaining]))
  const sets = [...new Set(armed)]
    .filter((timer) => pending.has(timer))
    .map((timer) => ({ timer: name(timer), ...(clocked && { in: pending.get(timer)! }) }))
  // A stopped node has no timers left, which goes without saying.
  const fired = trigger.event === 'timeout' ? trigger.timer : null
  const cancels = old.timers
    .map(({ timer }) => timer)
    .filter((timer) => timer !== fired && !pending.has(timer) && !now.state.stopped)
  return {
    ...(changes.length > 0 && { changes }),
    ...(sets.length > 0 && { sets }),
    ...(cancels.length > 0 && { cancels: cancels.map(name) }),
  }
}

/** The changes of the other node of a meeting. */
function partnerEffects(partner: HandlerTransition, cache: TransitionCache): string[] {
  const texts = effectTexts(localEffects(partner, cache, false), cache)
  return texts.map((text) => `at position ${partner.node} ${text}`)
}

/** The changes of a node in words, each a clause. */
function effectTexts(
  { changes = [], sets = [], cancels = [] }: LocalEffects,
  { world }: TransitionCache,
): string[] {
  const { own } = world.algorithm.layout
  const settings = sets.map((set) =>
    set.in === undefined ? set.timer : `${set.timer} to ${set.in}`,
  )
  const timers = [...timerWords('sets', settings), ...timerWords('cancels', cancels)]
  return [
    ...(changes.length > 0 ? [changes.map((change) => changeText(change, own)).join(', ')] : []),
    ...(timers.length > 0 ? [`it ${enumerated(timers)}`] : []),
  ]
}

function timerWords(verb: string, timers: readonly string[]): string[] {
  if (timers.length === 0) return []
  return [`${verb} ${timers.length === 1 ? 'timer' : 'timers'} ${enumerated(timers)}`]
}
