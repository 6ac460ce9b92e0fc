import type { IdPermutations } from '../../check/index.ts'
import { Random } from '../../core/index.ts'

/** The most sets of ids that are tried. */
const MOST_SETS = 200
/** The most of them that are drawn at random. */
const RANDOM_SETS = 24
/** The sets without a special number: spread widely, and only even or odd ids. */
const SPARSE_SETS = 8

/**
 * Sets of n ids that stand for all others, each in increasing order. Together they have every
 * number that occurs in a source, and its neighbours, at every rank: an algorithm that treats an id
 * specially has to name it, or to compute with it.
 */
export function idSets(n: number, numbers: readonly number[], seed: number): number[][] {
  const random = Random.from(seed).split('ids')
  const special = inRange(numbers.flatMap((number) => around(number)))
  const sets = new Map<string, number[]>()
  const add = (ids: readonly number[]) => {
    const sorted = inRange(ids)
    if (sorted.length === n && sets.size < MOST_SETS) sets.set(sorted.join(), sorted)
  }
  for (const ids of sparseSets(n, random)) add(ids)
  // Several special numbers are in one set: first all of them once, then at every rank.
  for (let shift = 0; shift < n; shift++)
    for (let i = shift; i < special.length; i += n) add(windowAt(special, i, n))
  for (let i = 0; i < RANDOM_SETS; i++) add(mixed(special, n, random))
  for (const number of special)
    for (let rank = 0; rank < n; rank++) add(Array.from({ length: n }, (_, i) => number + i - rank))
  sets.delete(Array.from({ length: n }, (_, i) => i + 1).join())
  return [...sets.values()]
}

function around(number: number): number[] {
  return [Math.floor(number) - 1, Math.floor(number), Math.ceil(number), Math.ceil(number) + 1]
}

/** Different ids in increasing order: integers from 0 to 2^53 - 1. */
function inRange(ids: readonly number[]): number[] {
  const valid = ids.filter((id) => Number.isSafeInteger(id) && id >= 0)
  return [...new Set(valid)].sort((a, b) => a - b)
}

/** Ids of all sizes: with and without 0, even and odd ones, up to the largest. */
function sparseSets(n: number, random: Random): number[][] {
  const largest = Number.MAX_SAFE_INTEGER
  return [
    Array.from({ length: n }, (_, i) => i),
    Array.from({ length: n }, (_, i) => 2 * i + 2),
    Array.from({ length: n }, (_, i) => 2 * i + 1001),
    Array.from({ length: n }, (_, i) => largest - i),
    ...Array.from({ length: SPARSE_SETS }, () => distinct(n, () => anySize(random))),
  ]
}

/** A number of 1 to 53 bits, each as likely. */
function anySize(random: Random): number {
  return random.below(2 ** (1 + random.below(53)))
}

function distinct(n: number, draw: () => number): number[] {
  const ids = new Set<number>()
  while (ids.size < n) ids.add(draw())
  return [...ids]
}

/** The numbers from one of them on; behind the last, those that follow it. */
function windowAt(numbers: readonly number[], first: number, n: number): number[] {
  const ids = numbers.slice(first, first + n)
  while (ids.length < n) ids.push(ids.at(-1)! + 1)
  return ids
}

/** Special numbers among others. */
function mixed(special: readonly number[], n: number, random: Random): number[] {
  const fits = special.length > 0
  return distinct(n, () =>
    fits && random.below(2) === 0 ? special[random.below(special.length)] : anySize(random),
  )
}

/** Assignments of other ids, in the same orders as permutations of 1 to n. */
export class IsomorphicIds implements Pick<IdPermutations, 'count' | 'at'> {
  readonly count: number

  constructor(
    readonly sets: readonly (readonly number[])[],
    private readonly permutations: Pick<IdPermutations, 'count' | 'at'>,
    /** How many of the permutations are tried with each set; others with the next set. */
    private readonly perSet: number,
  ) {
    this.count = sets.length * perSet
  }

  at(number: number): number[] {
    const set = this.sets[Math.floor(number / this.perSet)]
    return this.permutations.at(this.permutation(number)).map((rank) => set[rank - 1])
  }

  /** How many sets the first explorations have to their end. */
  setsWithin(explored: number): number {
    return Math.floor(explored / this.perSet)
  }

  /** The permutation whose ids are in the same order. */
  permutation(number: number): number {
    return number % this.permutations.count
  }
}
