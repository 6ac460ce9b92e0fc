import { summedUp } from '../../api/arrangements.ts'
import { type Counterexample, IdPermutations, MOST_STATES } from '../../check/index.ts'
import type { World } from '../../core/language/world.ts'
import { factorial } from '../../core/numbers.ts'
import { grouped } from '../../core/text-format.ts'
import { integer } from '../../options/reading.ts'
import type { CheckTarget } from '../../scenario/check-target.ts'
import { noteNetwork } from '../input/file-networks.ts'
import type { Io } from '../io.ts'
import { cpuMs, explorationSpeed, ProgressLine } from '../terminal/progress.ts'
import { checkCommandLine, followUps } from './counterexample-report.ts'
import {
  type CheckReport,
  Exploration,
  type ExploredWorld,
  explore,
  type Options,
  SILENT,
} from './explore.ts'
import { type ExplorationStudy, explorePermutations } from './explored-permutations.ts'
import { INTERRUPTED_REASON } from './interrupted-search.ts'
import { type ExploredPermutations, type IdReach, reachOf, type TriedIds } from './other-ids.ts'
import { CostSummary, costsOf, worstOverAll } from './worst-over-permutations.ts'

/** What an exploration of all permutations of the ids covers. */
export interface PermutationCoverage {
  /** The number of permutations to explore, which represent all of them by symmetry. */
  readonly needed: number
  readonly all: number
  /** What is proven if each was explored and nothing is violated. */
  readonly proves: string
  /** What is known about other ids; left out where it was not asked, or there are no ids. */
  readonly ids?: IdReach
  /** The permutation with the most states. */
  readonly largest: {
    /** Empty if nodes have no ids. */
    readonly ids: readonly number[]
    readonly states: number
    readonly transitions: number
  }
}

/** The fields of a single report; counts are sums, the depth is the largest. */
export interface AllReport extends CheckReport {
  readonly coverage: PermutationCoverage
  readonly violated: ViolatedPermutation | null
}

interface ViolatedPermutation extends Counterexample {
  readonly ids: readonly number[]
  /** Reproduces it. */
  readonly command: string
}

const NOT_ASKED = { reach: null, violating: null }

/**
 * Explores every permutation of the ids 1 to n, up to symmetry: here, or by the executor of a
 * study, which also tries other ids where all are asked for.
 */
export async function exploreAll(
  name: string,
  options: Options,
  io: Io,
  study: ExplorationStudy | null,
): Promise<ExploredWorld & { readonly result: AllReport }> {
  const [before, begun] = [cpuMs(), Date.now()]
  const states = [1, Number.MAX_SAFE_INTEGER, 'a whole number', MOST_STATES] as const
  const summary = new CostSummary(integer('--states', options.states, ...states))
  const exploration = await Exploration.of(name, options)
  // One state is enough to validate the options and to build the world.
  const { walk: _, ...withoutWalk } = options
  const probe = await explore(name, { ...withoutWalk, ids: 'increasing', states: '1' }, SILENT)
  const { world } = probe.target
  noteNetwork(world.topology, io)
  const permutations = exploration.arrangements ?? IdPermutations.single(world.topology.n)
  const progressText = () =>
    `${grouped(summary.explored)} of ${grouped(permutations.count)} permutations, ${grouped(summary.states)} states`
  if (study === null) exploreHere(exploration, permutations, summary, options, io)
  else await explorePermutations({ ...study, permutations, summary, progressText })
  const seconds = options.seconds === undefined ? undefined : Number(options.seconds)
  const secondsLeft = seconds && seconds - (Date.now() - begun) / 1000
  const explored = { name, options, probe, permutations, summary, secondsLeft }
  const others = await otherIds(explored, study)
  const largest = { ...summary.largest, ids: permutations.at(summary.largest.number) }
  const shownIds = (ids: readonly number[]) => (world.algorithm.needs.ids === undefined ? [] : ids)
  // The counterexample is the one of the command for that permutation alone, if there is still time
  // to search it again.
  const ids = summary.violatedBy === null ? others.violating : permutations.at(summary.violatedBy)
  const exploreOne = (ids: readonly number[]) =>
    explore(name, { ...options, ids: ids.join() }, SILENT)
  const shown = ids ? await exploreOne(ids) : probe
  const costly =
    summary.costs && (await worstOverAll(summary, summary.costs, permutations, exploreOne))
  const worst = costly?.worst
  const violated = shown.result.violated ?? summary.example
  const summed = summedUp(shown.result, summary, permutations)
  return {
    target: costly?.target ?? shown.target,
    model: shown.model,
    interrupted: summary.reason === INTERRUPTED_REASON || others.reach?.detail === UNTRIED,
    result: {
      ...summed,
      ...(summary.reason !== null && { reason: reasonOf(summary.reason, options) }),
      coverage: {
        needed: permutations.count,
        all: world.algorithm.needs.ids === undefined ? 1 : factorial(permutations.n),
        proves: proofOf(world, others.reach) + fixedBySeed(world, probe.target.scenario),
        ...(others.reach && { ids: others.reach }),
        largest: {
          ids: shownIds(largest.ids),
          states: largest.states,
          transitions: largest.transitions,
        },
      },
      ...(others.violating !== null && { properties: shown.result.properties }),
      ...(worst && { worst }),
      violated:
        violated && ids
          ? { ...violated, ids: shownIds(ids), command: commandFor(name, options, shownIds(ids)) }
          : null,
      ...(ids && {
        again: followUps(name, options, commandFor(name, options, shownIds(ids))),
      }),
      speed: explorationSpeed(summary.states, cpuMs() - before),
    },
  }
}

