import { UsageError } from '../core/usage-error.ts'
import type { MemberOptions } from './member-options.ts'

/*
 * Members that are elected by their worth have keys in place of ids: numbers that compare like
 * (worth, id). A key is read when a member wakes, and stays what it is until the next election:
 * until the leader is lost, or the member starts again by itself. Where algorithms know the ids of
 * neighbours, members tell each other their keys, ahead of all else on a link and whenever a key
 * has changed. Who goes by another key is to its neighbours one that has died and another that has
 * come in its place, and to itself one that begins anew: what algorithms answer to anyway, so that
 * none needs to know that keys change.
 */

/** Ids below this many can stand beside a worth in one number. */
const IDS = 2 ** 20

/** A number that compares like (worth, id). */
export function keyFor(worth: number, id: number): number {
  const key = worth * IDS + id
  if (Number.isSafeInteger(key) && Number.isInteger(worth) && worth >= 0 && id < IDS) return key
  throw new UsageError(
    'worth',
    `a whole number from 0 to ${2 ** 33 - 1} beside an id below ${IDS}, but there are ${worth} and ${id}.`,
    'Scale the worth, or number the members from 0.',
  )
}

/** The id behind what a member is compared by. */
export function idBehind(key: number, { worth, names }: MemberOptions): number {
  return worth === undefined ? (names?.get(key) ?? key) : key % IDS
}

/** Whether members must hear of each other's keys before they can begin. */
export function tellsKeys({ worth, algorithm }: MemberOptions): boolean {
  return worth !== undefined && algorithm.needs.knows?.includes('peers') === true
}
