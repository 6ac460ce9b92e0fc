import {
  type CheckOptions,
  type CheckResult,
  type Counterexample,
  checkWorld,
  IdPermutations,
  type ModelOptions,
  orbitRepresentatives,
  PermutationSummary,
  SystemCache,
} from '../check/index.ts'
import { UsageError } from '../core/index.ts'
import { grouped } from '../core/text-format.ts'
import type { CheckTarget } from '../scenario/check-target.ts'
import type { FieldLocator } from '../scenario/index.ts'

/** More would take days. */
const MAX_PERMUTATIONS = 10_000_000

/** In place of a mode, where nodes meet: there is neither a timer nor a message. */
export const PAIRS = 'pairs'

/** The result of an exploration, and which world it is about. */
export interface ArrangedResult extends CheckResult {
  /** Every arrangement of the ids 1 to n, or these by position; empty if nodes have no ids. */
  readonly ids: 'all' | readonly number[]
  /** The number of arrangements that were explored. */
  readonly arrangements: number
  readonly violated: (Counterexample & { readonly ids: readonly number[] }) | null
}

/**
 * The arrangements of the ids 1 to n, up to symmetry. Symmetry reduction applies if ids are only
 * compared and nothing else breaks the symmetry: given starters, dead nodes, inputs, weights, a
 * corrupted start, properties of the user. (With recoveries, pairs of leaders are evaluated in
 * order of positions, so all permutations are explored then too.)
 */
export function arrangementsOf(
  { world, ownProperties }: CheckTarget,
  { wake, faults = {} }: ModelOptions,
  where: FieldLocator,
): IdPermutations {
  const { algorithm, topology, names, corrupted } = world
  const { ids, knows = [] } = algorithm.needs
  const { n } = topology
  const marked = (faults.dead?.length ?? 0) + (faults.recoveries ?? 0) > 0
  const labelled = knows.includes('weights') || knows.includes('inputs') || names !== undefined
  const given = ownProperties.length > 0 || corrupted !== undefined
  const symmetric = ids === 'unique' && wake === 'any' && !marked && !labelled && !given
  const everywhere = Array.from({ length: n }, (_, node) => node)
  const positions = symmetric ? orbitRepresentatives(topology) : everywhere
  const permutations =
    ids === undefined ? IdPermutations.single(n) : new IdPermutations(n, positions)
  if (permutations.count <= MAX_PERMUTATIONS) return permutations
  throw new UsageError(
    where('ids'),
    `${n} nodes have ${grouped(permutations.count)} permutations of ids; at most ${grouped(MAX_PERMUTATIONS)} can be explored.`,
    `Use fewer nodes, or ${where('ids')} random with several seeds.`,
  )
}

/** The ids that an exploration of one arrangement is about. */
export function idsIn({ algorithm, ids }: CheckTarget['world']): readonly number[] {
  return algorithm.needs.ids === undefined ? [] : [...ids]
}

/** What the first line of a report adds where every arrangement is explored. */
export function coveredIds({ ids, violated }: Pick<ArrangedResult, 'ids' | 'violated'>): string {
  if (ids !== 'all') return ''
  return violated === null ? ', for every permutation of the ids' : `, ids ${violated.ids}`
}

/** The limits within which something was explored: `{ term: 2 }`. */
export function limitsIn(
  { algorithm, params }: CheckTarget['world'],
  { bounds, draws, timeouts }: ModelOptions,
): Readonly<Record<string, number>> {
  const { exchanges } = params
  return {
    ...(algorithm.computes !== null && exchanges !== undefined && { exchanges: Number(exchanges) }),
    ...bounds,
    ...(draws !== undefined && { draws }),
    ...(timeouts !== undefined && { timeouts }),
  }
}

/** Explores every arrangement, or else the one of the target; all of them share the limits. */
export function exploreArranged(
  target: CheckTarget,
  arrangements: IdPermutations | null,
  optionsFor: (target: CheckTarget) => CheckOptions,
): ArrangedResult {
  const ids = idsIn(target.world)
  if (arrangements === null) {
    const result = checkWorld(target.world, optionsFor(target))
    const { violated } = result
    return { ...result, ids, arrangements: 1, violated: violated && { ...violated, ids } }
  }
  const { limits } = optionsFor(target)
  const summary = new PermutationSummary(limits.states)
  const systems = new SystemCache()
  let result: CheckResult
  do {
    const one = target.permuted(arrangements.at(summary.explored))
    const options = optionsFor(one)
    const left = { ...options.limits, states: Math.max(1, summary.statesLeft) }
    result = checkWorld(one.world, { ...options, limits: left }, systems)
    summary.add({ ...result, violated: result.violated !== null })
  } while (!summary.finished && summary.explored < arrangements.count)
  const { violated } = result
  const violating = summary.violatedBy === null ? [] : arrangements.at(summary.violatedBy)
  return {
    ...summedUp(result, summary, arrangements),
    violated: violated && { ...violated, ids: violating },
  }
}

/** The counts and verdicts of all arrangements, and the rest of the last result. */
export function summedUp<R extends CheckResult>(
  last: R,
  summary: PermutationSummary,
  { count }: IdPermutations,
) {
  const { reason: _, walk: __, violated: ___, ...described } = last
  const { states, transitions, depth, reason, explored, expectedMisses } = summary
  return {
    ...described,
    states,
    transitions,
    depth,
    hash: { ...described.hash, expectedMisses },
    exhausted: reason === null && explored === count,
    ...(reason !== null && { reason }),
    ids: 'all' as const,
    arrangements: explored,
    ...(summary.draws && { draws: summary.draws }),
    ...(summary.bounds && { bounds: summary.bounds }),
    ...(summary.timeouts && { timeouts: summary.timeouts }),
    ...(summary.walk && { walk: summary.walk }),
    ...(summary.never && { never: summary.never }),
    properties: summary.properties(count),
  }
}
