import type { Aggregation } from '../../algorithms/aggregation.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import type { Preparation } from '../election/prepare-election.ts'
import { NO_FAULT_FIELDS, parseFaults, printFaults } from '../faults/fault-fields.ts'
import { CYCLES, momentOf, TIME } from '../fields/time-unit.ts'
import { wakeText } from '../fields/wake.ts'
import type { AggregationPreparation, AggregationScenario } from '../gossip/prepare-gossip.ts'
import { prepare } from '../prepare.ts'
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
export function fork(
  given: ScenarioInput | Scenario,
  what: Algorithm,
  intervention: Intervention,
  readFile?: (path: string) => string,
): Scenario
export function fork(
  given: ScenarioInput | AggregationScenario,
  what: Aggregation,
  intervention: Intervention,
  readFile?: (path: string) => string,
): AggregationScenario
export function fork(
  given: ScenarioInput | Scenario | AggregationScenario,
  what: Algorithm | Aggregation,
  intervention: Intervention,
  readFile?: (path: string) => string,
): Scenario | AggregationScenario {
  if ('role' in given) refuseRoles(intervention.what, given.role)
  const before = prepare({ ...given }, what, fieldName, readFile)
  const { derived, look } =
    'begin' in before
      ? aggregationBefore(before, intervention)
      : electionBefore(before, intervention)
  const faults = parseFaults({ ...NO_FAULT_FIELDS, ...before.scenario }, fieldName)
  const { wake, ...amended } = withIntervention(faults, intervention, look)
  const scenario = {
    ...before.scenario,
    ...derived,
    ...printFaults(amended),
    ...(wake && { wake: wakeText(wake) }),
  }
  return prepare(scenario, what, fieldName, readFile).scenario
}

const fieldName = (field: string) => field

/** How to look at a run before the intervention, and the fields that were derived from it. */
interface Before {
  readonly derived: ScenarioInput
  look(): RunSnapshot
}

function electionBefore(before: Preparation, { what, at }: Intervention): Before {
  const { scenario, world, conditions } = before
  const moment = momentOf(what, at, conditions)
  refuseAfterEnd(what, at, scenario.until)
  if (what === 'wake') refuseSecondElection(scenario)
  const messages = concernsMessage(what)
  return {
    derived: { set: world.params },
    look: () => snapshotBefore(before, moment, { messages }),
  }
}

function aggregationBefore(before: AggregationPreparation, { what, at }: Intervention): Before {
  const { scenario } = before
  if (what !== 'crash') refuseAtomicExchanges(what, scenario)
  const messages = concernsMessage(what)
  const moment = momentOf(what, at, messages ? TIME : CYCLES)
  refuseAfterEnd(what, at, scenario.until * (messages ? Number(scenario.set.period) : 1))
  return {
    derived: {},
    look: () =>
      messages
        ? snapshotBefore(before.world!(), moment, { messages })
        : snapshotBeforeCycle(before, at),
  }
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

function refuseAfterEnd(what: string, at: number, until: number): void {
  if (at <= until) return
  throw new UsageError(
    what,
    `time ${at} is after the end of the run, ${until}.`,
    'Choose an earlier time.',
  )
}

/** A second election waits for all spontaneous starts, so another start would move it. */
function refuseSecondElection({ again }: Scenario): void {
  if (again === 'never') return
  throw new UsageError(
    'wake',
    `works only with a single election, but a second one is held (again ${again}).`,
    'Leave out again.',
  )
}
