import {
  type Algorithm,
  algorithm,
  larger,
  type My,
  maybe,
  message,
  type NetOf,
  nat,
  timer,
  uid,
} from '../../core/index.ts'
import { timeTogether, upperBound, worstMessages } from '../bounds.ts'

const MAX = message({ id: uid })
const TICK = timer()

const needs = {
  topology: 'any',
  ids: 'unique',
  knows: ['diameter'],
  time: 'rounds',
  start: 'together',
} as const
const state = { best: maybe(uid), told: maybe(uid), round: nat }

function decide(my: My<typeof needs, typeof state>, net: NetOf<typeof needs>): void {
  if (my.best === my.id) net.lead()
  else net.follow(my.best)
  net.stop()
}

/**
 * FloodMax (Lynch 1996), and OptFloodMax with send=changes. In every round all nodes send the
 * largest id that they know to all neighbours. After D rounds, the diameter, the largest id is
 * known everywhere: its owner leads, and all decide in the same round. Exactly 2 E D messages;
 * fewer if a node sends only what is new.
 */
export const floodMax = algorithm({
  name: 'flood-max',
  needs,
  messages: { MAX },
  timers: { TICK },
  params: {
    send: {
      says: 'changes: a node sends only when it knows a larger id than it has sent before',
      choices: ['always', 'changes'],
      value: () => 'always',
    },
  },
  variant: ({ send }) => (send === 'changes' ? sendingChanges() : null),
  state,
  wakes: true,

  start(my, net) {
    my.best = my.told = my.id
    if (net.diameter === 0) return decide(my, net)
    net.sendAll(MAX, { id: my.id })
    net.after(1, TICK)
  },

  on: {
    MAX(my, { id }) {
      my.best = larger(my.best!, id)
    },
  },

  // Timers of a round come after its messages.
  timeout: {
    TICK(my, net) {
      my.round++
      if (my.round === net.diameter) return decide(my, net)
      if (my.send === 'always' || my.best! > my.told!) {
        my.told = my.best
        net.sendAll(MAX, { id: my.best! })
      }
      net.after(1, TICK)
    },
  },

  display: {
    active: ({ best, id }) => best === null || best === id,
    group: {
      name: 'largest id known',
      of: ({ best }, name) => (best === null ? null : name(best)),
    },
    badge: {
      name: 'largest id known',
      of: ({ best }, name) => (best === null ? null : name(best)),
    },
    decides: { MAX: 'id' },
  },

  reasons: {
    MAX: ({ best }, { id }, name) =>
      best === null || id > best
        ? `has learnt of ${name(id)}`
        : `knows nothing new: ${id === best ? name(id) : name.order(id, best)}`,
    TICK({ best, told, id, round, send, diameter }, name) {
      const known = name(best ?? id)
      if (round + 1 === diameter)
        return best === id
          ? `becomes leader: within distance ${diameter} no id is larger`
          : `follows ${known}, the largest id within distance ${diameter}`
      if (send === 'always') return `sends ${known}, the largest id that it knows`
      return best === told ? 'sends nothing: it has no news' : `sends ${known}, which is new`
    },
  },

  theory: {
    title: 'Flooding of the largest id',
    authors: 'Lynch 1996, FloodMax and OptFloodMax',
    also: ['FloodMax', 'OptFloodMax'],
    texts: [],
    idea: 'Every node knows the diameter D. In each round it sends the largest id that it has seen to all its neighbours. After D rounds the node that has seen no larger id than its own leads; all others follow the largest that they have seen. With send=changes a node sends only if it has seen a larger id since it last sent.',
    because:
      'After r rounds a node knows the largest id within distance r: each of its neighbours knew the largest within r - 1. No two nodes are farther apart than D. A node that has no news has told it all before, so leaving it out changes nothing.',
    breaks:
      'A diameter that is taken for smaller than it is: every node leads that is the largest within that distance. Messages that take longer than a round, and a node that starts later: the largest id arrives after the decision.',
    example: 'conclave run flood-max --topology grid:3x4 --ids increasing',
    cost: 'exactly 2 E D messages, D rounds',
    bounds: [
      worstMessages('2 E D (D the diameter)', always),
      { of: 'messages', kind: 'best', formula: '2 E D', value: always },
      timeTogether('D', ({ diameter }) => diameter),
    ],
  },
})

function always({ links, diameter }: { links: number; diameter: number }): number {
  return 2 * links * diameter
}

/** The same handlers; only what is proven differs. */
function sendingChanges(): Algorithm {
  const [most, , time] = floodMax.theory.bounds
  const least = {
    of: 'messages',
    kind: 'best',
    formula: '2 E',
    value: always,
  } as const
  const once = (facts: Parameters<typeof always>[0]) => Math.min(always(facts), 2 * facts.links)
  return {
    ...floodMax,
    theory: { ...floodMax.theory, bounds: [upperBound(most), { ...least, value: once }, time] },
  }
}
