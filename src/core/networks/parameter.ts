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
