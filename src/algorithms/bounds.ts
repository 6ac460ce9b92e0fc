import { type Bound, ceilLog2, floorLog2, type NetworkFacts } from '../core/index.ts'

/** Burns 1980: the lower bound for asynchronous algorithms that work on rings of every size. */
export const asynchronousRings: Bound = {
  of: 'messages',
  kind: 'lower',
  formula: 'n log2 n',
  value: ({ n }) => n * Math.log2(n),
  where: 'up to a constant, for every asynchronous uniform algorithm on a ring',
}

export function worstMessages(formula: string, value: Bound['value']): Bound {
  return { of: 'messages', kind: 'worst', formula, value }
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

/** The winner's doubling probes and its last round trip, for both forms of Hirschberg-Sinclair. */
export const doublingTime: readonly Bound[] = [
  {
    ...timeTogether('3n-2', ({ n }) => 3 * n - 2),
    when: (facts) => facts.together && isPowerOfTwo(facts),
    where: 'when all start together, n a power of two',
  },
  {
    ...timeTogether('5n-2', ({ n }) => 5 * n - 2),
    when: (facts) => facts.together && !isPowerOfTwo(facts),
    where: 'when all start together, n not a power of two',
  },
]

function isPowerOfTwo({ n }: NetworkFacts): boolean {
  return 2 ** ceilLog2(n) === n
}
