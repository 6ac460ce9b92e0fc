import {
  algorithm,
  flag,
  left,
  type My,
  maybe,
  message,
  type Net,
  numericUid,
  timer,
} from '../../core/index.ts'
import { upperBound, worstMessages } from '../bounds.ts'
import { announcementReason } from '../reasons.ts'

const FAST = message({ id: numericUid })
const SLOW = message({ id: numericUid })
const LEADER = message({ id: numericUid })
const SEND_SLOWLY = timer()

const needs = { topology: 'ring', ids: 'numbers', time: 'rounds' } as const
const state = { active: flag, smallest: maybe(numericUid), waiting: maybe(numericUid) }

/** Accepts an id that is smaller than all competing ids so far; larger ids are discarded. */
function accept(my: My<typeof needs, typeof state>, id: number): boolean {
  if (my.smallest !== null && id >= my.smallest) return false
  my.smallest = id
  return true
}

/** One link in 2^id rounds. Only one id waits at a node: a smaller one replaces it. */
function sendSlowly(my: My<typeof needs, typeof state>, id: number, net: Net<'ring'>): void {
  my.waiting = id
  net.after(2 ** id - 1, SEND_SLOWLY)
}

/**
 * Frederickson and Lynch 1984, the second synchronous algorithm of the MPS lecture. Ids travel at
 * different speeds, one link in 2^id rounds once they have met another competitor, so that the
 * smallest active id overtakes and stops all others. At most 5n messages, but n 2^L + n rounds
 * for the leader's id L.
 */
export const slowFast = algorithm({
  name: 'slow-fast',
  needs,
  messages: { FAST, SLOW, LEADER },
  announcement: 'LEADER',
  timers: { SEND_SLOWLY },
  state,
  wakes: false,
  elects: 'another',

  start(my, net) {
    my.active = true
    my.smallest = my.id
    net.send(left, FAST, { id: my.id })
  },

  on: {
    FAST(my, { id }, net) {
      if (my.active && id === my.id) return win(id, net)
      if (!accept(my, id)) return
      if (my.active) return sendSlowly(my, id, net)
      my.waiting = null
      net.cancel(SEND_SLOWLY)
      net.send(left, FAST, { id })
    },
    SLOW(my, { id }, net) {
      if (my.active && id === my.id) return win(id, net)
      if (accept(my, id)) sendSlowly(my, id, net)
    },
    LEADER(my, { id }, net) {
      if (id !== my.id) {
        net.follow(id)
        net.send(left, LEADER, { id })
      }
      net.stop()
    },
  },

  timeout: {
    SEND_SLOWLY(my, net) {
      if (my.waiting === null) return
      net.send(left, SLOW, { id: my.waiting })
      my.waiting = null
    },
  },

  beyond: ({ n, starters, smallestStarter }) =>
    starters < 2 || n * 2 ** smallestStarter <= 2 ** 53
      ? null
      : {
          problem: `n times 2^(smallest id of an initiator) must not exceed 2^53, but n is ${n} and that id is ${smallestStarter}.`,
          hint: 'Use smaller ids, or wake a single node.',
        },

  display: {
    active: (my) => my.active && my.smallest === my.id,
    badge: {
      name: 'smallest id so far',
      of: (my, name) => (my.smallest === null ? null : name(my.smallest)),
    },
    countdown: { name: 'id that waits', of: (my) => (my.waiting === null ? null : 'SEND_SLOWLY') },
    decides: { FAST: 'id', SLOW: 'id', LEADER: 'id' },
  },

  reasons: {
    FAST(my, { id }, name) {
      if (my.active && id === my.id) return 'becomes leader: its own id is back'
      if (my.smallest !== null && id >= my.smallest)
        return `swallows ${name(id)}: it is not below ${name(my.smallest)}`
      return my.active
        ? `slows ${name(id)} down to one link in ${2 ** id} rounds: it has met a competitor`
        : `passes on ${name(id)} at once: it does not compete itself`
    },
    SLOW(my, { id }, name) {
      if (my.active && id === my.id) return 'becomes leader: its own id is back'
      if (my.smallest !== null && id >= my.smallest)
        return `swallows ${name(id)}: it is not below ${name(my.smallest)}`
      return `lets ${name(id)} wait for ${2 ** id} rounds`
    },
    LEADER: announcementReason,
    SEND_SLOWLY: (my, name) =>
      my.waiting === null ? null : `passes on ${name(my.waiting)}: its time has come`,
  },

  theory: {
    title: 'Slow-fast (Frederickson-Lynch)',
    authors: 'Frederickson and Lynch 1984',
    also: ['variable speeds', 'Frederickson-Lynch', 'Speed'],
    texts: ['000'],
    idea: 'A node that wakes spontaneously competes and sends its id at full speed, one link a round. When the id meets another competitor, it becomes slow, one link in 2^id rounds. A node forwards only ids smaller than all it has seen. The owner of the id that returns becomes leader.',
    because:
      'No node stops the smallest competing id. It is at least twice as fast as any other id, so it overtakes and stops the others after few steps: n fast messages, and at most n + 2n + n slow ones.',
    breaks:
      'The timeout test inside the test for a non-empty buffer, as printed in some lecture notes: slow ids are never sent, and no leader is elected.',
    example: 'conclave run slow-fast --ids 1,2,3,4,5,6,7,8 --wake 0@1,4@1,7@1,2@2',
    cost: '5n messages, n 2^L + n rounds for the leader L',
    bounds: [
      upperBound(worstMessages('5n', ({ n }) => 5 * n)),
      {
        of: 'time',
        kind: 'upper',
        formula: 'n 2^L + n (L the id of the leader)',
        value: ({ n, leaderId }) => n * 2 ** leaderId! + n,
        when: ({ leaderId }) => leaderId !== null,
        where: 'once a leader is known',
      },
    ],
  },
})

function win(id: number, net: Net<'ring'>): void {
  net.lead()
  net.send(left, LEADER, { id })
}
