import { grouped } from '../text-format.ts'
import { refuse } from './parameter.ts'

/** Networks that are computed cost no memory, but their channels have to be countable. */
export const MOST_COMPUTED = 2 ** 26

/**
 * Networks that are stored take 4 bytes a node and 16 a link, and twice that while they are built.
 */
export const MOST_STORED = 10_000_000
export const MOST_LINKS = 25_000_000

export function limitNodes(spec: string, nodes: number): void {
  if (nodes <= MOST_COMPUTED) return
  refuse(
    `a network has at most ${grouped(MOST_COMPUTED)} nodes`,
    `${spec} has ${grouped(nodes)}`,
    'Take a smaller one.',
  )
}

export function limitLinks(spec: string, links: number): void {
  if (links <= MOST_LINKS) return
  refuse(
    `a network that is drawn or listed has at most ${grouped(MOST_LINKS)} links`,
    `${spec} has about ${grouped(Math.round(links))}`,
    'Take fewer nodes or fewer links per node.',
  )
}
