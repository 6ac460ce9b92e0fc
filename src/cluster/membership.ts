import type { Algorithm } from '../core/algorithm.ts'
import { Complaint } from '../core/complaint.ts'
import type { Link } from '../core/net.ts'
import type { Random } from '../core/random.ts'
import type { Transport } from './transport.ts'

/** What a member must be told to take part. */
export interface MemberOptions {
  readonly algorithm: Algorithm
  readonly position: number
  /** The number of members. */
  readonly n: number
  readonly id: number
  readonly transport: Transport
  readonly params?: Readonly<Record<string, number | string>>
  /** The ids of the neighbours, by link; needed by algorithms that know their peers. */
  readonly peers?: ReadonlyMap<Link, number>
  /** Whether it starts by itself, as soon as its links stand; otherwise a message wakes it. */
  readonly starts?: boolean
  /** Where coins come from; by default they cannot be predicted. */
  readonly random?: Random
  /** Milliseconds to the unit of the algorithm's timers. */
  readonly unit?: number
  /** Bits charged for an id; by default as many as the largest id there can be. */
  readonly uidBits?: number
  /** The link to the next position, over which the end of the election is found. */
  readonly onward?: Link
  /** Stays after the election, until it is closed. Position 0 then does not look for the end. */
  readonly stay?: boolean
  readonly log?: (line: string) => void
}

/** Refuses an algorithm that asks for what processes on a real network cannot give it. */
export function demandFitness(options: MemberOptions): void {
  const { algorithm, position, transport, params = {}, peers } = options
  const { name, needs } = algorithm
  const where = `position ${position}`
  if (needs.time === 'rounds') {
    throw new Complaint(
      name,
      'synchronous rounds',
      'real processes have none',
      'Simulate it, or choose an algorithm that works asynchronously.',
    )
  }
  if (needs.knows?.includes('peers')) {
    const unknown = transport.links.find((link) => !peers?.has(link))
    if (unknown !== undefined) {
      throw new Complaint(
        where,
        `${name} knows the ids of all neighbours`,
        `the one behind link ${unknown} is not given`,
        'Give the ids of all members.',
      )
    }
  }
  const missing = Object.keys(algorithm.params).find((param) => params[param] === undefined)
  if (missing !== undefined) {
    throw new Complaint(
      where,
      `a value for each parameter of ${name}`,
      `${missing} is not given`,
      `Set ${missing}.`,
    )
  }
}
