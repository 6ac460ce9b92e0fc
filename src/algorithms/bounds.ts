import { type Bound, ceilLog2, floorLog2, type NetworkFacts } from '../core/index.ts'

/** Burns 1980: the lower bound for asynchronous algorithms that work on rings of every size. */
export const asynchronousRings: Bound = {
  of: 'messages',
  kind: 'lower',
  formula: 'n log2 n',
  value: ({ n }) => n * Math.log2(n),
  where: 'up to a constant, for every asynchronous uniform algorithm on a ring',
}

/** A number of messages that some run attains. */
export function worstMessages(formula: string, value: Bound['value']): Bound {
  return { of: 'messages', kind: 'worst', formula, value }
}

/** The same bound, if no run is known that attains it. */
export function upperBound(bound: Bound): Bound {
  return { ...bound, kind: 'upper' }
}

/** A bound on the time of election when all nodes start at the same moment. */
export function timeTogether(formula: string, value: Bound['value']): Bound {
  return {
    of: 'time',
    kind: 'worst',
    formula,
    value,
    when: ({ together }) => together,
    where: 'when all start together',
  }
}

/** The number of phases if at most every second competitor survives a phase. */
export function halvingPhases(n: number): number {
  return floorLog2(n) + 1
}

/**
 * The largest S with F(S+1) <= n: the steps of alternating comparisons if each has at least as many
 * candidates as the next two together.
 */
export function alternatingPhases(n: number): number {
  let [steps, fibonacci, next] = [1, 1, 2]
  for (; next <= n; steps++) [fibonacci, next] = [next, fibonacci + next]
  return steps
}

/**
 * The steps on one ring: in odd steps those remain that are larger than the one before, in even
 * steps those that are larger than the one after. The last step has one candidate.
 */
export function stepsOf(ids: ArrayLike<number>): number {
  const left = Float64Array.from(ids)
  let steps = 1
  for (let size = left.length; size > 1; steps++) {
    const [first, last] = [left[0], left[size - 1]]
    let kept = 0
    for (let i = 0, before = last; i < size; i++) {
      const id = left[i]
      const after = i + 1 < size ? left[i + 1] : first
      if (id > (steps % 2 === 1 ? before : after)) left[kept++] = id
      before = id
    }
    size = kept
  }
  return steps
}

/** The messages of alternating comparisons, two-way or one-way: n per step. */
export const alternatingBounds: readonly Bound[] = [
  worstMessages('n S, F(S+1) <= n', ({ n }) => n * alternatingPhases(n)),
  ...(['worst', 'best'] as const).map(
    (kind): Bound => ({
      of: 'messages',
      kind,
      formula: 'n S of this ring',
      value: ({ n, ids }) => n * stepsOf(ids!),
      when: ({ ids }) => ids !== undefined,
      where: 'for the ids of this ring, under every schedule',
    }),
  ),
  asynchronousRings,
]

/** The winner's doubling probes and its last round trip, for both forms of Hirschberg-Sinclair. */
export const doublingTime: readonly Bound[] = [
  {
    ...timeTogether('3n-2', ({ n }) => 3 * n - 2),
    when: (facts) => facts.together && isPowerOfTwo(facts),
    where: 'when all start together, n a power of two',
  },
  {
    ...upperBound(timeTogether('5n-2', ({ n }) => 5 * n - 2)),
    when: (facts) => facts.together && !isPowerOfTwo(facts),
    where: 'when all start together, n not a power of two',
  },
]

function isPowerOfTwo({ n }: NetworkFacts): boolean {
  return 2 ** ceilLog2(n) === n
}
