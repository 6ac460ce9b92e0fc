import type { ModelOptions, TransitionJson, WalkedPath } from '../../../../src/check/index.ts'
import type { TraceEvent } from '../../../../src/core/trace/trace-event.ts'
import type { ListedFaults } from '../../../../src/options/list-faults.ts'
import type { FaultSpan, MessageFault } from '../../../../src/options/scenario-options.ts'
import { printFaults } from '../../../../src/scenario/faults/fault-fields.ts'
import type { ScenarioInput } from '../../../../src/scenario/index.ts'

/**
 * In mode clocked all steps of a moment get times of their own, in order, and later moments come
 * ever so little earlier than they should: so a timer that was set in one moment fires after the
 * messages of the moment in which it is due, as the checker has it.
 */
const SKEW = 0.01
const TICK = 0.0001
/** From the last step of the run to what it leaves open. */
const REST = 1

/** One step of the run: its transition, its events, and when the simulator is to do it. */
export interface ScheduledStep {
  readonly transition: TransitionJson
  readonly events: readonly TraceEvent[]
  readonly time: number
}

/** The steps of a run with the times at which the simulator does them. */
export function scheduledSteps(
  { transitions, events, eventsAfter }: WalkedPath,
  { mode }: ModelOptions,
): ScheduledStep[] {
  let moment = 0
  let index = 0
  return transitions.map((transition, i) => {
    const own = events.slice(eventsAfter[i], eventsAfter[i + 1])
    if (typeof mode === 'string') return { transition, events: own, time: moment++ }
    if (transition.event === 'tick') {
      moment += Number(transition.time)
      index = 0
    }
    const time = Number((moment * (1 - SKEW) + TICK * index++).toFixed(4))
    return { transition, events: own, time }
  })
}

/** The end of a run: later than its last step. */
export function endOf(steps: readonly ScheduledStep[]): number {
  return (steps.at(-1)?.time ?? 0) + REST / 2
}

/** A message that the checker does not send, since its sender crashes before. */
export interface UnsentMessages {
  /** The number of the step in which the sender crashes. */
  readonly step: number
  /** Their numbers in the simulator, which sends them and drops them at once. */
  readonly messages: readonly number[]
}

/** The fields of a scenario in which the simulator does the steps at their times. */
export function scheduleFields(
  steps: readonly ScheduledStep[],
  { mode, faults = {} }: ModelOptions,
  n: number,
  unsent: readonly UnsentMessages[],
): ScenarioInput {
  const wake: string[] = []
  const crashes: ListedFaults['crash'][number][] = []
  const recoveries: ListedFaults['recover'][number][] = []
  const cuts: ListedFaults['cut'][number][] = []
  const pauses: ListedFaults['pause'][number][] = []
  const partitions: ListedFaults['partition'][number][] = []
  for (const node of faults.dead ?? []) crashes.push({ node })
  const later = (open: FaultSpan[], time: number) => {
    open[open.length - 1] = { ...open[open.length - 1], to: time }
  }
  for (const { transition, time } of steps) {
    const { event, node: place, to, side, oneWay, id, amnesia } = transition
    const node = Number(place)
    const direction = oneWay === true && { oneWay: true }
    if (event === 'wake') wake.push(`${node}@${time}`)
    if (event === 'crash')
      crashes.push({ node, at: time + ('during' in transition ? TICK / 2 : 0) })
    if (event === 'recover')
      recoveries.push({
        node,
        at: time,
        ...(faults.reappear && { id: Number(id) }),
        ...(amnesia === true && { amnesia: true }),
      })
    if (event === 'cut') cuts.push({ link: [node, Number(to)], from: time, ...direction })
    if (event === 'pause') pauses.push({ node, from: time })
    if (event === 'resume')
      later(
        pauses.filter((pause) => pause.node === node),
        time,
      )
    if (event === 'part') {
      const one = side as readonly number[]
      const rest = Array.from({ length: n }, (_, other) => other).filter((it) => !one.includes(it))
      partitions.push({ groups: [one, rest], from: time })
    }
    if (event === 'heal') later(partitions, time)
  }
  const plan = {
    crash: crashes,
    recover: recoveries,
    cut: cuts,
    pause: pauses,
    partition: partitions,
    tamper: messageFaults(steps, unsent),
  }
  const used = Object.entries(printFaults(plan)).filter(([, text]) => text !== 'none')
  const coins = coinsOf(steps)
  return {
    ...(wake.length > 0 && { wake: wake.join() }),
    ...Object.fromEntries(used),
    ...(crashes.some(({ at }) => at !== undefined) && { detect: detectionIn(steps, mode, faults) }),
    // After the run the last choice of each node is repeated, perhaps for ever.
    ...(coins !== '' && { coins, until: Math.ceil(endOf(steps)) + 100 }),
  }
}

/** When each message arrives or is lost; those that are still in flight arrive after the run. */
function messageFaults(
  steps: readonly ScheduledStep[],
  unsent: readonly UnsentMessages[],
): MessageFault[] {
  const ends = new Map<number, { what: 'arrive' | 'drop'; at: number }>()
  const lostAtOnce = new Set<number>()
  const numbers = new Map<number, number>()
  let shift = 0
  for (const [i, { events, time }] of steps.entries()) {
    for (const [place, event] of events.entries()) {
      if (event.event === 'send') {
        numbers.set(event.message, event.message + shift)
        ends.set(event.message, { what: 'arrive', at: endOf(steps) + REST / 2 })
      }
      if (event.event === 'receive' || event.event === 'vanish')
        ends.set(event.message, { what: 'arrive', at: time })
      if (event.event !== 'lose') continue
      if (place > 0) lostAtOnce.add(event.message)
      ends.set(event.message, { what: 'drop', at: time })
    }
    shift += unsent.find(({ step }) => step === i)?.messages.length ?? 0
  }
  const dropped: MessageFault[] = unsent.flatMap(({ messages }) =>
    messages.map((drop) => ({ drop })),
  )
  const ended = [...ends]
    .filter(([message]) => !lostAtOnce.has(message))
    .map(([message, { what, at }]): MessageFault => {
      const number = numbers.get(message)!
      return what === 'drop' ? { drop: number, at } : { arrive: number, at }
    })
  return [...ended, ...dropped]
}

/** The random choices of each node, in order. */
function coinsOf(steps: readonly ScheduledStep[]): string {
  const choices = new Map<number, number[]>()
  for (const { events } of steps)
    for (const { node, draws = [] } of events)
      if (draws.length > 0) choices.set(node, [...(choices.get(node) ?? []), ...draws])
  return [...choices].map(([node, draws]) => `${node}:${draws.join()}`).join(';')
}

/**
 * The delay of the failure detector: that of the model where there is a clock, else the one of the
 * first report; where nothing is reported, longer than the run.
 */
function detectionIn(
  steps: readonly ScheduledStep[],
  mode: ModelOptions['mode'],
  { detect = 1 }: NonNullable<ModelOptions['faults']>,
): number | 'off' {
  if (detect === 'off') return detect
  if (typeof mode !== 'string') return Math.max(0, Number((detect * (1 - SKEW) - TICK).toFixed(4)))
  const crash = steps.find(({ transition }) => transition.event === 'crash')
  const report = steps.find(({ transition }) => transition.event === 'down')
  return (report?.time ?? endOf(steps) + REST) - (crash?.time ?? 0)
}
