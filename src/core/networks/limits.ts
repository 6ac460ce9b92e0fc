import { grouped } from '../text-format.ts'
import { refuse } from './parameter.ts'

/** Computed networks take no memory, but typed arrays of their nodes must be possible. */
export const MOST_COMPUTED = 2 ** 27

/** Stored networks take 4 bytes a node and 16 a link, and twice that while they are built. */
export const MOST_STORED = 10_000_000
export const MOST_LINKS = 25_000_000

export function limitNodes(spec: string, nodes: number): void {
  if (nodes <= MOST_COMPUTED) return
  refuse(
    `${spec} has ${grouped(nodes)} nodes; at most ${grouped(MOST_COMPUTED)} are possible.`,
    'Choose a smaller network.',
  )
}

export function limitLinks(spec: string, links: number): void {
  if (links <= MOST_LINKS) return
  refuse(
    `${spec} has about ${grouped(Math.round(links))} links; a random or listed network has at most ${grouped(MOST_LINKS)}.`,
    'Choose fewer nodes or fewer links per node.',
  )
}
