import { KNOWLEDGE } from '../../algorithms/assumptions.ts'
import { byFamily } from '../../algorithms/families.ts'
import { type Aggregation, isAggregation } from '../../algorithms/index.ts'
import { traitsOf } from '../../algorithms/traits.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import { enumerated } from '../../core/text-format.ts'
import { electionRun } from '../../scenario/election/election-run.ts'
import { gossipSettings } from '../../scenario/gossip/gossip-settings.ts'
import { flagged, prepare, type ScenarioInput } from '../../scenario/index.ts'
import {
  type AggregationRun,
  aggregationCycles,
  type CycleEntry,
  factsOf,
  observe,
} from '../../sim/index.ts'
import { readText } from '../input/read-file.ts'
import { aggregates, algorithmBehind, finds } from './computed-functions.ts'
import { type OfferedWorld, TIMINGS } from './offered-world.ts'

/** The runs of a measurement: seeds one after the other. */
export const RUNS = 5
/** Larger worlds, and runs with more messages, are not simulated. */
const MOST_NODES = 1_000
const MOST_MESSAGES = 200_000
/** How long an algorithm that never falls silent is measured, and an aggregation. */
export const ENDLESS_TIME = 100
const MOST_CYCLES = 200
/** Where nodes may crash, the node at position 0 of an aggregation does, in this cycle. */
const CRASH_CYCLE = 3
/** After so many cycles it then begins anew, where it can: the crash has changed the truth. */
const EPOCH = 30

/** What one thing costs: proven for this world, and measured in it. */
export interface Cost {
  readonly measured: number | null
  /** No run exceeds it. */
  readonly worst: number | null
  readonly formula: string | null
}

export interface FittingCandidate {
  readonly name: string
  /** In general, in words. */
  readonly cost: string
  readonly messages: Cost
  readonly time: Cost
  readonly bits: Cost
  /** Measured up to this time, since it never falls silent; null where it ends. */
  readonly until: number | null
  /** Why it was not simulated; null where it was. */
  readonly unmeasured: string | null
  /** Of how many runs a property was violated, or undecided. */
  readonly failed: number
  /** The command that runs it there. */
  readonly scenario: ScenarioInput
}

export interface UnfitCandidate {
  readonly name: string
  readonly reasons: readonly string[]
  /** Whether already the network is not one that it needs: the first reason. */
  readonly elsewhere: boolean
}

export interface RankedCandidates {
  readonly fits: readonly FittingCandidate[]
  readonly unfit: readonly UnfitCandidate[]
}

/** What of the catalogue fits a world: the cheapest first, and the reasons of all others. */
export function candidatesFor(world: OfferedWorld): RankedCandidates {
  const fits: FittingCandidate[] = []
  const unfit: UnfitCandidate[] = []
  for (const definition of byFamily().filter((one) => solves(one, world))) {
    const { name } = definition
    const network = networkReasons(definition, world)
    const reasons = [...network, ...reasonsAgainst(definition, world)]
    const elsewhere = network.length > 0
    const candidate = reasons.length > 0 ? reasons : fitting(definition, world)
    if (Array.isArray(candidate)) unfit.push({ name, reasons: candidate, elsewhere })
    else fits.push(candidate)
  }
  return { fits: fits.toSorted((a, b) => expense(a, world) - expense(b, world)), unfit }
}

function solves(definition: Algorithm | Aggregation, { compute }: OfferedWorld): boolean {
  if (isAggregation(definition)) return aggregates(definition, compute)
  return compute === 'leader' ? !traitsOf(definition).aggregates : finds(definition, compute)
}

/** By what is to be saved: as measured, else as proven. */
export function expense(candidate: FittingCandidate, { save }: OfferedWorld): number {
  const { measured, worst } = candidate[save]
  return measured ?? worst ?? Number.POSITIVE_INFINITY
}

