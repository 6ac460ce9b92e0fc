import { convergenceFactor } from '../../algorithms/gossip/convergence.ts'
import { estimatesAverage, Random, type Topology, UsageError } from '../../core/index.ts'
import { partnersOf } from '../../core/language/aggregate.ts'
import { grouped } from '../../core/text-format.ts'
import { type CycleConditions, CycleSimulation } from '../../sim/index.ts'
import { NO_FAULT_FIELDS, parseFaults } from '../faults/fault-fields.ts'
import { crashSchedule } from '../faults/fault-plan.ts'
import { validateFaults } from '../faults/fault-validation.ts'
import { CYCLES } from '../fields/time-unit.ts'
import { cycleRunBytes } from '../memory-need.ts'
import { viewOf } from './gossip-settings.ts'
import type { GossipNetwork, GossipSetup } from './prepare-gossip.ts'

/** Gossip in cycles, with atomic exchanges. */
export function inCycles(network: GossipNetwork): GossipSetup {
  const { scenario, aggregate, topology, changes, leader, where } = network
  const { set, loss, crash, seed } = scenario
  const random = Random.from(seed)
  const { n, kind } = topology
  const faults = parseFaults({ ...NO_FAULT_FIELDS, crash }, where)
  validateFaults(faults, { topology, unit: CYCLES, keyed: true }, where)
  const crashes = crashSchedule(faults, n, CYCLES, random.split('crash'))
  const view = viewOf(set.peers ?? 'links') ?? 0
  refuseMatchings(where(view > 0 ? 'set' : 'topology'), set.order, topology, view)
  refuseLargeViews(where('set'), n, view)
  if (partnersOf(aggregate) === 'neighbours') refuseManyLinks(where('topology'), topology)
  const { order, deaf = 0, epoch = 0, evaporation = 0, leave, join } = set
  const conditions = {
    order,
    view,
    leader,
    deaf,
    epoch,
    evaporation,
    leave,
    join,
    loss,
    crashes,
    changes,
    random: random.split('cycles'),
  } as CycleConditions
  const steady =
    crashes.nodes.length === 0 &&
    [epoch, evaporation, deaf, leave, join].every((setting) => setting === 0)
  const averages = estimatesAverage(aggregate)
  const complete = kind === 'complete' && view === 0
  return {
    expected:
      steady && averages ? convergenceFactor({ n, complete, order: String(order), loss }) : null,
    bytes: () => cycleRunBytes(aggregate, topology, order === 'together'),
    messages: () => null,
    begin: () => new CycleSimulation(aggregate, topology, network.values(), conditions),
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
    `perfect matchings need a complete network of 4 or more nodes, an even number, not ${view > 0 ? `newscast:${view}` : name}.`,
    'Use for example complete:8, or another order.',
  )
}

/** Each entry takes eight bytes. */
const MOST_ENTRIES = 2 ** 27

function refuseLargeViews(where: string, n: number, view: number): void {
  if (n * view <= MOST_ENTRIES) return
  throw new UsageError(
    where,
    `${grouped(n)} views of ${grouped(view)} entries exceed the limit of ${grouped(MOST_ENTRIES)} entries in total.`,
    'Use smaller views or fewer nodes.',
  )
}

/** Every link takes part in every round, in both directions. */
const MOST_LINKS = 2 ** 26

function refuseManyLinks(where: string, { name, links, n }: Topology): void {
  if (links <= MOST_LINKS) return
  throw new UsageError(
    where,
    `all neighbours take part in every round, and ${name} has ${grouped(links)} links; up to ${grouped(MOST_LINKS)} are possible.`,
    `Use a sparse network, for example k-out:${n}:20.`,
  )
}
