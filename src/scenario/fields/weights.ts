import { type Random, type Topology, UsageError } from '../../core/index.ts'
import { linksOf } from '../../core/language/topology.ts'
import { decimal } from '../../options/reading.ts'

/** `file`: as the file of the network gives them. */
export type WeightField = 'random' | 'file' | readonly number[]

/** Reads weights: `random`, `file`, or a list in the order of the sorted edges. */
export function readWeights(where: string, value: unknown): WeightField {
  if (value === 'random' || value === 'file') return value
  const entries = Array.isArray(value) ? value : String(value).split(',')
  return entries.map((entry) =>
    decimal(where, entry, 'random, file or weights such as 1,2,3', 2, (weight) => weight >= 0),
  )
}

/** The weights of both directions of each link, by channel. Edges are sorted by their positions. */
export function weightsOf(
  where: string,
  value: WeightField,
  topology: Topology,
  random: Random,
): Float64Array {
  const given = value === 'file' ? weightsInFile(where, topology) : value
  const edges = edgesOf(topology)
  if (given !== 'random' && given.length !== edges.length) {
    throw new UsageError(
      where,
      `${topology.name} has ${edges.length} links, but ${given.length} weights were given.`,
      'Give one weight per link, in the order of the sorted edges.',
    )
  }
  const listed =
    given === 'random' ? random.permutation(edges.length).map((place) => place + 1) : given
  return byChannel(topology, listed, edges)
}

/** All links by their smaller position, their larger one, and their number at the smaller. */
export function edgesOf(topology: Topology): [from: number, to: number, link: number][] {
  const ends: [from: number, to: number, link: number][] = []
  for (let node = 0; node < topology.n; node++) {
    for (const link of linksOf(topology, node)) {
      const to = topology.neighbor(node, link)
      if (node < to) ends.push([node, to, link])
    }
  }
  return ends.sort(([a, b], [c, d]) => a - c || b - d)
}

/** Numbers of the sorted edges, for both directions of each link. */
export function byChannel(
  topology: Topology,
  listed: ArrayLike<number>,
  edges = edgesOf(topology),
): Float64Array {
  const numbers = new Float64Array(topology.channels)
  for (const [edge, [from, to, link]] of edges.entries()) {
    numbers[topology.channel(from, link)] = listed[edge]
    numbers[topology.channel(to, topology.back(from, link))] = listed[edge]
  }
  return numbers
}

/** The weights that the file of the network gives. */
function weightsInFile(where: string, { listed, name }: Topology): readonly number[] {
  if (listed?.weights !== undefined) return listed.weights
  throw new UsageError(
    where,
    `${name} comes without weights.`,
    'Use a file of links whose third column is a weight.',
  )
}
