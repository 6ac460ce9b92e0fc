import type { ShownId, Uid } from '../core/index.ts'

/* Reasons and notes that definitions share. */

interface Named {
  readonly id: Uid
}

/** An id goes round a ring: larger ones are passed on, smaller ones are swallowed. */
export function electionReason(my: Named, { id }: Named, name: ShownId): string {
  if (id === my.id) return `becomes leader: its own id ${name(id)} is back`
  const verb = id > my.id ? 'passes on' : 'swallows'
  return `${verb} ${name(id)}, since ${name.order(id, my.id)}`
}

/** The announcement of the leader goes round a ring. */
export function announcementReason(
  my: { readonly id: Uid | number },
  { id }: { readonly id: Uid | number },
  name: ShownId,
): string {
  if (id === my.id) return 'stops: its announcement has gone round'
  return `follows ${name(id)} and passes the announcement on`
}

/** The leader is known from a message that goes no further. */
export function followReason(_: unknown, { id }: Named, name: ShownId): string {
  return `follows ${name(id)}`
}

/** Notes that a larger id was met: the node cannot win any more. */
export function metLarger(my: Named, { id }: Named): { readonly larger: true } | null {
  return id > my.id ? { larger: true } : null
}

/** How two candidates compare, by level and then by id: `level 0 < 2`. */
export function rankOrder(
  name: ShownId,
  [level, id]: readonly [number, Uid],
  [otherLevel, other]: readonly [number, Uid],
): string {
  if (level === otherLevel) return `${name.order(id, other)} at equal level`
  return `level ${level} ${level < otherLevel ? '<' : '>'} ${otherLevel}`
}
