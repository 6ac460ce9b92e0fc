import { convergenceFactor } from '../../algorithms/index.ts'
import { Random, type Topology, UsageError } from '../../core/index.ts'
import { type CycleConditions, CycleSimulation } from '../../sim/index.ts'
import { CYCLES, crashPlan } from '../fields/schedule-text.ts'
import { viewOf } from './gossip-settings.ts'
import type { GossipNetwork, GossipSetup } from './prepare-gossip.ts'

/** Every exchange is done at once. */
export function inCycles(ground: GossipNetwork): GossipSetup {
  const { scenario, aggregate, topology, changes, leader, where } = ground
  const { set, loss, crash, seed } = scenario
  const random = Random.from(seed)
  const { n, kind } = topology
  const crashes = crashPlan(where('crash'), crash, n, CYCLES, random.split('crash'))
  const view = viewOf(set.peers) ?? 0
  refuseMatchings(where(view > 0 ? 'set' : 'topology'), set.order, topology, view)
  refuseLargeViews(where('set'), n, view)
  const { order, deaf, epoch, evaporation, leave, join } = set
  const conditions = {
    ...{ order, view, leader, deaf, epoch, evaporation, leave, join, loss, crashes, changes },
    random: random.split('cycles'),
  } as CycleConditions
  const steady =
    crashes.nodes.length === 0 &&
    [epoch, evaporation, deaf, leave, join].every((setting) => setting === 0)
  const averages = aggregate.parts.every(({ rule }) => rule.change !== undefined)
  const complete = kind === 'complete' && view === 0
  return {
    expected:
      steady && averages ? convergenceFactor({ complete, order: String(order), loss }) : null,
    begin: () => new CycleSimulation(aggregate, topology, ground.values(), conditions),
  }
}

function refuseMatchings(
  where: string,
  order: unknown,
  { name, kind, n }: Topology,
  view: number,
): void {
  const possible = kind === 'complete' && view === 0 && n % 2 === 0 && n > 2
  if (order !== 'matchings' || possible) return
  throw new UsageError(
    where,
    `perfect matchings need a complete network of an even number of nodes, 4 or more, but ${view > 0 ? `newscast:${view}` : name} was given.`,
    'Use for example complete:8, or another order.',
  )
}

/** Eight bytes for each entry of a view. */
const MOST_ENTRIES = 2 ** 27

function refuseLargeViews(where: string, n: number, view: number): void {
  if (n * view <= MOST_ENTRIES) return
  throw new UsageError(
    where,
    `views have at most ${MOST_ENTRIES} entries in all, but there are ${n} nodes with ${view} each.`,
    'Use fewer.',
  )
}
