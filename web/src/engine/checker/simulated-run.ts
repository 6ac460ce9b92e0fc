import { type Aggregation, offers, refusalOf } from '../../../../src/algorithms/index.ts'
import { boundedDelay, type ModelOptions, ModelWalk } from '../../../../src/check/index.ts'
import { type Algorithm, UsageError } from '../../../../src/core/index.ts'
import type { TraceEvent } from '../../../../src/core/trace/trace-event.ts'
import { prepare, type ScenarioInput } from '../../../../src/scenario/index.ts'
import { resultOf, simulationOf } from '../../../../src/sim/index.ts'
import { type CheckedModel, checkedModel } from './checked-model.ts'
import type { SimulatedRun, SimulatedRunRequest } from './protocol.ts'
import {
  endOf,
  type ScheduledStep,
  scheduledSteps,
  scheduleFields,
  type UnsentMessages,
} from './run-schedule.ts'

/** Messages that the simulator may send after the run, until it ends. */
const AFTERWARDS = 20_000

/** What a run of the checker has that no scenario can say. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  meet: 'it chooses who meets, and the simulator draws that at random',
  double: 'it duplicates a chosen message, and the simulator duplicates messages at random',
}

/**
 * Turns a run of the checker into a scenario in which the simulator does the same: every message
 * has its time of arrival. The scenario is tried, and refused where a node does something else.
 */
export function simulatedRun(
  definition: Algorithm | Aggregation,
  { path, property, settings }: SimulatedRunRequest,
): SimulatedRun {
  const checked = checkedModel(definition, settings)
  if (!offers(definition, 'repetition')) return refused(refusalOf('repetition')[0])
  const { target, model } = checked
  const impossible = path.find(({ event }) => IMPOSSIBLE[event] !== undefined)
  if (impossible) return refused(IMPOSSIBLE[impossible.event])
  if (model.order === 'lossy') return refused('links repeat messages, which the simulator does not')
  const steps = scheduledSteps(new ModelWalk(target.world, model, []).goTo(path), model)
  const unsent: UnsentMessages[] = []
  try {
    for (const [step, { transition }] of steps.entries())
      if ('during' in transition)
        unsent.push({ step, messages: unsentIn(checked, definition, steps, unsent, step) })
    const scenario = scenarioOf(checked, definition, steps, unsent)
    const why = difference(scenario, definition, steps, unsent, property)
    return why === null ? { scenario, why } : refused(why)
  } catch (error) {
    if (error instanceof UsageError) return refused(error.message)
    throw error
  }
}

function refused(why: string): SimulatedRun {
  return { scenario: null, why }
}

function scenarioOf(
  { target, model, given }: CheckedModel,
  algorithm: Algorithm,
  steps: readonly ScheduledStep[],
  unsent: readonly UnsentMessages[],
): ScenarioInput {
  const { needs, name } = algorithm
  const { world, scenario } = target
  const { wake: _, crash: __, detect: ___, ...kept } = given
  const rounds = needs.time === 'rounds' && scenario['allow-weaker'] !== true
  const fields = scheduleFields(steps, model, world.topology.n, unsent)
  return {
    ...kept,
    ...(kept.ids === undefined &&
      world.algorithm.needs.ids !== undefined && { ids: [...world.ids] }),
    ...(kept.n === undefined && kept.topology === undefined && { n: world.topology.n }),
    algorithm: name,
    ...(Object.keys(world.params).length > 0 && { set: world.params }),
    ...(rounds
      ? { timing: 'sync' }
      : { timing: 'async', order: model.order, ...boundedDelay(algorithm, model.mode) }),
    ...(rounds ? inRounds(fields, model) : fields),
  }
}

/** In rounds every message takes one: only starts and faults have their rounds. */
function inRounds(
  { tamper: _, ...fields }: ScenarioInput,
  { wake, faults = {} }: ModelOptions,
): ScenarioInput {
  const whole = (text: unknown) =>
    String(text).replaceAll(/@([\d.]+)/g, (_, time: string) => `@${Math.round(Number(time)) + 1}`)
  return {
    ...Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, whole(text)])),
    ...('detect' in fields && { detect: faults.detect ?? 1 }),
    ...(wake !== 'any' && { wake: wake.join() }),
  }
}

/** The messages that the simulator sends in a step in which the checker has the node crash. */
function unsentIn(
  checked: CheckedModel,
  algorithm: Algorithm,
  steps: readonly ScheduledStep[],
  unsent: readonly UnsentMessages[],
  step: number,
): number[] {
  const scenario = scenarioOf(checked, algorithm, steps.slice(0, step + 1), unsent)
  const { node, sends } = steps[step].transition
  const sent = eventsIn(scenario, algorithm, steps[step].time)
    .events.filter((event) => event.at === steps[step].time)
    .flatMap((event) => (event.event === 'send' && event.node === node ? [event.message] : []))
  return sent.slice(Number(sends))
}

function eventsIn(scenario: ScenarioInput, algorithm: Algorithm, end: number) {
  const events: TraceEvent[] = []
  const { world, conditions, properties } = prepare(scenario, algorithm, String)
  const trace = (event: TraceEvent) => void events.push(event)
  const simulation = simulationOf(world, conditions, properties, { trace })
  return { end: simulation.finishUntil(end), events, simulation }
}

/** In what the simulator differs from the checker; null if it does the same. */
function difference(
  scenario: ScenarioInput,
  algorithm: Algorithm,
  steps: readonly ScheduledStep[],
  unsent: readonly UnsentMessages[],
  property: string | null,
): string | null {
  const sent = steps.flatMap(({ events }) => events.filter(({ event }) => event === 'send')).length
  const limited = { ...scenario, 'max-messages': sent + AFTERWARDS }
  const { events, simulation } = eventsIn(limited, algorithm, endOf(steps))
  const dropped = new Set(unsent.flatMap(({ messages }) => messages))
  const seen = events.filter((event) => !('message' in event && dropped.has(event.message)))
  const wanted = byNode(steps.flatMap((step) => step.events))
  const found = byNode(seen)
  for (const [node, list] of wanted)
    for (const [i, event] of list.entries())
      if (found.get(node)?.[i] !== event) return reasonFor(steps, event)
  if (property === null || simulation.monitor.violations.length > 0) return null
  const whole = eventsIn(limited, algorithm, Number.POSITIVE_INFINITY)
  const { verdict } = resultOf(whole.simulation, whole.end)
  if (verdict.properties.some(({ holds }) => holds === false)) return null
  return `it violates "${property}", which the simulator does not check in a run that goes on`
}

function reasonFor(steps: readonly ScheduledStep[], event: string): string {
  if (event.startsWith('timeout') || steps.some(({ transition }) => transition.event === 'timeout'))
    return 'its timers fire at moments that the simulator, in which timers are exact, does not have'
  if (steps.some(({ transition }) => transition.event === 'down'))
    return 'its nodes are notified of crashes at moments of their own, in the simulator all at once'
  return 'its order within one moment is not the one of the simulator'
}

const UNCOMPARED = ['at', 'node', 'draws', 'message', 'link']

/** What happens to each node and what it does, without times and numbers. */
function byNode(events: readonly TraceEvent[]): Map<number, string[]> {
  const lists = new Map<number, string[]>()
  for (const event of events) {
    if (event.event === 'cut' || event.event === 'mend') continue
    const said = Object.entries(event).filter(([name]) => !UNCOMPARED.includes(name))
    const text = JSON.stringify(said.sort(([a], [b]) => (a < b ? -1 : 1)))
    lists.set(event.node, [...(lists.get(event.node) ?? []), text])
  }
  return lists
}
