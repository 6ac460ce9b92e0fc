import { grouped } from '../text-format.ts'
import { UsageError } from '../usage-error.ts'

/** A number in the text of a network: `p` in `random:n:p`. */
export interface NetworkParameter {
  readonly name: string
  /** The allowed values in words, to follow "n must be ...". */
  readonly domain: string
  /** Its value; undefined if the text is not in the domain. */
  read(text: string): number | undefined
}

export function whole(name: string, least: number, most: number): NetworkParameter {
  return {
    name,
    domain: `a whole number from ${grouped(least)} to ${grouped(most)}`,
    read: (text) => (/^\d+$/.test(text) ? within(Number(text), least, most) : undefined),
  }
}

export function real(name: string, least: number, most: number): NetworkParameter {
  const pattern = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
  return {
    name,
    domain: `a number from ${least} to ${most}`,
    read: (text) => (pattern.test(text) ? within(Number(text), least, most) : undefined),
  }
}

/** Refuses the text of a network. */
export function refuse(problem: string, hint: string): never {
  throw new UsageError('topology', problem, hint)
}

function within(value: number, least: number, most: number): number | undefined {
  return value >= least && value <= most ? value : undefined
}

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
