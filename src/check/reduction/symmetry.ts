import type { Verdict } from '../../core/language/problem.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import { factorial, permutationAt } from '../../core/runtime/permutation.ts'
import type { CheckResult } from '../check.ts'

/**
 * A position for each kind of positions that the network itself tells apart, by the numbers of
 * links: two are of one kind if moving one to the other moves the whole network onto itself, every
 * link onto one of the same number at both ends. In a ring, and in a complete network where all
 * number their links alike, all positions are of one kind: it can be turned.
 *
 * Where a link is followed from a node, its number leaves no choice of where it leads. So a motion
 * of a connected network is known by where it takes one node, and only rest leaves one in place.
 */
export function orbitRepresentatives(topology: Topology): number[] {
  const kinds: number[] = []
  for (let node = 0; node < topology.n; node++)
    if (!kinds.some((kind) => movesOnto(topology, kind, node))) kinds.push(node)
  return kinds
}

/** Whether the network can be moved onto itself so that one node comes to lie on another. */
function movesOnto(topology: Topology, one: number, other: number): boolean {
  const image = new Map([[one, other]])
  const taken = new Set([other])
  // A map that is added to while it is gone through is gone through to its new end.
  for (const [node, twin] of image) {
    if (topology.degree(node) !== topology.degree(twin)) return false
    for (const link of linksOf(topology, node)) {
      if (topology.back(node, link) !== topology.back(twin, link)) return false
      const [end, twinEnd] = [topology.neighbor(node, link), topology.neighbor(twin, link)]
      const known = image.get(end)
      if (known === undefined) {
        if (taken.has(twinEnd)) return false
        image.set(end, twinEnd)
        taken.add(twinEnd)
      } else if (known !== twinEnd) return false
    }
  }
  return image.size === topology.n
}

/**
 * Arrangements of the ids 1 to n that stand for all: the largest id is at one position of each
 * kind, since every other arrangement is one of these, moved. What is not the same after a motion,
 * be it who wakes, what links cost or who is dead, must not be given.
 */
export class IdPermutations {
  readonly count: number

  constructor(
    readonly n: number,
    /** Where the largest id is. */
    private readonly places: readonly number[],
    /** How many arrangements of the others are tried. */
    private readonly rests = factorial(n - 1),
  ) {
    this.count = places.length * rests
  }

  /** Where nodes have no ids, one arrangement is as good as any. */
  static single(n: number): IdPermutations {
    return new IdPermutations(n, [0], 1)
  }

  at(number: number): number[] {
    const { n, places, rests } = this
    const rest = permutationAt(n - 1, number % rests)
    return rest.toSpliced(places[Math.floor(number / rests)], 0, n)
  }
}

/** What came of one arrangement, as far as it counts for all. */
export type PermutationShare = Pick<
  CheckResult,
  | 'states'
  | 'transitions'
  | 'depth'
  | 'exhausted'
  | 'reason'
  | 'properties'
  | 'hash'
  | 'draws'
  | 'walk'
> & { readonly violated: boolean }

/** What came of the first so many arrangements, taken together. */
export class PermutationSummary {
  explored = 0
  states = 0
  transitions = 0
  depth = 0
  /** How many states are expected to have been taken for others. */
  expectedMisses = 0
  /** What a limit on draws has left out in all. */
  draws: CheckResult['draws']
  /** The walks after a limit was reached. */
  walk: CheckResult['walk']
  /** The number of the arrangement with the most states. */
  largest = { number: 0, states: 0, transitions: 0 }
  /** The number of the first arrangement in which something is broken. */
  broken: number | null = null
  /** Why not all were explored whole. */
  reason: string | null = null
  private readonly verdicts = new Map<string, Verdict>()

  constructor(private readonly mostStates: number) {}

  get over(): boolean {
    return this.broken !== null || this.reason !== null
  }

  /** How many states the next one may have. */
  get left(): number {
    return this.mostStates - this.states
  }

  /** Adds the next one, in the order of their numbers; what comes after the last does not count. */
  add(share: PermutationShare): void {
    if (this.over) return
    const { states, transitions, depth } = share
    const { left } = this
    if (!share.violated && !share.exhausted) this.reason = share.reason ?? 'something was left out'
    if (states > left || (states === left && this.reason !== null))
      this.reason = `the limit of ${this.mostStates} states was reached`
    if (share.violated) this.broken = this.explored
    if (states > this.largest.states) this.largest = { number: this.explored, states, transitions }
    this.explored++
    this.states += states
    this.transitions += transitions
    this.expectedMisses += share.hash.expectedMisses
    this.depth = Math.max(this.depth, depth)
    this.draws = bothDraws(this.draws, share.draws)
    this.walk = share.walk
    for (const verdict of share.properties) this.note(verdict)
  }

  /** What holds in all; what is broken in one is broken. */
  properties(of: number): Verdict[] {
    const reason = this.reason ?? (this.broken === null ? null : 'something else is broken')
    const rest = reason !== null || this.explored < of
    return [...this.verdicts.values()].map(({ name, holds, detail }) => {
      if (holds !== true) return { name, holds, detail }
      if (!rest) return { name, holds, detail: `in each of ${of} arrangements` }
      return { name, holds: null, detail: `not decided for all arrangements, since ${reason}` }
    })
  }

  /** Of several verdicts on one property the worst counts, and the first of those. */
  private note(verdict: Verdict): void {
    const before = this.verdicts.get(verdict.name)
    const worse = before === undefined || rank(verdict) > rank(before)
    if (worse) this.verdicts.set(verdict.name, verdict)
  }
}

function bothDraws(a: CheckResult['draws'], b: CheckResult['draws']): CheckResult['draws'] {
  if (a === undefined || b === undefined) return a ?? b
  const known = [a.enough, b.enough]
  const enough = known.includes(false) ? false : known.includes(null) ? null : true
  return { most: a.most, enough, cut: a.cut + b.cut }
}

function rank({ holds }: Verdict): number {
  return holds === true ? 0 : holds === null ? 1 : 2
}
