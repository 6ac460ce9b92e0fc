import { UsageError } from '../core/usage-error.ts'
import type { MemberOptions } from './member-options.ts'
import type { NodeOptions } from './node/node-options.ts'

/*
 * Members that are elected by a priority have keys in place of ids: numbers that compare like
 * (priority, id). A key is read when a member wakes, and is constant until the next election: until
 * the leader is lost, or the member starts an election itself. Where algorithms know the ids of
 * neighbours, members announce their keys before all other frames of a link and whenever a key has
 * changed. A member with a new key is, for its neighbours, a node that crashed and another that
 * joined in its place, and for itself a node that recovers. Algorithms handle these events anyway,
 * and need not know that keys change.
 */

/** Ids below this limit fit into one number with a priority. */
export const IDS = 2 ** 20

/** A number that compares like (priority, id). */
export function keyOf(priority: number, id: number): number {
  const key = priority * IDS + id
  if (Number.isSafeInteger(key) && Number.isInteger(priority) && priority >= 0 && id < IDS)
    return key
  throw new UsageError(
    'priority',
    `a priority is a whole number from 0 to ${2 ** 33 - 1}, with an id below ${IDS}; these are ${priority} and ${id}.`,
    'Scale the priority, or number the members from 0.',
  )
}

/** The id of the member that has this key. */
export function idBehind(key: number, { priority, names }: MemberOptions): number {
  return priority === undefined ? (names?.get(key) ?? key) : key % IDS
}

/** Whether members must know each other's keys before they can start. */
export function announcesKeys({
  priority,
  algorithm,
}: Pick<NodeOptions, 'priority' | 'algorithm'>): boolean {
  return priority !== undefined && algorithm.needs.knows?.includes('peers') === true
}