/** Explores one permutation after the other in this thread. */
function exploreHere(
  exploration: Exploration,
  permutations: IdPermutations,
  summary: CostSummary,
  options: Options,
  io: Io,
): void {
  const line = new ProgressLine(io)
  const { count } = permutations
  do {
    const { explored, statesLeft } = summary
    const flags = { ...options, states: String(Math.max(1, statesLeft)) }
    const which = count === 1 ? '' : `permutation ${explored + 1} of ${count}: `
    const { result, worst } = exploration
      .withIds(permutations.at(explored))
      .search(flags, line, which)
    const { violated } = result
    summary.add({
      ...result,
      violated: violated !== null,
      ...(violated && { example: violated }),
      ...(worst && { costs: costsOf(worst) }),
    })
  } while (!summary.finished && summary.explored < count)
}

const UNTRIED = 'other ids were not tried: it was interrupted'

/** What is known about other ids, where all are asked for. */
async function otherIds(
  explored: Omit<ExploredPermutations, 'study'>,
  study: ExplorationStudy | null,
): Promise<TriedIds | typeof NOT_ASKED> {
  const { options, probe, summary } = explored
  const { needs } = probe.target.world.algorithm
  if (study === null || options.ids !== 'all' || needs.ids === undefined || summary.finished)
    return NOT_ASKED
  const tried = await reachOf({ ...explored, study })
  return tried ?? { reach: { evidence: 'none', detail: UNTRIED }, violating: null }
}

/** What a result says about ids: about the ids 1 to n, and what is known about others. */
function proofOf({ algorithm, topology: { n } }: World, reach: IdReach | null): string {
  const { name, needs } = algorithm
  if (needs.ids === undefined) return `every world of this kind: the nodes of ${name} have no ids`
  if (reach?.evidence === 'proved')
    return n === 1
      ? `every id: ${name} only compares ids`
      : `every set of ${n} ids, in every order: ${name} only compares ids`
  const ids = n === 1 ? 'the id 1' : `every permutation of the ids 1 to ${n}`
  return `${ids}; ${reach?.detail ?? 'other ids were not tried (--ids all does)'}`
}

/** What was not varied: link numbers and weights, as given or drawn from the seed. */
function fixedBySeed(
  { algorithm, topology }: World,
  { seed, weights }: CheckTarget['scenario'],
): string {
  const { knows = [] } = algorithm.needs
  const meaningful =
    topology.kind === 'ring' || knows.some((fact) => fact === 'direction' || fact === 'peers')
  const parts = [
    ...(meaningful ? [] : ['link numbers']),
    ...(knows.includes('weights') && weights === 'random' ? ['weights'] : []),
  ]
  const given = knows.includes('weights') && weights !== 'random' ? `; with weights ${weights}` : ''
  return parts.length === 0 ? given : `${given}; with the ${parts.join(' and ')} of seed ${seed}`
}

/** Threads share the memory budget; the reason must name the whole. */
function reasonOf(reason: string, { memory }: Options): string {
  return reason.replace(/of \d+ MB/, `of ${memory} MB`)
}

function commandFor(name: string, options: Options, ids: readonly number[]): string {
  const { n } = options
  const size = ids.length > 0 ? { ids: ids.join() } : { ...(n !== undefined && { n }) }
  return checkCommandLine(name, options, size)
}
