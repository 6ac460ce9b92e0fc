import { grouped } from '../text-format.ts'
import { UsageError } from '../usage-error.ts'

/** A number in the text of a network: `p` in `random:n:p`. */
export interface NetworkParameter {
  readonly name: string
  /** What it has to be, to follow "n is ...". */
  readonly needed: string
  /** Its value, or undefined if the text is not what is needed. */
  read(text: string): number | undefined
}

export function whole(name: string, least: number, most: number): NetworkParameter {
  return {
    name,
    needed: `a whole number from ${grouped(least)} to ${grouped(most)}`,
    read: (text) => (/^\d+$/.test(text) ? within(Number(text), least, most) : undefined),
  }
}

export function real(name: string, least: number, most: number): NetworkParameter {
  const pattern = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
  return {
    name,
    needed: `a number from ${least} to ${most}`,
    read: (text) => (pattern.test(text) ? within(Number(text), least, most) : undefined),
  }
}

/** Refuses what the user wrote for a network. */
export function refuse(needed: string, given: string, remedy: string): never {
  throw new UsageError('--topology', `${needed}, but ${given}.`, remedy)
}

function within(value: number, least: number, most: number): number | undefined {
  return value >= least && value <= most ? value : undefined
}
