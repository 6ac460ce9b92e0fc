import {
  algorithm,
  flag,
  left,
  type My,
  message,
  type Net,
  nat,
  type Uid,
  uid,
} from '../../core/index.ts'
import { alternatingBounds, alternatingPhases, timeTogether, upperBound } from '../bounds.ts'

const ELECTION = message({ value: uid })
const LEADER = message({ id: uid })

const needs = { topology: 'ring', ids: 'unique', order: 'fifo' } as const
const state = { passive: flag, step: nat, value: uid, finisher: flag }
type Me = My<typeof needs, typeof state>

function announce(my: Me, id: Uid, net: Net<'ring'>): void {
  if (id === my.id) net.lead()
  else net.follow(id)
  net.send(left, LEADER, { id })
}

/** In odd steps the larger value stays where it is, in even steps the larger one moves ahead. */
function survives(my: Me, value: Uid): boolean {
  return my.step % 2 === 1 ? my.value > value : value > my.value
}

/**
 * Peterson 1982, his second algorithm; Dolev, Klawe and Rodeh 1982. The comparisons of
 * alternating-steps with messages in one direction: where a value is to be compared with the one
 * ahead, it is the node ahead that compares, and takes the value over if it is the larger one. n
 * messages per step, and as many steps: at most 1.44 n log2 n + O(n) messages.
 */
export const uniAlternate = algorithm({
  name: 'uni-alternate',
  needs,
  messages: { ELECTION, LEADER },
  announcement: 'LEADER',
  state,
  wakes: true,

  start(my, net) {
    my.value = my.id
    my.step = 1
    net.send(left, ELECTION, { value: my.value })
  },

  on: {
    ELECTION(my, { value }, net) {
      if (my.passive) return net.send(left, ELECTION, { value })
      if (value === my.value) {
        my.finisher = true
        return announce(my, value, net)
      }
      if (!survives(my, value)) {
        my.passive = true
        return
      }
      if (my.step % 2 === 0) my.value = value
      my.step++
      net.send(left, ELECTION, { value: my.value })
    },
    LEADER(my, { id }, net) {
      if (!my.finisher) announce(my, id, net)
      net.stop()
    },
  },

  display: {
    active: (my) => !my.passive,
    badge: {
      name: 'value that it stands for, and the step',
      of: (my, name) => (my.passive || my.step === 0 ? null : `${name(my.value)} s${my.step}`),
    },
    decides: { ELECTION: 'value', LEADER: 'id' },
  },

  reasons: {
    ELECTION(my, { value }, name) {
      if (my.passive) return `passes on ${name(value)}: it is passive itself`
      if (value === my.value)
        return `has ${name(value)} back, so no other node is active: ${name(value)} wins`
      const order = name.order(value, my.value)
      if (!survives(my, value)) return `becomes passive in step ${my.step}, since ${order}`
      return my.step % 2 === 1
        ? `keeps ${name(my.value)} and goes on to step ${my.step + 1}, since ${order}`
        : `takes over ${name(value)} and goes on to step ${my.step + 1}, since ${order}`
    },
    LEADER(my, { id }, name) {
      if (my.finisher) return 'stops: the announcement has gone round'
      if (id === my.id) return 'becomes leader: its id has won'
      return `follows ${name(id)} and passes the announcement on`
    },
  },

  theory: {
    title: 'Uni-alternate (Dolev-Klawe-Rodeh)',
    also: ['UniAlternate', 'DKR', 'Dolev-Klawe-Rodeh', 'Peterson II'],
    authors: 'Peterson 1982 (second algorithm); Dolev, Klawe and Rodeh 1982',
    texts: [],
    idea: 'Every active node stands for a value and sends it clockwise in every step. In odd steps a node stays active if its value is larger than the one that it receives. In even steps it stays active if it receives a larger value, for which it stands from then on. When a single active node is left, its value returns to it, and the owner of the value becomes leader.',
    because:
      'The values of the active nodes are those of the candidates of alternating-steps: in odd steps those remain that are larger than the one before, in even steps those that are larger than the one after, one place further on. On FIFO links a node receives the values in the order of the steps.',
    breaks:
      'Links that are not FIFO: values of different steps are compared. Equal ids: a node takes the value of another for its own. An undetected crash: no message passes the crashed node.',
    example: 'conclave run uni-alternate --ids 1,2,7,3,4,8,5,6',
    cost: '1.44 n log2 n + O(n) messages, n per step',
    bounds: [
      ...alternatingBounds,
      upperBound(
        timeTogether('n (S+1) - 1, F(S+1) <= n', ({ n }) => n * (alternatingPhases(n) + 1) - 1),
      ),
    ],
  },
})