function reasonsAgainst(definition: Algorithm | Aggregation, world: OfferedWorld): string[] {
  const { needs, lasting, quiet } = algorithmBehind(definition)
  const { timing, crashes } = traitsOf(definition)
  const gossip = isAggregation(definition)
  const told = world.knows.includes('liveness')
  const missing = (needs.knows ?? []).filter(
    // Without crashes a detector has nothing to say.
    (what) => what !== 'inputs' && !(what === 'liveness' && !world.crashes),
  )
  const unknown = missing.filter((what) => !world.knows.includes(what))
  return [
    ...timingReasons(timing, world),
    ...(needs.ids !== undefined && world.ids === 'none' ? ['needs ids'] : []),
    ...(needs.ids === 'numbers' && world.ids === 'unique' ? ['computes with ids'] : []),
    ...(unknown.length > 0 ? [`needs: ${enumerated(unknown.map((it) => KNOWLEDGE[it]))}`] : []),
    ...(needs.order === 'fifo' && world.order === 'any' ? ['needs FIFO links'] : []),
    ...(needs.start === 'together' && world.wake !== 'all' ? ['needs a common start'] : []),
    ...(world.crashes && !crashes ? ['does not elect again after a crash'] : []),
    ...(world.crashes && crashes && !lasting && !gossip && !told
      ? ['elects again after a crash only if a failure detector reports it']
      : []),
    ...(world.loss > 0 && quiet !== 'never' && !gossip
      ? ['sends nothing twice: a lost message may leave it waiting for ever']
      : []),
  ]
}

/** Whether the network is one that it needs; the engine knows. */
function networkReasons(
  definition: Algorithm | Aggregation,
  { topology, seed }: OfferedWorld,
): string[] {
  try {
    prepare({ topology, seed }, definition as Algorithm, flagged, read)
    return []
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return [error.problem.replace(`${definition.name} `, '').replace(/\.$/, '')]
  }
}

const TIMING_NEEDED: Readonly<Record<string, (typeof TIMINGS)[number]>> = {
  asynchronous: 'async',
  'bounded delay': 'bounded',
  synchronous: 'sync',
}

const TIMING_WORDS: Readonly<Record<string, string>> = {
  clocks: 'needs clocks',
  bounded: 'needs a bound on delays',
  sync: 'needs synchronous rounds',
  pairs: 'needs nodes that meet in pairs',
}

function timingReasons(needed: string, { timing }: OfferedWorld): string[] {
  const need = TIMING_NEEDED[needed] ?? (needed as (typeof TIMINGS)[number])
  if (timing === 'pairs' && need !== 'pairs') return ['needs messages, not meetings']
  return TIMINGS.indexOf(need) <= TIMINGS.indexOf(timing)
    ? []
    : [TIMING_WORDS[need] ?? `needs ${needed}`]
}

const read = (path: string) => readText(path, '--topology')

/** The world as `run` has it. */
function scenarioOf(definition: Algorithm | Aggregation, world: OfferedWorld): ScenarioInput {
  const { topology, timing, order, wake, loss, seed, crashes } = world
  const sync = timing === 'sync'
  const given = { topology, ...(loss > 0 && { loss }), ...(seed !== 1 && { seed }) }
  if (isAggregation(definition)) {
    const restarts = crashes && 'epoch' in gossipSettings(definition)
    return {
      ...given,
      timing: sync && definition.only === undefined ? 'cycles' : 'async',
      ...(crashes && { crash: `0@${CRASH_CYCLE}` }),
      ...(restarts && { set: { epoch: EPOCH } }),
    }
  }
  const rounds = definition.needs.time === 'rounds'
  return {
    ...given,
    ...(sync && !rounds && { timing: 'sync' }),
    ...(order === 'any' && { order }),
    ...(wake === 'one' && definition.starters === 'all' && { wake: '0' }),
    ...(wake !== 'one' && definition.starters === 'first' && { wake: 'all' }),
    ...(definition.quiet === 'never' && timing !== 'pairs' && { until: ENDLESS_TIME }),
  }
}

const UNKNOWN: Cost = { measured: null, worst: null, formula: null }

