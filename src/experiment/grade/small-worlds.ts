import { Random } from '../../core/index.ts'
import { neededNetworks } from '../../core/language/validation/needed-networks.ts'
import { factorial, permutationAt } from '../../core/numbers.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import type { GradedWorld } from './graded-world.ts'

/** A small network with its ids, every run of which is explored. */
export interface SmallWorld {
  readonly n: number
  readonly given: ScenarioInput
  readonly order: 'fifo' | 'any'
  /** The most crashes, which may happen at any time. */
  readonly crashes: number
}

/** Up to this size all permutations of all sets of ids are explored; above it only some. */
const ALL_PERMUTATIONS = 3
const SOME_PERMUTATIONS = 6
/** The most numbers of the source around which ids are drawn. */
const MOST_NUMBERS = 16
/** Ids to compute with decide how long a run takes, so they stay small. */
const SMALL_ID = 12
const SPARSE = 1_000_000

/**
 * The worlds of one size. The ids are 1 to n in every order, then ids far apart that begin with 0,
 * then the numbers of the source and their neighbours: a definition that depends on one number
 * shows it there.
 */
export function smallWorlds(
  world: GradedWorld,
  n: number,
  numbers: readonly number[],
): SmallWorld[] {
  const { order } = world
  const rounds = world.time === 'rounds' && { timing: 'sync' }
  const made = (shape: string, ids: readonly number[] | undefined, crashes: number) => ({
    n,
    given: { topology: shape, ...(ids && { ids }), ...rounds },
    order: crashes > 0 ? ('fifo' as const) : order,
    crashes,
  })
  const lists = idLists(world, n, numbers)
  const first = lists.slice(0, factorial(n))
  const crashing = world.crashes && n > 1 && n <= ALL_PERMUTATIONS
  return shapesOf(world, n).flatMap((shape) => [
    ...lists.map((ids) => made(shape, ids, 0)),
    ...(crashing ? first.map((ids) => made(shape, ids, 1)) : []),
  ])
}

/** Networks that differ: of one or two nodes there is only one. None where no network has n. */
function shapesOf({ network }: GradedWorld, n: number): string[] {
  const sized = (...kinds: string[]) => kinds.map((kind) => `${kind}:${n}`)
  if (network === 'tree') return n <= 3 ? sized('path') : sized('path', 'star')
  if (network !== 'any') return [neededNetworks[network].sized(n) ?? []].flat()
  if (n <= 2) return sized('path')
  return n === 3 ? sized('path', 'ring') : sized('path', 'star', 'ring', 'complete')
}

/** Lists of ids by position; undefined for anonymous nodes. */
function idLists(
  { network, ids }: GradedWorld,
  n: number,
  numbers: readonly number[],
): readonly (readonly number[] | undefined)[] {
  if (ids === 'none') return [undefined]
  const all = Array.from({ length: factorial(n) }, (_, i) => permutationAt(n, i).reverse())
  // On a ring the largest id is at position 0, since rotations are equivalent.
  const distinct = all.filter((order) => network !== 'ring' || order[0] === n)
  const spread = (orders: readonly number[][], most: number) =>
    orders.length <= most
      ? orders
      : Array.from({ length: most }, (_, i) => orders[Math.floor((i * orders.length) / most)])
  const first = network === 'ring' || n <= ALL_PERMUTATIONS ? distinct.length : SOME_PERMUTATIONS
  const other = n <= ALL_PERMUTATIONS ? distinct.length : 2
  const place = (order: readonly number[], set: readonly number[]) =>
    order.map((rank) => set[rank - 1])
  return [
    ...spread(distinct, first),
    ...spread(distinct, other).map((order) => place(order, sparseIds(ids, n))),
    ...idsAround(ids, n, numbers).flatMap((set) =>
      spread(distinct, 2).map((order) => place(order, set)),
    ),
  ]
}

/** Ids in ascending order that are far apart, the smallest of them 0. */
function sparseIds(kind: GradedWorld['ids'], n: number): number[] {
  const random = Random.from(n).split('sparse ids')
  const most = kind === 'numbers' ? SMALL_ID : SPARSE
  const ids = new Set([0])
  while (ids.size < n) ids.add(1 + random.below(most))
  return [...ids].sort((a, b) => a - b)
}

/** Sets of successive ids about each of these numbers, in ascending order. */
function idsAround(kind: GradedWorld['ids'], n: number, numbers: readonly number[]): number[][] {
  // Above this size the other worlds take the time; a number shows in a smaller one, too.
  if (n > ALL_PERMUTATIONS) return []
  const usable = numbers.filter(
    (number) =>
      number > n && number < Number.MAX_SAFE_INTEGER && (kind !== 'numbers' || number <= SMALL_ID),
  )
  return usable.slice(0, MOST_NUMBERS).flatMap((number) => {
    const from = (low: number) => Array.from({ length: n }, (_, i) => low + i)
    return n === 2 ? [from(number - 1), from(number)] : [from(number - Math.floor(n / 2))]
  })
}

/** Ids of a random world: 1 to n, or far apart, some of them numbers of the source. */
export function randomIds(
  kind: GradedWorld['ids'],
  n: number,
  numbers: readonly number[],
  random: Random,
): number[] | undefined {
  if (kind === 'none') return undefined
  const style = random.below(3)
  const most = kind === 'numbers' ? 4 * n : SPARSE
  const ids = new Set<number>()
  if (style === 0) for (let id = 1; id <= n; id++) ids.add(id)
  const near = numbers.filter((number) => number <= most)
  if (style === 1 && near.length > 0) ids.add(near[random.below(near.length)])
  while (ids.size < n) ids.add(random.below(most + 1))
  const list = [...ids].slice(0, n)
  return Array.from(random.permutation(n), (i) => list[i])
}
