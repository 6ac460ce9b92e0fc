import { findDefinition, offers } from '../algorithms/index.ts'
import type { Link } from '../core/language/net.ts'
import { electingLargest } from '../core/runtime/election-keys.ts'
import { UsageError } from '../core/usage-error.ts'
import type { HeartbeatOptions } from './failure-detector.ts'
import type { NodeOptions } from './node/node-options.ts'
import type { Transport } from './transports/transport.ts'

/** The configuration of a member. */
export interface MemberOptions extends Omit<NodeOptions, 'links'> {
  /** The id for each key, where `id` and `peers` are keys that are known beforehand. */
  readonly names?: ReadonlyMap<number, number>
  readonly transport: Transport
  /** Whether it starts when its links are connected; otherwise a message wakes it. */
  readonly starts?: boolean
  /** The link to the next position, for termination detection; null for a single member. */
  readonly onward?: Link | null
  /**
   * Detects crashes of neighbours by heartbeats and notifies the algorithm. Such a member never
   * ends by itself: where members may crash and recover, an election does not terminate.
   */
  readonly failureDetector?: HeartbeatOptions
  /** Further settings that all members must share, a line each; compared in the handshake. */
  readonly shared?: readonly string[]
  /**
   * What follows if a handler fails with a message. `refuse`: the message has no effect, and a
   * lasting link is dropped; by default where crashes are detected, and for the catalogue. `end`:
   * the member ends with the error; by default for other definitions.
   */
  readonly handlerErrors?: 'refuse' | 'end'
  /** Stays after the election, until it is closed; position 0 then detects no termination. */
  readonly stay?: boolean
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
  if (algorithm.meet !== null)
    throw new UsageError(
      name,
      'its nodes meet at random and send no messages, so that processes cannot run it.',
      'Simulate it, or choose an election by messages.',
    )
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

/** Whether messages that a handler fails with are refused, or else the definition is to blame. */
export function refusesMessages(options: MemberOptions): boolean {
  const { algorithm, handlerErrors, failureDetector } = options
  if (handlerErrors !== undefined) return handlerErrors === 'refuse'
  const known = findDefinition(algorithm.name)
  const inCatalogue = known !== undefined && offers(known, 'lead')
  return failureDetector !== undefined || (inCatalogue && known.schema === algorithm.schema)
}

/** The error of a member that lost a link before its election ended. */
export function brokenLink({ position }: MemberOptions, link: Link, why: string): UsageError {
  return new UsageError(
    `position ${position}`,
    `link ${link} went down before the election had ended: ${why}.`,
    'Start all members again.',
  )
}
