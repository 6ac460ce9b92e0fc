import {
  algorithm,
  flag,
  left,
  type My,
  maybe,
  message,
  type Net,
  type Uid,
  uid,
} from '../../core/index.ts'
import {
  asynchronousRings,
  halvingPhases,
  timeTogether,
  upperBound,
  worstMessages,
} from '../bounds.ts'

const ELECTION = message({ value: uid })
const LEADER = message({ id: uid })

const needs = { topology: 'ring', ids: 'unique', order: 'fifo' } as const
const state = { passive: flag, value: uid, first: maybe(uid), finisher: flag }

function announce(my: My<typeof needs, typeof state>, id: Uid, net: Net<'ring'>): void {
  if (id === my.id) net.lead()
  else net.follow(id)
  net.send(left, LEADER, { id })
}

/**
 * Peterson 1982; Dolev, Klawe and Rodeh 1982. Messages travel in one direction: an active node
 * learns the values of its two nearest active predecessors and adopts the nearer one's value if
 * that is the largest of the three; otherwise it only relays. At most every second value survives a
 * phase of 2n messages.
 */
export const peterson = algorithm({
  name: 'peterson',
  needs,
  messages: { ELECTION, LEADER },
  announcement: 'LEADER',
  state,
  wakes: true,

  start(my, net) {
    my.value = my.id
    net.send(left, ELECTION, { value: my.value })
  },

  on: {
    ELECTION(my, { value }, net) {
      if (my.passive) return net.send(left, ELECTION, { value })
      if (my.first === null) {
        if (value === my.value) {
          my.finisher = true
          return announce(my, value, net)
        }
        my.first = value
        return net.send(left, ELECTION, { value })
      }
      if (my.first > my.value && my.first > value) {
        my.value = my.first
        net.send(left, ELECTION, { value: my.value })
      } else my.passive = true
      my.first = null
    },
    LEADER(my, { id }, net) {
      if (!my.finisher) announce(my, id, net)
      net.stop()
    },
  },

  display: {
    active: (my) => !my.passive,
    badge: {
      name: 'value that it stands for',
      of: (my, name) => (my.passive || my.status === 'asleep' ? null : name(my.value)),
    },
    decides: { ELECTION: 'value', LEADER: 'id' },
  },

  reasons: {
    ELECTION(my, { value }, name) {
      const { first } = my
      if (my.passive) return `passes on ${name(value)}: it is passive itself`
      if (first === null)
        return value === my.value
          ? `has ${name(value)} back, so no other node is active: ${name(value)} wins`
          : `learns ${name(value)} of the active node before it, and passes it on`
      const all = `${name(first)}, ${name(my.value)} and ${name(value)}`
      return first > my.value && first > value
        ? `takes over ${name(first)}, the largest of ${all}`
        : `becomes passive: ${name(first)} is not the largest of ${all}`
    },
    LEADER(my, { id }, name) {
      if (my.finisher) return 'stops: the announcement has gone round'
      if (id === my.id) return 'becomes leader: its id has won'
      return `follows ${name(id)} and passes the announcement on`
    },
  },

  theory: {
    title: 'Peterson',
    authors: 'Peterson 1982; Dolev, Klawe and Rodeh 1982',
    also: ['UniStages', 'Peterson I'],
    texts: [],
    idea: 'In each phase an active node with the value v learns the value u of the nearest active node before it and the value w of the one before that. If u is larger than v and w, it stays active with the value u; otherwise it only relays. When a single active node is left, its value returns to it, and the owner of the value becomes leader.',
    because:
      'Of two neighbouring active nodes at most one survives a phase, and the largest value always does. When one active node is left, it receives its own value and announces the owner of the value, which becomes leader.',
    breaks:
      'Links that are not FIFO: u and w are exchanged. An undetected crash: no message passes the crashed node.',
    example: 'conclave run peterson --ids 1,5,3,7,2,6,4,8',
    cost: '2n floor(log2 n) + n messages',
    bounds: [
      worstMessages('2n floor(log2 n) + n', ({ n }) => 2 * n * (halvingPhases(n) - 1) + n),
      asynchronousRings,
      upperBound(
        timeTogether('n(floor(log2 n) + 2) - 1', ({ n }) => n * (halvingPhases(n) + 1) - 1),
      ),
    ],
  },
})
