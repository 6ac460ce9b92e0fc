import type { Aggregation } from '../../algorithms/aggregation.ts'
import { offers } from '../../algorithms/kinds.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { NO_FAULT_FIELDS, parseFaults, printFaults } from '../faults/fault-fields.ts'
import { CYCLES, momentOf, TIME, type TimeUnit } from '../fields/time-unit.ts'
import { spontaneousStarts, wakeText } from '../fields/wake.ts'
import type { AggregationScenario } from '../gossip/prepare-gossip.ts'
import { prepare } from '../prepare.ts'
import type { PreparedRun } from '../run.ts'
import type { Scenario, ScenarioInput } from '../scenario.ts'
import { type Intervention, withIntervention } from './intervention.ts'
import { type RunSnapshot, snapshotBefore, snapshotBeforeCycle } from './run-snapshot.ts'

/**
 * The scenario of a run that is the same up to a point in time, event for event, and then differs
 * by one intervention. Parameters that were derived from the world are written out, because the
 * new world could yield others.
 *
 * Interventions in an aggregation happen at the beginning of a cycle, but those in single messages
 * at times of the trace. Where exchanges are atomic, nodes can crash and nothing else can change.
 */
export function fork<D extends Algorithm | Aggregation>(
  given: ScenarioInput | Scenario | AggregationScenario,
  what: D,
  intervention: Intervention,
  readFile?: (path: string) => string,
): D extends Algorithm ? Scenario : D extends Aggregation ? AggregationScenario : never
export function fork(
  given: ScenarioInput | Scenario | AggregationScenario,
  what: Algorithm | Aggregation,
  intervention: Intervention,
  readFile?: (path: string) => string,
): Scenario | AggregationScenario {
  return forkedRun(given, what, intervention, { readFile }).scenario
}

/** What somebody has seen of a run, so that it need not be prepared and simulated for it. */
export interface SeenRun {
  /** Parameters as the run had them, derived from the world or set. */
  readonly params: World['params']
  readonly snapshot: RunSnapshot
}

/** The same, prepared. If the run has been seen, its scenario must be given with all defaults. */
export function forkedRun(
  given: ScenarioInput | Scenario | AggregationScenario,
  what: Algorithm | Aggregation,
  intervention: Intervention,
  { seen, readFile }: { readonly seen?: SeenRun | undefined; readonly readFile?: Reader } = {},
): PreparedRun {
  if ('role' in given) refuseRoles(intervention.what, given.role)
  const before = seen ? null : prepare({ ...given }, what, fieldName, readFile)
  const whole = before?.scenario ?? (given as Scenario | AggregationScenario)
  const isElection = offers(what, 'lead')
  const clock = isElection
    ? electionClock(whole as Scenario)
    : gossipClock(whole as AggregationScenario, intervention)
  const moment = momentOf(intervention.what, intervention.at, clock.unit)
  refuseAfterEnd(intervention, clock.end)
  if (intervention.what === 'wake') refuseSecondElection(whole as Partial<Scenario>)
  const look = (): RunSnapshot => {
    if (before === null) return seen!.snapshot
    return clock.ofCycles && 'begin' in before
      ? snapshotBeforeCycle(before, intervention)
      : snapshotBefore(before.messages()!, moment, intervention)
  }
  const faults = parseFaults({ ...NO_FAULT_FIELDS, ...whole }, fieldName)
  const { wake, ...amended } = withIntervention(faults, intervention, look, {
    fifo: whole.order === 'fifo',
    starts: () => spontaneousStarts({ ...whole, wake: whole.wake! }, look().n, clock.unit),
  })
  const scenario = {
    ...whole,
    ...(isElection && { set: seen?.params ?? before!.messages()!.world.params }),
    ...printFaults(amended),
    ...(wake && { wake: wakeText(wake) }),
  }
  return prepare(scenario, what, fieldName, readFile)
}

type Reader = ((path: string) => string) | undefined

const fieldName = (field: string) => field

/** How an intervention counts time. */
interface Clock {
  readonly unit: TimeUnit
  /** The end of the run. */
  readonly end: number
  /** Whether it happens between two cycles of an aggregation. */
  readonly ofCycles: boolean
}

function electionClock({ timing, until }: Scenario): Clock {
  return { unit: { synchronous: timing === 'sync' }, end: until, ofCycles: false }
}

function gossipClock(scenario: AggregationScenario, { what }: Intervention): Clock {
  if (what !== 'crash') refuseAtomicExchanges(what, scenario)
  const { until, set } = scenario
  if (!concernsMessage(what)) return { unit: CYCLES, end: until, ofCycles: true }
  return { unit: TIME, end: until * Number(set.period), ofCycles: false }
}

function concernsMessage(what: Intervention['what']): boolean {
  return what === 'drop' || what === 'arrive'
}

function refuseAtomicExchanges(what: string, { timing }: AggregationScenario): void {
  if (timing !== 'cycles') return
  throw new UsageError(
    what,
    'works only where nodes exchange messages; in cycles exchanges are atomic.',
    'Use timing async.',
  )
}

function refuseRoles(what: string, role: unknown): void {
  if (!Array.isArray(role)) return
  throw new UsageError(
    what,
    `works only with a single election, but there are ${role.length} roles.`,
    'Use one role at a time.',
  )
}

function refuseAfterEnd({ what, at }: Intervention, until: number): void {
  if (at <= until) return
  throw new UsageError(
    what,
    `time ${at} is after the end of the run, ${until}.`,
    'Choose an earlier time.',
  )
}

/** A second election waits for all spontaneous starts, so another start would move it. */
function refuseSecondElection({ again = 'never' }: Partial<Scenario>): void {
  if (again === 'never') return
  throw new UsageError(
    'wake',
    `works only with a single election, but a second one is held (again ${again}).`,
    'Leave out again.',
  )
}
