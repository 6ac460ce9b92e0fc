import { type Random, type Topology, UsageError } from '../../core/index.ts'
import { mobile } from '../../core/networks/random/mobile-network.ts'
import { cutLink, type FaultEvent, type Partition } from '../../sim/index.ts'

/** Nodes stop moving at this time, so that the run can end. */
const LONGEST_WALK = 100
const MOST_NODES = 1000

/** A network of moving nodes: all links that ever exist, and when they appear and disappear. */
export function mobilityOf(
  where: string,
  speed: number,
  topology: Topology,
  until: number,
  random: Random,
): { readonly topology: Topology; readonly changes: readonly FaultEvent[] } {
  if (speed === 0) return { topology, changes: [] }
  const { name, coordinates, n } = topology
  const [kind, , range] = name.split(':')
  if (kind !== 'geometric' || coordinates === undefined || n > MOST_NODES) {
    throw new UsageError(
      where,
      `${name} cannot move: mobility needs a geometric network of at most ${MOST_NODES} nodes.`,
      'Use a network such as geometric:100:0.2, or leave out mobility.',
    )
  }
  const walk = { range: Number(range), speed, until: Math.min(until, LONGEST_WALK) }
  const moving = mobile({ name, n, places: coordinates }, walk, random)
  const partitions = new Map<number, Partition>()
  const changes = moving.changes.map(({ at, what, ends: [a, b] }): FaultEvent => {
    const link = a * n + b
    if (what === 'cut') partitions.set(link, cutLink(a, b))
    const partition = partitions.get(link) ?? cutLink(a, b)
    return { at, what, partition }
  })
  return { topology: moving.topology, changes }
}