/** A candidate with its costs; or reasons that only a run shows. */
function fitting(
  definition: Algorithm | Aggregation,
  world: OfferedWorld,
): FittingCandidate | string[] {
  const { name, theory } = definition
  const scenario = scenarioOf(definition, world)
  const known = { name, cost: theory.cost, scenario, failed: 0 }
  if (isAggregation(definition)) {
    const costs = aggregationCost(definition, scenario)
    if (costs !== null) return { ...known, ...costs }
    return [`is not within 1 % of the truth after ${MOST_CYCLES} cycles here`]
  }
  const proven = provenCosts(definition, scenario, world)
  const { n } = prepare(scenario, definition, flagged, read).world.topology
  const until = 'until' in scenario ? ENDLESS_TIME : null
  const unmeasured = tooLarge(n, proven.messages.worst)
  if (unmeasured !== null) return { ...known, ...proven, until, unmeasured }
  const seeds = Array.from({ length: RUNS }, (_, i) => ({ ...scenario, seed: world.seed + i }))
  const measured = seeds.map((given) => measuredRun(definition, given, world))
  const runs = measured.map(({ run }) => run)
  // A random network is drawn anew for each run: what is proven must hold in all of them.
  const bounds = seeds.map((given) => provenCosts(definition, given, world))
  const all = (of: 'messages' | 'time' | 'bits') => ({
    ...largest(bounds.map((costs) => costs[of])),
    measured: meanOf(runs, of),
  })
  return {
    ...known,
    ...(world.crashes && { scenario: { ...scenario, crash: measured[0].scenario.crash } }),
    ...{ messages: all('messages'), time: all('time'), bits: all('bits') },
    ...{ until, unmeasured, failed: runs.filter(({ ok }) => !ok).length },
  }
}

/** The largest of some bounds; unknown where one of them is. */
function largest(costs: readonly Cost[]): Cost {
  if (costs.some(({ worst }) => worst === null)) return UNKNOWN
  return costs.toSorted((a, b) => b.worst! - a.worst!)[0]
}

function tooLarge(n: number, most: number | null): string | null {
  if (n > MOST_NODES) return 'too many nodes'
  return most !== null && most > MOST_MESSAGES ? 'perhaps too many messages' : null
}

/** A bound that depends on the ids is none for the network: these are compared. */
const ARRANGEMENTS = ['random', 'increasing', 'decreasing']

/** The least of the bounds that are proven for this network, whatever the ids; not with faults. */
function provenCosts(
  algorithm: Algorithm,
  scenario: ScenarioInput,
  { crashes, loss }: OfferedWorld,
): Record<'messages' | 'time' | 'bits', Cost> {
  if (crashes || loss > 0) return { messages: UNKNOWN, time: UNKNOWN, bits: UNKNOWN }
  const { bounds } = algorithm.theory
  const facts = ARRANGEMENTS.map((ids) => {
    const { world, conditions } = prepare({ ...scenario, ids }, algorithm, flagged, read)
    return factsOf(world, conditions)
  })
  const least = (of: string): Cost => {
    const [best] = bounds
      .filter((bound) => bound.of === of && bound.kind === 'worst')
      .filter(({ when }) => facts.every((one) => when?.(one) ?? true))
      .map(({ value, formula }) => ({ values: facts.map((one) => value(one)), formula }))
      .filter(({ values }) => Number.isFinite(values[0]) && new Set(values).size === 1)
      .toSorted((a, b) => a.values[0] - b.values[0])
    if (best === undefined) return UNKNOWN
    return { ...UNKNOWN, worst: best.values[0], formula: best.formula }
  }
  return { messages: least('messages'), time: least('time'), bits: UNKNOWN }
}

type Measured = Readonly<Record<'messages' | 'time' | 'bits', number | null> & { ok: boolean }>

/**
 * One run: messages without the announcement, as bounds count them; time from the beginning. Nodes
 * that meet send no messages, and their time is the number of meetings until they agree for good.
 * Where nodes may crash, the leader of the run without crashes does so once it is elected, and the
 * time is that of the last election.
 */
