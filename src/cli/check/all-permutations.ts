import { type Counterexample, IdPermutations, orbitRepresentatives } from '../../check/index.ts'
import { UsageError } from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { factorial } from '../../core/runtime/permutation.ts'
import { grouped } from '../../core/text-format.ts'
import type { CheckTarget } from '../../scenario/check-target.ts'
import { integer } from '../../scenario/fields/reading.ts'
import type { Io } from '../io.ts'
import { cpuMs, explorationSpeed } from '../terminal/progress.ts'
import { checkCommandLine, followUps } from './counterexample-report.ts'
import { type CheckReport, type ExploredWorld, explore, type Options, SILENT } from './explore.ts'
import { type ExplorationStudy, explorePermutations } from './explored-permutations.ts'
import { type IdReach, reachOf } from './other-ids.ts'
import { CostSummary, worstOverAll } from './worst-over-permutations.ts'

/** More would take days. */
const MAX_PERMUTATIONS = 10_000_000

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
  /** The number of permutations explored. */
  readonly arrangements: number
  readonly coverage: PermutationCoverage
  readonly violated: ViolatedPermutation | null
}

interface ViolatedPermutation extends Counterexample {
  readonly ids: readonly number[]
  /** Reproduces it. */
  readonly command: string
}

const NOT_ASKED = { reach: null, violating: null }

/** Explores every permutation of the ids 1 to n, up to symmetry; null after Ctrl-C. */
export async function exploreAll(
  name: string,
  options: Options,
  io: Io,
  study: ExplorationStudy,
): Promise<(ExploredWorld & { readonly result: AllReport }) | null> {
  const [before, begun] = [cpuMs(), Date.now()]
  const states = [1, Number.MAX_SAFE_INTEGER, 'a whole number', 10_000_000] as const
  const summary = new CostSummary(integer('--states', options.states, ...states))
  // One state is enough to validate the options and to build the world.
  const { walk: _, ...withoutWalk } = options
  const probe = await explore(name, { ...withoutWalk, ids: 'increasing', states: '1' }, SILENT)
  const { world } = probe.target
  const permutations = permutationsToExplore(probe)
  const progressText = () =>
    `${grouped(summary.explored)} of ${grouped(permutations.count)} permutations, ${grouped(summary.states)} states`
  const finished = await explorePermutations({ ...study, permutations, summary, progressText })
  if (!finished) {
    io.err(`interrupted after ${summary.explored} of ${permutations.count} permutations\n`)
    return null
  }
  const asked = world.algorithm.needs.ids !== undefined && !summary.finished
  const seconds = options.seconds === undefined ? undefined : Number(options.seconds)
  const secondsLeft = seconds && seconds - (Date.now() - begun) / 1000
  const explored = { name, options, probe, permutations, summary, secondsLeft, study }
  const others = asked ? await reachOf(explored) : NOT_ASKED
  if (others === null) {
    io.err('interrupted while other ids were tried\n')
    return null
  }
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
  const { reason: __, walk: ___, violated: again, ...described } = shown.result
  const violated = again ?? summary.example
  return {
    target: costly?.target ?? shown.target,
    model: shown.model,
    result: {
      ...described,
      states: summary.states,
      transitions: summary.transitions,
      depth: summary.depth,
      hash: { ...described.hash, expectedMisses: summary.expectedMisses },
      exhausted: summary.reason === null && summary.explored === permutations.count,
      ...(summary.reason !== null && { reason: reasonOf(summary.reason, options) }),
      arrangements: summary.explored,
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
      ...(summary.draws && { draws: summary.draws }),
      ...(summary.bounds && { bounds: summary.bounds }),
      ...(summary.timeouts && { timeouts: summary.timeouts }),
      ...(summary.walk && { walk: summary.walk }),
      properties:
        others.violating === null ? summary.properties(permutations.count) : described.properties,
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

/**
 * Symmetry reduction applies if ids are only compared and nothing else breaks the symmetry: given
 * starters, dead nodes, inputs, weights, properties of the user. (With recoveries, pairs of leaders
 * are evaluated in order of positions, so all permutations are explored then too.)
 */
function permutationsToExplore({
  target,
  result: { wake, faults },
}: ExploredWorld): IdPermutations {
  const { algorithm, topology, names } = target.world
  const { ids, knows = [] } = algorithm.needs
  const { n } = topology
  const marked = (faults?.dead?.length ?? 0) + (faults?.recoveries ?? 0) > 0
  const labelled = knows.includes('weights') || knows.includes('inputs') || names !== undefined
  const ownProperties = target.ownProperties.length > 0
  const symmetric = ids === 'unique' && wake === 'any' && !marked && !labelled && !ownProperties
  const everywhere = Array.from({ length: n }, (_, node) => node)
  const positions = symmetric ? orbitRepresentatives(topology) : everywhere
  const permutations =
    ids === undefined ? IdPermutations.single(n) : new IdPermutations(n, positions)
  if (permutations.count <= MAX_PERMUTATIONS) return permutations
  throw new UsageError(
    '--ids',
    `${n} nodes have ${grouped(permutations.count)} permutations of ids; at most ${grouped(MAX_PERMUTATIONS)} can be explored.`,
    'Use fewer nodes, or --ids random with several seeds.',
  )
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
  return `${ids}; ${reach?.detail ?? 'other ids were not tried'}`
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
