import {
  type EventContext,
  type Link,
  link,
  maybe,
  type NetworkFacts,
  type Seen,
  set,
} from '../../core/index.ts'

/* What the elections on trees share: how a tree is saturated, from the leaves on. */

/** The links that a node has not heard from, and the one over which it has sent VALUE. */
export const saturationState = { waiting: set(link), parent: maybe(link) }

export interface InSaturation {
  waiting: Set<Link>
  parent: Link | null
}

/** A node that has joined waits for at least one link until the end. */
export function hasJoined({ waiting }: InSaturation): boolean {
  return waiting.size > 0
}

/** The parent is behind the last link that is left; null while several are, or once it is known. */
export function newParent(my: InSaturation): Link | null {
  if (my.parent !== null || my.waiting.size !== 1) return null
  const [last] = my.waiting
  my.parent = last
  return last
}

const role = (_: unknown, __: unknown, { saturated }: Seen) => (saturated ? 'saturated' : null)

/** What pictures show: the way to the parent, and the two nodes that are each other's parent. */
export const saturationDisplay = {
  group: { name: 'pair of saturated nodes', of: role },
  edges: ({ parent }: InSaturation) => (parent === null ? [] : [[parent, 'tree'] as const]),
  pointer: { name: 'parent', of: ({ parent }: InSaturation) => parent },
}

/** Notes that a node is saturated: it has heard from its parent, too. */
export function saturation({ parent }: InSaturation, _: unknown, __: Seen, { from }: EventContext) {
  return from === parent ? { saturated: true } : null
}

export function wakeReason(
  my: InSaturation,
  _: unknown,
  __: unknown,
  { from, node }: EventContext,
): string {
  return hasJoined(my) ? 'ignores it: it has joined already' : `joins, woken by ${node(from)}`
}

/** Why a node goes on after VALUE; `heard` is what it does once all links have sent theirs. */
export function valueReason(my: InSaturation, { from, node }: EventContext, heard: string): string {
  if (from === my.parent) return `is saturated: its parent has sent a value, too; ${heard}`
  if (!hasJoined(my)) return 'joins: a value is the first message that it gets'
  const [last, ...more] = [...my.waiting].filter((one) => one !== from)
  return more.length === 0
    ? `has heard from all but ${node(last)}, which becomes its parent`
    : `waits for ${more.length + 1} more neighbours`
}

/** WAKE and VALUE with k starters, of which none was woken by another. */
export function saturationMessages({ n, starters }: NetworkFacts): number {
  return 2 * n + starters - 2
}

/** Whether every starter starts by itself, and there is somebody to talk to. */
export function startsCount({ n, links, together, starters }: NetworkFacts): boolean {
  return n > 1 && links === n - 1 && (together || starters === 1)
}
