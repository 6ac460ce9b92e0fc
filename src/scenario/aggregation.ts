import type { Aggregation } from '../algorithms/index.ts'
import { convergenceFactor } from '../algorithms/index.ts'
import type { Aggregate } from '../core/aggregate.ts'
import { Complaint, Random, type Topology } from '../core/index.ts'
import { type CycleConditions, CycleSimulation, pairingOrders } from '../sim/index.ts'
import { refuseFields } from './fields.ts'
import { crashPlan } from './plan.ts'
import { decimal, integer, quoted, text, word } from './reading.ts'
import type { Given, Where } from './scenario.ts'
import { settingPairs } from './settings.ts'
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
  begin(): CycleSimulation
}

interface GossipSetting {
  readonly says: string
  readonly otherwise: number | string
  read(where: string, value: unknown): number | string
}

/** A number that may be negative, which `decimal` alone does not read. */
function number(needed: string, accepts: (value: number) => boolean) {
  return (where: string, value: unknown): number => {
    const negative = typeof value === 'string' && value.startsWith('-')
    const size = negative ? value.slice(1) : value
    return (
      (negative ? -1 : 1) *
      decimal(where, size, needed, 1, (amount) => accepts(negative ? -amount : amount))
    )
  }
}

const share = number('a number from 0 to 1', (p) => p >= 0 && p <= 1)

/** What may be set for every aggregation. */
const common: Readonly<Record<string, GossipSetting>> = {
  order: {
    says: `how the pairs of a cycle are found: ${pairingOrders.join(', ')}`,
    otherwise: 'fresh',
    read: (where, value) => word(where, value, pairingOrders),
  },
  epoch: {
    says: 'after how many cycles all begin anew; 0: never',
    otherwise: 0,
    read: (where, value) => integer(where, value, 0, Number.MAX_SAFE_INTEGER, 'whole cycles'),
  },
  evaporation: {
    says: 'how far estimates go back to the own value in a cycle, from 0 to 1',
    otherwise: 0,
    read: share,
  },
  deaf: { says: 'the share of the nodes that nobody ever picks', otherwise: 0, read: share },
  tolerance: {
    says: 'how near the truth an estimate must be, relative to it',
    otherwise: 0.01,
    read: number('a number of 0 or more', (value) => value >= 0),
  },
}

/** Everything that may be set for an aggregation. */
export function gossipSettings({ settings }: Aggregation): Readonly<Record<string, GossipSetting>> {
  const own = Object.entries(settings).map(
    ([name, { says, otherwise, needed, accepts }]): [string, GossipSetting] => [
      name,
      { says, otherwise, read: number(needed, accepts) },
    ],
  )
  return { ...Object.fromEntries(own), ...common }
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
    set: settingsOf(where('set'), given.set ?? {}, aggregation),
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
  refuseMatchings(where('topology'), set.order, topology)
  refuseFewNodes(where('set'), aggregate, n)
  const changes = changesOf(where('values'), later, n)
  const held = () => valuesOf(where('values'), listed, n, random.split('values'))
  if (aggregate.accepts) refuseValues(where('values'), aggregation.name, aggregate, held())
  const { order, deaf, epoch, evaporation, tolerance } = set
  const conditions = {
    ...{ order, deaf, epoch, evaporation, loss, crashes, changes },
    random: random.split('cycles'),
  } as CycleConditions
  const steady = crashes.nodes.length === 0 && epoch === 0 && evaporation === 0 && deaf === 0
  const averages = aggregate.parts.every(({ rule }) => rule.change !== undefined)
  const { kind } = topology
  return {
    scenario,
    topology,
    expected:
      steady && averages
        ? convergenceFactor({ complete: kind === 'complete', order: String(order), loss })
        : null,
    tolerance: Number(tolerance),
    begin: () => new CycleSimulation(aggregate, topology, held(), conditions),
  }
}

function settingsOf(where: string, value: unknown, aggregation: Aggregation) {
  const known = gossipSettings(aggregation)
  const read = settingPairs(value).map(([name, setting]): [string, number | string] => {
    if (Object.hasOwn(known, name)) return [name, known[name].read(where, setting)]
    throw new Complaint(
      where,
      `${aggregation.name} has the parameters ${Object.keys(known).join(', ')}`,
      `${quoted(name)} was given`,
      `See conclave explain ${aggregation.name}.`,
    ).meaning(name, Object.keys(known))
  })
  const defaults = Object.entries(known).map(([name, { otherwise }]) => [name, otherwise])
  return { ...Object.fromEntries(defaults), ...Object.fromEntries(read) }
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

function refuseMatchings(where: string, order: unknown, { name, kind, n }: Topology): void {
  if (order !== 'matchings' || (kind === 'complete' && n % 2 === 0 && n > 2)) return
  throw new Complaint(
    where,
    'perfect matchings need a complete network of an even number of nodes, 4 or more',
    `${name} was given`,
    'Use for example complete:8, or another order.',
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
