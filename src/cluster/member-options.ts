import type { Algorithm } from '../core/language/algorithm.ts'
import type { Link } from '../core/language/net.ts'
import { electingLargest } from '../core/runtime/election-keys.ts'
import type { Random } from '../core/runtime/random.ts'
import type { State } from '../core/runtime/state.ts'
import { UsageError } from '../core/usage-error.ts'
import type { AggregateSource } from './aggregate-input.ts'
import type { HeartbeatOptions } from './failure-detector.ts'
import type { Transport } from './transports/transport.ts'

/** The configuration of a member. */
export interface MemberOptions {
  readonly algorithm: Algorithm
  readonly position: number
  /** The number of members. */
  readonly n: number
  readonly id: number
  /**
   * The member with the largest priority wins, a whole number; ids break ties. It is read at the
   * start of an election. Without it, ids decide.
   */
  readonly priority?: () => number
  /** The id for each key, where `id` and `peers` are keys that are known beforehand. */
  readonly names?: ReadonlyMap<number, number>
  readonly transport: Transport
  readonly params?: Readonly<Record<string, number | string>>
  /** The last state before a restart: its stable fields are kept. */
  readonly previousState?: State
  /** The ids of the neighbours, by link; for algorithms that know them and without a priority. */
  readonly peers?: ReadonlyMap<Link, number>
  /** The weights of the links; for algorithms that know them. */
  readonly weights?: ReadonlyMap<Link, number>
  /** The positions of the neighbours, by link; they decide which member holds the 1 of a count. */
  readonly neighbours?: ReadonlyMap<Link, number>
  /** Its input to an aggregation, which may change; without it, `params` hold a constant one. */
  readonly aggregateSource?: AggregateSource
  /** Whether it starts when its links are connected; otherwise a message wakes it. */
  readonly starts?: boolean
  /** The source of random choices; by default they cannot be predicted. */
  readonly random?: Random
  /** The unit of the algorithm's timers in milliseconds; 1000 by default. */
  readonly unit?: number
  /** Bits charged for an id; 53 by default. */
  readonly uidBits?: number
  /** The link to the next position, for termination detection; null for a single member. */
  readonly onward?: Link | null
  /**
   * Detects crashes of neighbours by heartbeats and notifies the algorithm. Such a member never
   * ends by itself: where members may crash and recover, an election does not terminate.
   */
  readonly failureDetector?: HeartbeatOptions
  /** Stays after the election, until it is closed; position 0 then detects no termination. */
  readonly stay?: boolean
  readonly log?: (line: string) => void
}

/** Refuses an algorithm whose needs real processes cannot meet, and missing options. */
export function validateMember(options: MemberOptions): void {
  const { algorithm, position, transport, params = {}, peers, weights } = options
  const { name, needs } = algorithm
  const where = `position ${position}`
  if (needs.time === 'rounds') {
    throw new UsageError(
      name,
      'the algorithm needs synchronous rounds, which real processes do not have.',
      'Simulate it, or choose an asynchronous algorithm.',
    )
  }
  const firstWithout = (known?: ReadonlyMap<Link, number>) =>
    transport.links.find((link) => !known?.has(link))
  const knowsPeers = options.priority === undefined && needs.knows?.includes('peers')
  const unknownPeer = knowsPeers ? firstWithout(peers) : undefined
  if (unknownPeer !== undefined) {
    throw new UsageError(
      where,
      `${name} knows the ids of its neighbours, but peers has none for link ${unknownPeer}.`,
      'Give the ids of all neighbours.',
    )
  }
  const unweighted = needs.knows?.includes('weights') ? firstWithout(weights) : undefined
  if (unweighted !== undefined) {
    throw new UsageError(
      where,
      `${name} knows the weights of links, but weights has none for link ${unweighted}.`,
      'Give the weights of all links.',
    )
  }
  if (options.priority !== undefined && needs.ids !== 'unique') {
    throw new UsageError(
      where,
      `a priority needs an algorithm that compares ids, which ${name} does not.`,
      'Leave out the priority, or choose another algorithm.',
    )
  }
  if (options.priority !== undefined) electingLargest(where, algorithm)
  const missing = Object.keys(algorithm.params).find((param) => params[param] === undefined)
  if (missing !== undefined) {
    throw new UsageError(
      where,
      `the parameter ${missing} of ${name} is not set.`,
      `Set params.${missing}.`,
    )
  }
}

/** The error of a member that lost a link before its election ended. */
export function brokenLink({ position }: MemberOptions, link: Link, why: string): UsageError {
  return new UsageError(
    `position ${position}`,
    `link ${link} went down before the election had ended: ${why}.`,
    'Start all members again.',
  )
}
