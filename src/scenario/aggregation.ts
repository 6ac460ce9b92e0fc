import type { Aggregation } from '../algorithms/index.ts'
import { convergenceFactor } from '../algorithms/index.ts'
import type { Aggregate } from '../core/aggregate.ts'
import { Complaint, Random, type Topology } from '../core/index.ts'
import { type CycleConditions, CycleSimulation } from '../sim/index.ts'
import { type Elected, leaderOf } from './count-leader.ts'
import { refuseFields } from './fields.ts'
import { readGossipSettings, share, viewOf } from './gossip-settings.ts'
import { crashPlan } from './plan.ts'
import { integer, quoted, text } from './reading.ts'
import type { Given, Where } from './scenario.ts'
import { sizedNetwork } from './sized-network.ts'
import { changesOf, readChanges, type Values, valuesOf } from './values.ts'

/** An aggregation as one document, every default written out. */
export interface AggregationScenario {
  readonly algorithm: string
  readonly topology: string
  readonly timing: 'cycles'
  readonly crash: string
  readonly loss: number
  /** With what changes them, as it was given. */
  readonly values: Values
  readonly set: Readonly<Record<string, number | string>>
  /** How many cycles there are. */
  readonly until: number
  readonly seed: number
}

export interface AggregationPreparation {
  readonly scenario: AggregationScenario
  readonly topology: Topology
  /** By which factor theory says that the variance shrinks in a cycle, if it does say. */
  readonly expected: number | null
  /** How near an estimate must be to the truth to count as right. */
  readonly tolerance: number
  /** Who holds the 1 of a count, where an election has found it. */
  readonly elected: Elected | null
  begin(): CycleSimulation
}

const FIELDS = [
  'algorithm',
  'topology',
  'n',
  'timing',
  'crash',
  'loss',
  'values',
  'set',
  'until',
  'seed',
]

/** Reads what was given, refuses what cannot be, and builds the world of an aggregation. */
export function prepareAggregation(
  given: Given,
  aggregation: Aggregation,
  where: Where,
  readFile?: (path: string) => string,
): AggregationPreparation {
  refuseFields(given, FIELDS, `${aggregation.name} in cycles`, where)
  refuseOtherTiming(where('timing'), given.timing ?? 'cycles')
  const seed = integer(where('seed'), given.seed ?? 1, 0, Number.MAX_SAFE_INTEGER)
  const { values: listed, changes: later } = readChanges(
    where('values'),
    given.values ?? 'uniform:0:1',
  )
  const named = given.topology
  const wanted = {
    ...(named !== undefined && { topology: text(where('topology'), named, 'complete:8') }),
    values: listed,
    seed,
  }
  const options = readFile ? { readFile } : {}
  const topology = sizedNetwork(given, wanted, (n) => `complete:${n}`, options, where)
  const { n } = topology
  const random = Random.from(seed)
  const scenario: AggregationScenario = {
    algorithm: aggregation.name,
    topology: topology.name,
    timing: 'cycles',
    crash: given.crash === undefined ? 'none' : text(where('crash'), given.crash, '7 or 0.5@10'),
    loss: share(where('loss'), given.loss ?? 0),
    values: later.length === 0 ? listed : String(given.values),
    set: readGossipSettings(where('set'), given.set ?? {}, aggregation),
    until: integer(where('until'), given.until ?? 30, 1, 1_000_000, 'a number of cycles'),
    seed,
  }
  const { set, loss } = scenario
  const aggregate = aggregation.aggregate(set as Readonly<Record<string, number>>)
  const crashes = crashPlan(
    where('crash'),
    scenario.crash,
    n,
    { synchronous: true, step: 'cycle' },
    random.split('crash'),
  )
  const view = viewOf(set.peers) ?? 0
  refuseMatchings(where(view > 0 ? 'set' : 'topology'), set.order, topology, view)
  refuseLargeViews(where('set'), n, view)
  refuseFewNodes(where('set'), aggregate, n)
  const changes = changesOf(where('values'), later, n)
  const held = () => valuesOf(where('values'), listed, n, random.split('values'))
  if (aggregate.accepts) refuseValues(where('values'), aggregation.name, aggregate, held())
  const { leader, elected } = leaderOf(
    where('set'),
    set.leader ?? 'drawn',
    topology,
    seed,
    readFile,
  )
  const { order, deaf, epoch, evaporation, leave, join, tolerance } = set
  const conditions = {
    ...{ order, view, leader, deaf, epoch, evaporation, leave, join, loss, crashes, changes },
    random: random.split('cycles'),
  } as CycleConditions
  const steady =
    crashes.nodes.length === 0 &&
    [epoch, evaporation, deaf, leave, join].every((setting) => setting === 0)
  const averages = aggregate.parts.every(({ rule }) => rule.change !== undefined)
  const { kind } = topology
  return {
    scenario,
    topology,
    expected:
      steady && averages
        ? convergenceFactor({
            complete: kind === 'complete' && view === 0,
            order: String(order),
            loss,
          })
        : null,
    tolerance: Number(tolerance),
    elected,
    begin: () => new CycleSimulation(aggregate, topology, held(), conditions),
  }
}

function refuseOtherTiming(where: string, timing: unknown): void {
  if (timing === 'cycles') return
  throw new Complaint(
    where,
    'aggregations run in cycles',
    `${quoted(timing)} was given`,
    'Use --timing cycles.',
  )
}

function refuseMatchings(
  where: string,
  order: unknown,
  { name, kind, n }: Topology,
  view: number,
): void {
  const possible = kind === 'complete' && view === 0 && n % 2 === 0 && n > 2
  if (order !== 'matchings' || possible) return
  throw new Complaint(
    where,
    'perfect matchings need a complete network of an even number of nodes, 4 or more',
    `${view > 0 ? `newscast:${view}` : name} was given`,
    'Use for example complete:8, or another order.',
  )
}

/** Eight bytes for each entry of a view. */
const MOST_ENTRIES = 2 ** 27

function refuseLargeViews(where: string, n: number, view: number): void {
  if (n * view <= MOST_ENTRIES) return
  throw new Complaint(
    where,
    `views have at most ${MOST_ENTRIES} entries in all`,
    `there are ${n} nodes with ${view} each`,
    'Use fewer.',
  )
}

function refuseFewNodes(where: string, { chosen }: Aggregate, n: number): void {
  if (chosen <= n) return
  throw new Complaint(
    where,
    'every instance needs a node of its own',
    `there are ${chosen} instances and ${n} nodes`,
    'Use fewer.',
  )
}

function refuseValues(
  where: string,
  name: string,
  { accepts, domain }: Aggregate,
  values: Float64Array,
): void {
  const wrong = values.find((value) => !accepts?.(value))
  if (wrong === undefined) return
  throw new Complaint(
    where,
    `${name} needs ${domain}`,
    `${wrong} is among them`,
    'Use for example uniform:1:2.',
  )
}
