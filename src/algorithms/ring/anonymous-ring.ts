import { left, message, type Net, type NetworkFacts } from '../../core/index.ts'

/* What elections on anonymous rings share: random ids, and an announcement without an id. */

/** Ids drawn from 1 to k; different nodes may draw the same one. */
export const drawnIds = {
  ids: {
    says: 'random ids are drawn from 1 to this number',
    value: ({ n }: Pick<NetworkFacts, 'n'>) => n,
  },
}

/** How many ids there are. */
export function idCount({ n, settings }: Pick<NetworkFacts, 'n' | 'settings'>): number {
  return Number(settings?.ids ?? n)
}

/** If all nodes draw the same id for ever, nothing tells them apart. */
export function refuseOneId(facts: Pick<NetworkFacts, 'n' | 'settings'>) {
  const ids = idCount(facts)
  const fewest = Math.min(facts.n, 2)
  if (Number.isSafeInteger(ids) && ids >= fewest) return null
  return {
    field: 'set',
    problem: `ids must be a whole number from ${fewest}: ${ids} was given.`,
    hint: `Set it to ${Math.max(2, facts.n)}, or leave it out.`,
  }
}

export const LEADER = message({})

interface Node {
  readonly status: string
}

export function win(net: Net<'ring'>): void {
  net.lead()
  net.send(left, LEADER, {})
}

/** The announcement goes round once. */
export function onLeader(my: Node, _: object, net: Net<'ring'>): void {
  if (my.status !== 'leader') {
    net.follow(null)
    net.send(left, LEADER, {})
  }
  net.stop()
}

export function leaderReason(my: Node): string {
  return my.status === 'leader'
    ? 'stops: its announcement has gone round'
    : 'has lost, and passes it on'
}
