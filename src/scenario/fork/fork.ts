import type { Aggregation } from '../../algorithms/index.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import { CYCLES, momentOf } from '../fields/schedule-text.ts'
import { type AggregationScenario, prepareAggregation } from '../gossip/prepare-gossip.ts'
import { prepare } from '../prepare.ts'
import { flagged, type Scenario, type ScenarioInput } from '../scenario.ts'
import { type Intervention, withIntervention } from './intervention.ts'
import { snapshotBefore, snapshotBeforeCycle } from './run-snapshot.ts'

/**
 * The scenario of a run that is the same up to a moment, and in which something happens then: all
 * that comes before it, event for event, stays as it was. What was computed from the world is
 * written out, since it might be another in the new one. On rings that close over their dead,
 * messages carry the number of an attempt as soon as somebody dies in the course of the run: there,
 * and only there, bodies before the moment show `attempt: 0` besides.
 */
export function fork(
  given: ScenarioInput | Scenario,
  algorithm: Algorithm,
  intervention: Intervention,
  readFile?: (path: string) => string,
): Scenario {
  const { what, at } = intervention
  refuseRoles(what, given.role)
  const before = prepare({ ...given }, algorithm, flagged, readFile)
  const { scenario, world, conditions } = before
  const moment = momentOf(what, String(at), conditions)
  refuseAfterEnd(what, at, scenario.until)
  if (what === 'wake') refuseSecondElection(scenario)
  const scene = () => snapshotBefore(before, moment, { mailed: concernsMail(what) })
  const changed = withIntervention(scenario, intervention, scene)
  return prepare({ ...scenario, set: world.params, ...changed }, algorithm, flagged, readFile)
    .scenario
}

/**
 * The same for an aggregation; its moments are the beginnings of cycles, but times of the trace
 * for single messages. Where exchanges are done at once nodes can die, and nothing else be done.
 */
export function forkAggregation(
  given: ScenarioInput | AggregationScenario,
  aggregation: Aggregation,
  intervention: Intervention,
  readFile?: (path: string) => string,
): AggregationScenario {
  const { what, at } = intervention
  const before = prepareAggregation({ ...given }, aggregation, flagged, readFile)
  const { scenario } = before
  if (what !== 'crash') refuseCycles(what, scenario)
  const mailed = concernsMail(what)
  const moment = momentOf(what, String(at), mailed ? { synchronous: false } : CYCLES)
  refuseAfterEnd(what, at, scenario.until * (mailed ? Number(scenario.set.period) : 1))
  const scene = () =>
    mailed ? snapshotBefore(before.world!(), moment, { mailed }) : snapshotBeforeCycle(before, at)
  const changed = withIntervention(scenario, intervention, scene)
  return prepareAggregation({ ...scenario, ...changed }, aggregation, flagged, readFile).scenario
}

function concernsMail(what: Intervention['what']): boolean {
  return what === 'drop' || what === 'arrive'
}

function refuseCycles(what: string, { timing }: AggregationScenario): void {
  if (timing !== 'cycles') return
  throw new UsageError(
    what,
    'a run by messages is needed, but exchanges are done at once.',
    'Use --timing async.',
  )
}

function refuseRoles(what: string, role: unknown): void {
  if (!Array.isArray(role)) return
  throw new UsageError(
    what,
    `a run of one election is needed, but there are ${role.length} roles.`,
    'Take one of them by itself.',
  )
}

function refuseAfterEnd(what: string, at: number, until: number): void {
  if (at <= until) return
  throw new UsageError(
    what,
    `a moment up to ${until}, where the run ends, is needed, but ${at} was given.`,
    'Choose an earlier one.',
  )
}

/** A second election waits for those who are to start by themselves, so that it would be moved. */
function refuseSecondElection({ again }: Scenario): void {
  if (again === 'never') return
  throw new UsageError(
    'wake',
    `a run of one election is needed, but a second one is held, --again ${again}.`,
    'Leave that out.',
  )
}
