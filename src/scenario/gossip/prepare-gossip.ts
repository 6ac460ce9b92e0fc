import type { Aggregation } from '../../algorithms/aggregation.ts'
import { Random, type Topology, UsageError } from '../../core/index.ts'
import type { Aggregate, AggregateRow } from '../../core/language/aggregate.ts'
import { grouped } from '../../core/text-format.ts'
import { integer, refuseUnknownFields, text, word } from '../../options/reading.ts'
import type { AggregationRun, Changes, Observers } from '../../sim/index.ts'
import { REMARKS, type Remarks, readRemarks } from '../fields/remarks.ts'
import { sizedNetwork } from '../fields/sized-network.ts'
import { changesOf, readChanges, type ValueField, valuesOf } from '../fields/values.ts'
import type { MessageWorld, PreparedRun, Watching } from '../run.ts'
import type { FieldLocator, ScenarioInput } from '../scenario.ts'
import { type ElectedCounter, leaderOf } from './count-leader.ts'
import { inCycles } from './gossip-cycles.ts'
import { gossipByMessages, type MessageFields, readMessageFields } from './gossip-messages.ts'
import { type GossipRun, gossipRun } from './gossip-run.ts'
import {
  defaultTiming,
  type GossipTiming,
  messageFields,
  needsRounds,
  readGossipSettings,
  share,
} from './gossip-settings.ts'

/** An aggregation as one document, with all defaults. */
export interface AggregationScenario extends Partial<MessageFields>, Remarks {
  readonly algorithm: string
  readonly topology: string
  readonly timing: GossipTiming
  readonly crash: string
  readonly loss: number
  /** Includes the changes over time, as given. */
  readonly values: ValueField
  readonly set: Readonly<Record<string, number | string>>
  /** The number of cycles. */
  readonly until: number
  /** No cycle begins after this many messages. */
  readonly 'max-messages'?: number
  readonly seed: number
}

/** An aggregation ready to run: its complete scenario, and what the engines need. */
export interface AggregationPreparation extends GossipSetup, PreparedRun {
  readonly scenario: AggregationScenario
  /** The relative error up to which an estimate counts as right. */
  readonly tolerance: number
  /** The node that holds the 1 of a count, if it was elected. */
  readonly elected: ElectedCounter | null
  messages(): GossipMessages | null
  bytes(): number
  run(watching?: Watching): GossipRun
}

/** A gossip by messages before its first event. */
export interface GossipMessages extends MessageWorld {
  readonly changes: Changes
}

/** What depends on the timing of exchanges. */
export interface GossipSetup {
  /** The variance factor per cycle that theory predicts; null where it predicts none. */
  readonly expected: number | null
  /** About how many bytes of memory the run takes. */
  bytes(): number
  begin(watching?: Observers): AggregationRun
  /** The world before the first event, and its conditions; null in cycles. */
  messages(): GossipMessages | null
}

/** What both timings have in common. */
export interface GossipNetwork {
  readonly scenario: AggregationScenario
  readonly aggregation: Aggregation
  readonly aggregate: Aggregate
  readonly topology: Topology
  readonly changes: Changes
  /** The position that holds the 1 of a count; null: drawn at random. */
  readonly leader: number | null
  readonly where: FieldLocator
  readonly readFile?: ((path: string) => string) | undefined
  /** A new array of the initial values. */
  values(): Float64Array
}

/** By default as many cycles are run. */
const USUAL_CYCLES = 30

const FIELDS = [
  ...REMARKS,
  'algorithm',
  'topology',
  'n',
  'timing',
  'crash',
  'loss',
  'values',
  'set',
  'until',
  'max-messages',
  'seed',
]

/** A rumor ends by itself. */
const MOST_ROUNDS = 10_000

/** Reads the scenario of an aggregation, rejects what is impossible, and builds the run. */
export function prepareGossip(
  given: ScenarioInput,
  aggregation: Aggregation,
  where: FieldLocator,
  readFile?: (path: string) => string,
): AggregationPreparation {
  const timing = readTiming(given, aggregation, where)
  const seed = integer(where('seed'), given.seed ?? 1, 0, Number.MAX_SAFE_INTEGER)
  const { values: listed, changes: later } = readChanges(
    where('values'),
    given.values ?? 'uniform:0:1',
  )
  const topology = networkOf(given, { values: listed, seed }, where, readFile)
  const { n } = topology
  const complete = topology.kind === 'complete'
  const set = readGossipSettings(where('set'), given.set ?? {}, aggregation, timing, complete)
  const aggregate = aggregation.aggregate({ ...set, n })
  const values = () => valuesOf(where('values'), listed, n, Random.from(seed).split('values'))
  if (aggregate.row) refuseLargeRows(where('set'), aggregate.row, topology, set)
  const usual =
    aggregate.cycles?.(values()) ?? (aggregate.calls === undefined ? USUAL_CYCLES : MOST_ROUNDS)
  const scenario: AggregationScenario = {
    ...readRemarks(given, where),
    algorithm: aggregation.name,
    topology: topology.name,
    timing,
    ...(timing === 'async' && readMessageFields(given, aggregation, where)),
    crash: given.crash === undefined ? 'none' : text(where('crash'), given.crash, '7 or 0.5@10'),
    loss: share(where('loss'), given.loss ?? 0),
    values: later.length === 0 ? listed : String(given.values),
    set,
    until: integer(where('until'), given.until ?? usual, 1, 1_000_000, 'a number of cycles'),
    ...maxMessages(given['max-messages'], where),
    seed,
  }
  refuseFewNodes(where('set'), aggregate, n)
  const changes = changesOf(where('values'), later, n)
  if (aggregate.accepts) refuseValues(where('values'), aggregation.name, aggregate, values())
  const { leader, elected } = leaderOf(
    where('set'),
    set.leader ?? 'drawn',
    topology,
    seed,
    readFile,
  )
  const ground = {
    scenario,
    aggregation,
    aggregate,
    topology,
    changes,
    leader,
    where,
    values,
    readFile,
  }
  const ready = {
    scenario,
    topology,
    tolerance: Number(set.tolerance),
    elected,
    ...(timing === 'cycles' ? inCycles(ground) : gossipByMessages(ground)),
  }
  return { ...ready, run: (watching) => gossipRun(ready, watching) }
}

