import type { TransitionCache } from '../model/transition-cache.ts'
import type { TransitionSystem } from '../model/transition-system.ts'

/**
 * Whether it loses nothing that all nodes wake at the very beginning. A spontaneous wake-up
 * commutes with everything before it, for nothing happens to a sleeper. One that a message would
 * have woken may wake before, if it then starts in just the same way. And a run must not be able to
 * end while some still sleep: whoever starts sends to somebody, who wakes, and so on to everybody.
 */
export function startsCanBeFirst(system: TransitionSystem): boolean {
  const { anyWake, faults, effects } = system
  if (!anyWake || faults !== null || !effects.world.algorithm.wakes) return false
  const starts = effects.sleepers.map((local, node) => startOf(system, node, local))
  if (!starts.every(({ alike }) => alike)) return false
  const told = starts.map((start) => start.told)
  // Each wakes all where the first one does, and is woken by all.
  return wakesAll(told) && wakesAll(turned(told))
}

/** How a node starts: whether in one way, whoever wakes it, and to whom it then sends. */
interface Start {
  readonly alike: boolean
  readonly told: readonly number[]
}

/** By system, node and local state: a system may be searched with one arrangement after another. */
const known = new WeakMap<TransitionSystem, Start[][]>()

function startOf(system: TransitionSystem, node: number, local: number): Start {
  const { effects } = system
  const starts = known.get(system) ?? effects.locals.map(() => [])
  known.set(system, starts)
  starts[node][local] ??= {
    alike: effects.startsAlike(node, local),
    told: toldByStart(effects, node, local),
  }
  return starts[node][local]
}

/** Those to whom a node sends when it starts, however its coins fall; none if that may seat it. */
function toldByStart(effects: TransitionCache, node: number, local: number): number[] {
  const ways = effects.ofWaking(node, local)
  if (ways.length === 0 || ways.some(({ seats }) => seats)) return []
  const [first, ...others] = ways.map(
    ({ sent }) => new Set(sent.map(({ channel }) => effects.channels[channel].route.to)),
  )
  return [...first].filter((to) => others.every((way) => way.has(to)))
}

/** Whether all are woken if the first one wakes. */
function wakesAll(told: readonly (readonly number[])[]): boolean {
  const woken = new Set([0])
  for (const one of woken) for (const other of told[one]) woken.add(other)
  return woken.size === told.length
}

/** By node: those who tell it. */
function turned(told: readonly (readonly number[])[]): number[][] {
  const by: number[][] = told.map(() => [])
  for (const [node, others] of told.entries()) for (const other of others) by[other].push(node)
  return by
}
