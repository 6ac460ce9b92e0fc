/* What theory says about rings of ids, worked out without running any algorithm. */

/** Every permutation of the numbers 1 to n. */
export function permutations(n: number): number[][] {
  if (n === 0) return [[]]
  return permutations(n - 1).flatMap((shorter) =>
    Array.from({ length: n }, (_, at) => shorter.toSpliced(at, 0, n)),
  )
}

/** Every permutation of 1 to n on a ring whose positions are all alike: the largest comes first. */
export function necklaces(n: number): number[][] {
  return permutations(n - 1).map((others) => [n, ...others])
}

/** Every set of positions out of n but the empty one. */
export function startSets(n: number): number[][] {
  return Array.from({ length: 2 ** n - 1 }, (_, i) =>
    Array.from({ length: n }, (_, node) => node).filter((node) => ((i + 1) >> node) & 1),
  )
}

/** Steps from a position to the nearest larger id, clockwise (1) or back (-1); n if none is. */
export function toLarger(ids: readonly number[], position: number, way: 1 | -1 = 1): number {
  const n = ids.length
  for (let steps = 1; steps < n; steps++)
    if (ids[modulo(position + way * steps, n)] > ids[position]) return steps
  return n
}

/** In LCR an id travels to the nearest larger one. */
export function lcrMessages(ids: readonly number[]): number {
  return sum(ids.map((_, position) => toLarger(ids, position)))
}

/**
 * In Chang-Roberts a sleeper sends its own id only if the first id to reach it is smaller, and that
 * is the largest since the nearest starter before it.
 */
export function changRobertsMessages(ids: readonly number[], starters: readonly number[]): number {
  const senders = positions(ids).filter((at) => {
    for (let back = 0; !starters.includes(modulo(at - back, ids.length)); back++)
      if (ids[modulo(at - back - 1, ids.length)] > ids[at]) return false
    return true
  })
  return sum(senders.map((at) => toLarger(ids, at)))
}

/** The nodes in phase k of Hirschberg-Sinclair: larger than 2^(k-1) nodes on each side. */
export function candidates(ids: readonly number[], phase: number): number[] {
  const reach = phase === 0 ? 0 : 2 ** (phase - 1)
  if (reach >= ids.length) return []
  return positions(ids).filter((at) => toLarger(ids, at) > reach && toLarger(ids, at, -1) > reach)
}

/** Phase by phase, what Hirschberg-Sinclair sends on behalf of its candidates. */
export function doublingPhases(ids: readonly number[]): { probe: number; reply: number }[] {
  const phases: { probe: number; reply: number }[] = []
  for (let k = 0; candidates(ids, k).length > 0; k++) {
    const trips = candidates(ids, k).flatMap((at) =>
      ([1, -1] as const).map((way) => trip(toLarger(ids, at, way), 2 ** k)),
    )
    phases.push({
      probe: sum(trips.map(({ probe }) => probe)),
      reply: sum(trips.map(({ reply }) => reply)),
    })
  }
  return phases
}

export function doublingMessages(ids: readonly number[]): number {
  return sum(doublingPhases(ids).map(({ probe, reply }) => probe + reply))
}

/** The same with probes to the left only: an id goes on until it meets its larger one. */
export function oneWayMessages(ids: readonly number[]): number {
  return sum(
    positions(ids).map((at) => {
      const larger = toLarger(ids, at)
      let messages = 0
      let reach = 1
      for (; reach < larger; reach *= 2) messages += 2 * reach
      return messages + trip(larger, reach).probe
    }),
  )
}

/** A probe ends at a larger id; one that has met none within its reach is answered. */
function trip(larger: number, reach: number): { probe: number; reply: number } {
  return { probe: Math.min(larger, reach), reply: larger > reach ? reach : 0 }
}

/**
 * Phases of Peterson and of Franklin, the last one included: of the values in the ring those go on
 * that are larger than both their neighbours, until one is left.
 */
export function peakPhases(ids: readonly number[]): number {
  let values = ids
  let phases = 1
  for (; values.length > 1; phases++) {
    const ring = values
    values = ring.filter((_, i) => toLarger(ring, i) > 1 && toLarger(ring, i, -1) > 1)
  }
  return phases
}

/**
 * Alternating comparisons: the candidates of each step. Of these those go on that are larger than
 * the one before, in odd steps, or than the one after, in even steps, until one is left.
 */
export function alternatingCandidates(ids: readonly number[]): (readonly number[])[] {
  const steps = [ids]
  for (let ring = ids; ring.length > 1; steps.push(ring)) {
    const way = steps.length % 2 === 1 ? -1 : 1
    const before = ring
    ring = before.filter((id, i) => id > before[modulo(i + way, before.length)])
  }
  return steps
}

/**
 * A ring of F(S+1) ids on which alternating comparisons take S steps, built from its last step
 * backwards: whoever goes on after the next step, too, gets a loser of this step beside it.
 */
export function longestAlternation(steps: number): number[] {
  let smallest = 0
  let [later, ring] = [[0], [0]]
  for (let step = steps - 1; step >= 1; step--) {
    const wider = ring.flatMap((id) => {
      if (!later.includes(id)) return [id]
      smallest--
      return step % 2 === 1 ? [id, smallest] : [smallest, id]
    })
    ;[later, ring] = [ring, wider]
  }
  return ring.map((id) => id - smallest + 1)
}

/** When each node of a ring wakes, one step per unit of time; starts by position, others later. */
export function wakingTimes(n: number, starts: ReadonlyMap<number, number>): number[] {
  return Array.from({ length: n }, (_, node) =>
    Math.min(...[...starts].map(([start, time]) => time + modulo(node - start, n))),
  )
}

/** The remainder that is never negative: positions go round. */
export function modulo(number: number, n: number): number {
  return ((number % n) + n) % n
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}

function positions(ids: readonly number[]): number[] {
  return ids.map((_, position) => position)
}
