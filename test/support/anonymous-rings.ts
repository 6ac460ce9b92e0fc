import { TransitionSystem } from '../../src/check/model/transition-system.ts'
import type { Algorithm } from '../../src/core/index.ts'
import { modulo, sum } from './oracles.ts'
import { preparation } from './random-worlds.ts'

/* What elections on anonymous rings cost, worked out without their theory. */

/** The active nodes of a round, with the ids that they have drawn. */
export type Draws = ReadonlyMap<number, number>

/** Every token goes on to the first active node with a larger id, or n places and home. */
export function tokensOf(n: number, draws: Draws): number {
  const trip = ([node, id]: [number, number]) => {
    let hops = 1
    while (hops < n && (draws.get(modulo(node + hops, n)) ?? 0) <= id) hops++
    return hops
  }
  return sum([...draws].map(trip))
}

/** Those who play on, or the one who wins. */
export function survivorsOf(draws: Draws): number[] {
  const largest = Math.max(...draws.values())
  return [...draws].filter(([, id]) => id === largest).map(([node]) => node)
}

/** Everything that the active nodes of a ring may draw from k ids. */
export function allDraws(k: number, active: readonly number[]): Draws[] {
  return Array.from(
    { length: k ** active.length },
    (_, code) => new Map(active.map((node, i) => [node, 1 + (Math.floor(code / k ** i) % k)])),
  )
}

/**
 * The expected tokens in rounds by brute force: a Markov chain on sets of active nodes, which only
 * shrink.
 */
export function expectationInRounds(n: number, k = n): number {
  const known = new Map<string, number>()
  const from = (active: readonly number[]): number => {
    const key = active.join()
    const before = known.get(key)
    if (before !== undefined) return before
    const draws = allDraws(k, active)
    const next = draws.map(survivorsOf)
    const smaller = next.filter(({ length }) => length > 1 && length < active.length)
    const stays = next.filter(({ length }) => length > 1 && length === active.length).length
    const tokens = sum(draws.map((one) => tokensOf(n, one))) + sum(smaller.map(from))
    known.set(key, tokens / (draws.length - stays))
    return known.get(key)!
  }
  return from([...Array(n).keys()])
}

/**
 * The expected messages of one schedule, from the handlers themselves: in every state the first
 * step that the checker lists is taken, and all its outcomes are equally likely.
 */
export function expectedMessages(algorithm: Algorithm, n: number, ids: number): number {
  const { world } = preparation(algorithm, { n, set: `ids=${ids}` })
  const wake = [...Array(n).keys()]
  const system = new TransitionSystem(world, { mode: 'untimed', order: 'fifo', wake })
  const { vector } = system
  const states: Uint32Array[] = []
  const numbers = new Map<string, number>()
  const numberOf = () => {
    const key = vector.cells.join()
    if (!numbers.has(key)) numbers.set(key, states.push(vector.cells.slice()) - 1)
    return numbers.get(key)!
  }
  numberOf()
  const chain: { sent: number; to: number }[][] = []
  for (let at = 0; at < states.length; at++) {
    vector.cells.set(states[at])
    vector.rehash()
    let first: unknown
    const outcomes: { sent: number; to: number }[] = []
    system.successors((step) => {
      if (!('trigger' in step)) return
      first ??= step.trigger
      if (step.trigger === first) outcomes.push({ sent: step.sent.length, to: numberOf() })
    })
    chain.push(outcomes)
  }
  const expected = new Float64Array(states.length)
  for (let change = 1; change > 1e-12; ) {
    change = 0
    for (let at = states.length - 1; at >= 0; at--) {
      const total = sum(chain[at].map(({ sent, to }) => sent + expected[to]))
      const mean = total / Math.max(1, chain[at].length)
      change = Math.max(change, Math.abs(mean - expected[at]))
      expected[at] = mean
    }
  }
  return expected[0]
}