/** The timing, in which the fields that are given must mean something. */
function readTiming(given: ScenarioInput, aggregation: Aggregation, where: FieldLocator) {
  const implied = defaultTiming(given, aggregation)
  const timing = word(where('timing'), given.timing ?? implied, ['async', 'cycles'])
  if (timing === 'cycles' && aggregation.only === 'async')
    throw handlersInCycles(where(given.timing === undefined ? 'set' : 'timing'), aggregation.name)
  const weaker = needsRounds(aggregation) ? ['allow-weaker'] : []
  const byMessage = [...messageFields(aggregation), ...weaker]
  const known = timing === 'cycles' ? FIELDS : [...FIELDS, ...byMessage]
  const whose = `${aggregation.name} ${timing === 'cycles' ? 'in cycles' : 'by messages'}`
  refuseUnknownFields(given, known, whose, where)
  return timing
}

function networkOf(
  given: ScenarioInput,
  world: { readonly values: ValueField; readonly seed: number },
  where: FieldLocator,
  readFile?: (path: string) => string,
): Topology {
  const named = given.topology
  const wanted =
    named === undefined
      ? world
      : { ...world, topology: text(where('topology'), named, 'complete:8') }
  return sizedNetwork(given, wanted, (n) => `complete:${n}`, readFile ? { readFile } : {}, where)
}

function maxMessages(given: unknown, where: FieldLocator) {
  if (given === undefined) return {}
  const field = where('max-messages')
  const most = Number.MAX_SAFE_INTEGER
  return { 'max-messages': integer(field, given, 1, most, 'a whole number', 10_000_000) }
}

function handlersInCycles(where: string, name: string): UsageError {
  return new UsageError(
    where,
    `${name} has handlers of its own, and in cycles numbers are exchanged without them.`,
    'Use timing async, or define it with gossip({ ... }).',
  )
}

function refuseFewNodes(where: string, { chosen }: Aggregate, n: number): void {
  if (chosen <= n) return
  throw new UsageError(
    where,
    `${grouped(chosen)} instances need as many nodes, but there are ${grouped(n)}.`,
    'Use fewer instances.',
  )
}

/** The rows of all nodes take at most 2 GB, and so do the messages of a round of flooding. */
const MOST_BYTES = 2 ** 31
const MOST_FLOODED = 2 ** 27

function refuseLargeRows(
  where: string,
  { length, bytes, floods }: AggregateRow,
  { n, name, channels }: Topology,
  { peers }: AggregationScenario['set'],
): void {
  // Flooding keeps the rows of the round before.
  const needed = n * length * (bytes ? 1 : 8) * (floods ? 2 : 1)
  if (needed > MOST_BYTES)
    throw new UsageError(
      where,
      `${grouped(n)} nodes with ${grouped(length)} ${bytes ? 'bytes' : 'numbers'} each take ${grouped(Math.ceil(needed / 2 ** 20))} MB; the limit is ${grouped(MOST_BYTES / 2 ** 20)} MB.`,
      `Use fewer nodes, ${floods ? 'how=exchange, ' : ''}or shorter rows: at most ${grouped(Math.floor((length * MOST_BYTES) / needed))}.`,
    )
  if (floods && peers !== undefined && peers !== 'links')
    throw new UsageError(
      where,
      `flooding needs links that stay, and ${peers} gives nodes new peers in every cycle.`,
      'Use how=exchange, or peers=links.',
    )
  if (floods && channels > MOST_FLOODED)
    throw new UsageError(
      where,
      `a round of flooding on ${name} takes too many messages.`,
      'Use how=exchange, or a network with fewer links.',
    )
}

function refuseValues(
  where: string,
  name: string,
  { accepts, domain, remedy = 'Use for example uniform:1:2.' }: Aggregate,
  values: Float64Array,
): void {
  const wrong = values.find((value) => !accepts?.(value))
  if (wrong === undefined) return
  throw new UsageError(where, `${name} needs ${domain}, not ${wrong}.`, remedy)
}
