import type { Effects } from './effects.ts'
import type { System } from './system.ts'

/**
 * Whether it loses nothing that all nodes wake at the very beginning. A spontaneous wake-up
 * commutes with everything before it, for nothing happens to a sleeper. One that a message would
 * have woken may wake before, if it then starts in just the same way. And a run must not be able to
 * end while some still sleep: whoever starts sends to somebody, who wakes, and so on to everybody.
 */
export function startsCanBeFirst({ anyWake, faults, effects }: System): boolean {
  if (!anyWake || faults !== null || !effects.world.algorithm.wakes) return false
  const nodes = [...effects.locals.keys()]
  if (!nodes.every((node) => effects.startsAlike(node))) return false
  const told = nodes.map((node) => toldByStart(effects, node))
  return nodes.every((node) => reached(node, told).size === nodes.length)
}

/** Those to whom a node sends when it starts, however its coins fall; none if that may seat it. */
function toldByStart(effects: Effects, node: number): number[] {
  const ways = effects.ofWaking(node, 0)
  if (ways.some(({ seats }) => seats)) return []
  const [first, ...others] = ways.map(
    ({ sent }) => new Set(sent.map(({ channel }) => effects.channels[channel].route.to)),
  )
  return [...first].filter((to) => others.every((way) => way.has(to)))
}

function reached(node: number, told: readonly (readonly number[])[]): Set<number> {
  const seen = new Set([node])
  for (const one of seen) for (const other of told[one]) seen.add(other)
  return seen
}