function measuredRun(
  algorithm: Algorithm,
  given: ScenarioInput,
  { crashes }: OfferedWorld,
): { readonly run: Measured; readonly scenario: ScenarioInput } {
  const scenario = crashes ? withCrash(algorithm, given) : given
  const { simulation, result } = executed(algorithm, scenario)
  const { messages, bits, time, verdict } = result
  const { ok } = verdict
  if (traitsOf(algorithm).timing === 'pairs')
    return { scenario, run: { messages: null, bits: null, time: time.stable ?? null, ok } }
  const announced = algorithm.kinds.filter(({ announces }) => announces)
  const sent = announced.reduce((rest, { name }) => rest - messages.byType[name], messages.total)
  const { leaderTimes } = simulation.monitor
  const elected = (crashes ? leaderTimes.at(-1) : leaderTimes[0]) ?? null
  return { scenario, run: { messages: sent, bits, time: elected, ok } }
}

function executed(algorithm: Algorithm, scenario: ScenarioInput) {
  const limited = { ...scenario, 'max-messages': 10 * MOST_MESSAGES }
  const run = electionRun(prepare(limited, algorithm, flagged, read))
  return { simulation: run.simulation, result: run.result(run.simulation.finish()) }
}

/** The same run, but its leader crashes when the election is over. */
function withCrash(algorithm: Algorithm, scenario: ScenarioInput): ScenarioInput {
  const { leader, time } = executed(algorithm, scenario).result
  if (leader === null) return scenario
  const over = Math.ceil(time.last ?? time.elected ?? 0) + 1
  const at = algorithm.quiet === 'never' ? ENDLESS_TIME / 2 : over
  return { ...scenario, crash: `${leader.node}@${at}` }
}

function meanOf(runs: readonly Measured[], of: 'messages' | 'time' | 'bits'): number | null {
  const values = runs.map((run) => run[of])
  if (values.some((value) => value === null)) return null
  return values.reduce<number>((sum, value) => sum + value!, 0) / values.length
}

/** The cycles until all nodes are near the truth, and the messages until then; null if never. */
function aggregationCost(
  aggregation: Aggregation,
  scenario: ScenarioInput,
): Pick<FittingCandidate, 'messages' | 'time' | 'bits' | 'until' | 'unmeasured'> | null {
  const { begin, tolerance, topology } = prepare(scenario, aggregation, flagged, read)
  const bare = { messages: UNKNOWN, time: UNKNOWN, bits: UNKNOWN, until: null }
  if (topology.n > MOST_NODES) return { ...bare, unmeasured: 'too many nodes' }
  // What losses take away may come out right by luck.
  const { crash, set: _, ...calm } = scenario
  // Where it begins anew again and again, it may come near once by luck.
  if (crash !== undefined && aggregationCost(aggregation, calm) === null) return null
  const faulty = 'loss' in scenario || 'crash' in scenario
  const seeds = Array.from({ length: faulty ? RUNS - 1 : 0 }, (_, i) => i + 1)
  const unlucky = seeds.some((more) => {
    const seed = Number(scenario.seed ?? 1) + more
    const other = prepare({ ...scenario, seed }, aggregation, flagged, read)
    return firstNear(other.begin(), other.tolerance, 'crash' in scenario) === null
  })
  const run = begin()
  const entry = unlucky ? null : firstNear(run, tolerance, 'crash' in scenario)
  if (entry === null) return null
  return {
    ...bare,
    messages: { ...UNKNOWN, measured: run.traffic.total },
    time: { ...UNKNOWN, measured: entry.cycle },
    bits: { ...UNKNOWN, measured: run.bits },
    unmeasured: null,
  }
}

/** The first cycle, after the crash if there is one, at whose end all nodes are near the truth. */
function firstNear(run: AggregationRun, tolerance: number, crashes: boolean): CycleEntry | null {
  let entry = observe(run, tolerance, null)
  for (const _ of aggregationCycles(run, { until: MOST_CYCLES })) {
    entry = observe(run, tolerance, entry)
    if (entry.within === 1 && (!crashes || entry.cycle > CRASH_CYCLE)) return entry
  }
  return null
}
