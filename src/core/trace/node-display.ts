import type { Algorithm } from '../language/algorithm.ts'
import type { EventContext, NodeDisplay, Seen, ShownId } from '../language/display.ts'
import type { Link } from '../language/net.ts'
import { linksOf, type Topology } from '../language/topology.ts'
import { idOf, type World } from '../language/world.ts'
import type { State } from '../runtime/state.ts'

/** What is known of a node of which nothing was noted. */
export const NOTHING: Seen = {}

/** What the display of a node depends on besides its state. */
export interface DisplayContext {
  readonly seen?: Seen
  /** When a timer of the node was set and when it fires; null where it is not set. */
  readonly timer?: (index: number) => readonly [from: number, until: number] | null
  /** The links now, where they are not those of the world: a ring closes over crashed nodes. */
  readonly topology?: Topology
}

/** What is shown of a node; null where its algorithm has no display. Throws what that throws. */
export function nodeDisplay(
  world: World,
  node: number,
  state: Readonly<State>,
  { seen = NOTHING, timer, topology = world.topology }: DisplayContext = {},
): NodeDisplay | null {
  const { display, timers } = world.algorithm
  if (display === null) return null
  const my = state as State
  const name = shownIdIn(world)
  const neighbor = (link: Link) => {
    const place = link - topology.firstLink
    if (!(Number.isInteger(place) && place >= 0 && place < topology.degree(node)))
      throw new Error(`the display names ${link}, which is no link of the node`)
    return topology.neighbor(node, link)
  }
  const group = display.group?.of(my, name, seen) ?? null
  const badge = display.badge?.of(my, name, seen) ?? null
  const pointer = display.pointer?.of(my, name, seen) ?? null
  const edges = [...(display.edges?.(my, linksOf(topology, node)) ?? [])]
  const word = display.countdown?.of(my, name, seen) ?? null
  const countdown = word === null ? null : timer?.(timers.findIndex((it) => it.word === word))
  return {
    ...(isPassive(display, my, seen) && { passive: true as const }),
    ...(group !== null && { group: String(group) }),
    ...(badge !== null && { badge: String(badge) }),
    ...(edges.length > 0 && {
      edges: edges.map(([link, role]) => [neighbor(link), role] as const),
    }),
    ...(pointer !== null && { pointer: neighbor(pointer) }),
    ...(countdown && { countdown }),
  }
}

/** A leader has won, whatever became of its candidacy. */
function isPassive({ active }: NonNullable<Algorithm['display']>, my: State, seen: Seen): boolean {
  return active !== undefined && my.status !== 'leader' && !active(my, seen)
}

/** Whether a definition says anything about what is shown, or why. */
export function showsSomething({ display, kinds, timers, meetReason }: Algorithm): boolean {
  if (meetReason !== null) return true
  return display !== null || [...kinds, ...timers].some(({ reason }) => reason !== null)
}

/** The words of a display, for legends. */
export interface DisplayFacts {
  readonly group?: string
  readonly badge?: string
  readonly pointer?: string
  readonly countdown?: string
  /** Whether some nodes may be shown as passive, and links by their roles. */
  readonly passive?: true
  readonly edges?: true
  /** By message type: the field that decides what its receiver does. */
  readonly decides: Readonly<Record<string, string>>
}

export function displayFacts({ display, kinds }: Algorithm): DisplayFacts {
  const { group, badge, pointer, countdown, active, edges } = display ?? {}
  const decides = kinds.flatMap(({ name, decides }) => (decides === null ? [] : [[name, decides]]))
  return {
    ...(group && { group: group.name }),
    ...(badge && { badge: badge.name }),
    ...(pointer && { pointer: pointer.name }),
    ...(countdown && { countdown: countdown.name }),
    ...(active && { passive: true as const }),
    ...(edges && { edges: true as const }),
    decides: Object.fromEntries(decides),
  }
}

const shownIds = new WeakMap<World, ShownId>()

/** How ids are shown in a world. */
export function shownIdIn(world: World): ShownId {
  const known = shownIds.get(world) ?? makeShownId(world)
  shownIds.set(world, known)
  return known
}

function makeShownId(world: World): ShownId {
  const name = (id: unknown) => String(idOf(world, id as number))
  const [less, more] = world.names ? ['ranks below', 'ranks above'] : ['<', '>']
  const order: ShownId['order'] = (a, b) =>
    `${name(a)} ${a === b ? '=' : a < b ? less : more} ${name(b)}`
  return Object.assign(name, { order })
}

/** The nodes around one that handles an event. */
export function eventContext(
  { algorithm, ids, names, topology }: World,
  node: number,
  from: Link,
  up: EventContext['up'] = () => true,
): EventContext {
  const peer = (link: Link) => ids[topology.neighbor(node, link)]
  const named = (link: Link) => names?.get(peer(link)) ?? peer(link)
  const name =
    algorithm.needs.ids === undefined ? (link: Link) => topology.neighbor(node, link) : named
  return {
    n: topology.n,
    from,
    up,
    node: (link) => String(name(link)),
    peer: peer as unknown as EventContext['peer'],
  }
}
