import { rounded } from '../../core/text-format.ts'
import {
  type AggregationRun,
  aggregationCycles,
  type CycleEntry,
  type CycleResult,
  cycleResultOf,
  estimator,
  observe,
  PeriodSimulation,
} from '../../sim/index.ts'
import type { StartedRun, Watching } from '../run.ts'
import type { ElectedCounter } from './count-leader.ts'
import type { AggregationPreparation, AggregationScenario } from './prepare-gossip.ts'

/** The result of an aggregation: what `run --json` prints, without the speed. */
export interface AggregationResult extends CycleResult {
  readonly scenario: AggregationScenario
  /** By what the variance shrinks in a cycle according to theory; null where it says nothing. */
  readonly expected: number | null
  /** The election that found the leader of a count, if there was one; its messages are extra. */
  readonly elected?: ElectedCounter
}

/** An aggregation under way. */
export interface GossipRun extends StartedRun<AggregationResult> {
  readonly gossip: AggregationRun
}

/** Sets up a prepared aggregation. */
export function gossipRun(
  {
    scenario,
    topology,
    tolerance,
    expected,
    elected,
    begin,
  }: Pick<
    AggregationPreparation,
    'scenario' | 'topology' | 'tolerance' | 'expected' | 'elected' | 'begin'
  >,
  { listed, ...watching }: Watching = {},
): GossipRun {
  // Its result counts no messages by link.
  const gossip = begin({ ...watching, traffic: false })
  const rest = aggregationCycles(gossip, scenario)
  const seen: CycleEntry[] = []
  let isUnseen = true
  const cycles = () => {
    if (isUnseen) seen.push(observe(gossip, tolerance, seen.at(-1) ?? null))
    isUnseen = false
    return seen
  }
  return {
    simulation: gossip instanceof PeriodSimulation ? gossip.simulation : null,
    gossip,
    get cycles() {
      return cycles()
    },
    step() {
      cycles()
      const { done, value } = rest.next()
      // A rumor that all know at the beginning has no cycle.
      if (done) return true
      isUnseen = true
      return value
    },
    look: cycles,
    estimate: (node) => estimator(gossip)(node),
    progress: () => progressText(scenario, cycles().at(-1)!),
    share: () => gossip.cycle / scenario.until,
    result: () => ({
      scenario,
      ...cycleResultOf(gossip, topology.links, cycles(), listed),
      expected,
      ...(elected && { elected }),
    }),
    // No bound holds for single runs.
    yardsticks: () => ({ announced: 0, longest: 1, lower: null }),
  }
}

function progressText(
  { until }: AggregationScenario,
  { cycle, variance, within }: CycleEntry,
): string {
  const spread = variance === null ? '-' : rounded(variance, 5)
  const near = `${rounded(100 * within, 4)} % of the nodes within the tolerance`
  return `cycle ${cycle} of ${until}, variance ${spread}, ${near}`
}
