import type { Algorithm } from '../core/language/algorithm.ts'
import type { Link } from '../core/language/net.ts'
import type { Random } from '../core/runtime/random.ts'
import type { State } from '../core/runtime/state.ts'
import { UsageError } from '../core/usage-error.ts'
import type { AggregateSource } from './aggregate-input.ts'
import type { HeartbeatOptions } from './failure-detector.ts'
import type { Transport } from './transports/transport.ts'

/** What a member must be told to take part. */
export interface MemberOptions {
  readonly algorithm: Algorithm
  readonly position: number
  /** The number of members. */
  readonly n: number
  readonly id: number
  /**
   * What it is elected by instead of its id, read at the start of an election: whatever it then
   * knows of itself and its surroundings, as a whole number; the largest wins. The id breaks ties.
   */
  readonly worth?: () => number
  /** The id behind each key, where `id` and `peers` are keys that are known beforehand. */
  readonly names?: ReadonlyMap<number, number>
  readonly transport: Transport
  readonly params?: Readonly<Record<string, number | string>>
  /** The last state of its life before, if it was restarted: what is stable of it is kept. */
  readonly earlier?: State
  /** The ids of the neighbours, by link: for algorithms that know them, unless there is a worth. */
  readonly peers?: ReadonlyMap<Link, number>
  /** What the links cost; needed by algorithms that know it. */
  readonly weights?: ReadonlyMap<Link, number>
  /** The positions of the neighbours, by link: who holds the 1 of a count depends on them. */
  readonly neighbours?: ReadonlyMap<Link, number>
  /** What it brings to an aggregation, as it is at the moment; otherwise `params` say it once. */
  readonly brings?: AggregateSource
  /** Whether it starts by itself, as soon as its links stand; otherwise a message wakes it. */
  readonly starts?: boolean
  /** Where coins come from; by default they cannot be predicted. */
  readonly random?: Random
  /** Milliseconds to the unit of the algorithm's timers. */
  readonly unit?: number
  /** Bits charged for an id; by default as many as the largest id there can be. */
  readonly uidBits?: number
  /** The link to the next position, over which the end is found; null where it is alone. */
  readonly onward?: Link | null
  /**
   * Watches its neighbours, tells the algorithm who is down and up again, and never ends by itself:
   * where members may die and come back there is no end to find.
   */
  readonly watch?: HeartbeatOptions
  /** Stays after the election, until it is closed. Position 0 then does not look for the end. */
  readonly stay?: boolean
  readonly log?: (line: string) => void
}

/** Refuses an algorithm that asks for what processes on a real network cannot give it. */
export function validateMember(options: MemberOptions): void {
  const { algorithm, position, transport, params = {}, peers, weights } = options
  const { name, needs } = algorithm
  const where = `position ${position}`
  if (needs.time === 'rounds') {
    throw new UsageError(
      name,
      'synchronous rounds, but real processes have none.',
      'Simulate it, or choose an algorithm that works asynchronously.',
    )
  }
  const unknown = (told?: ReadonlyMap<Link, number>) =>
    transport.links.find((link) => !told?.has(link))
  const given = options.worth === undefined && needs.knows?.includes('peers')
  const stranger = given ? unknown(peers) : undefined
  if (stranger !== undefined) {
    throw new UsageError(
      where,
      `${name} knows the ids of all neighbours, but the one behind link ${stranger} is not given.`,
      'Give the ids of all members.',
    )
  }
  const unweighed = needs.knows?.includes('weights') ? unknown(weights) : undefined
  if (unweighed !== undefined) {
    throw new UsageError(
      where,
      `${name} knows what links cost, but the cost of link ${unweighed} is not given.`,
      'Give the weights of all links.',
    )
  }
  if (options.worth !== undefined && needs.ids !== 'unique') {
    throw new UsageError(
      where,
      `an algorithm that compares ids, but ${name} does not.`,
      'Leave out the worth, or choose another algorithm.',
    )
  }
  const missing = Object.keys(algorithm.params).find((param) => params[param] === undefined)
  if (missing !== undefined) {
    throw new UsageError(
      where,
      `a value for each parameter of ${name}, but ${missing} is not given.`,
      `Set ${missing}.`,
    )
  }
}

/** Why a member cannot go on without one of its links. */
export function brokenLink({ position }: MemberOptions, link: Link, why: string): UsageError {
  return new UsageError(
    `position ${position}`,
    `every link until the election has ended, but link ${link} is down: ${why}.`,
    'Start all members anew.',
  )
}
