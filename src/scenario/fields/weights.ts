import { type Random, type Topology, UsageError } from '../../core/index.ts'
import { linksOf } from '../../core/language/topology.ts'
import { decimal } from './reading.ts'

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
  const ends: [from: number, to: number, link: number][] = []
  for (let node = 0; node < topology.n; node++) {
    for (const link of linksOf(topology, node)) {
      const to = topology.neighbor(node, link)
      if (node < to) ends.push([node, to, link])
    }
  }
  ends.sort(([a, b], [c, d]) => a - c || b - d)
  const given = value === 'file' ? weightsInFile(where, topology) : value
  if (given !== 'random' && given.length !== ends.length) {
    throw new UsageError(
      where,
      `${topology.name} has ${ends.length} links, but ${given.length} weights were given.`,
      'Give one weight per link, in the order of the sorted edges.',
    )
  }
  const listed =
    given === 'random' ? random.permutation(ends.length).map((place) => place + 1) : given
  const weights = new Float64Array(topology.channels)
  for (const [edge, [from, to, link]] of ends.entries()) {
    weights[topology.channel(from, link)] = listed[edge]
    weights[topology.channel(to, topology.back(from, link))] = listed[edge]
  }
  return weights
}

/** The weights that the file of the network gives. */
export function weightsInFile(where: string, { listed, name }: Topology): readonly number[] {
  if (listed?.weights !== undefined) return listed.weights
  throw new UsageError(
    where,
    `${name} comes without weights.`,
    'Use a file of links whose third column is a weight.',
  )
}
