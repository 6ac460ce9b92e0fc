/**
 * The slow-fast algorithm as the MPS lecture prints it. In its ACTIVE_CASE the last line,
 * "IF(R=TIMEOUT) SEND(OUT_BUFFER)", stands inside "IF(IN_BUFFER=Non-Empty)": a node that competes
 * tests its time-out only in rounds in which a message arrives. The round in which an id is due is
 * usually not such a round, so the id is never sent and no leader is elected. In its RELAY_CASE the
 * same line stands outside, where it belongs.
 *
 *   conclave check examples/broken/slow-fast.ts --ids 1,2
 */
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
} from 'conclave'

const FAST = message({ id: numericUid })
const SLOW = message({ id: numericUid })
const LEADER = message({ id: numericUid })
const TIMEOUT = timer()
/** The messages of this round are read. */
const BUFFER_EMPTY = timer()

const needs = { topology: 'ring', ids: 'numbers', time: 'rounds' } as const
const state = {
  active: flag,
  smallest: maybe(numericUid),
  waiting: maybe(numericUid),
  reading: flag,
}

function accept(my: My<typeof needs, typeof state>, id: number): boolean {
  if (my.smallest !== null && id >= my.smallest) return false
  my.smallest = id
  return true
}

function sendSlowly(my: My<typeof needs, typeof state>, id: number, net: Net<'ring'>): void {
  my.waiting = id
  net.after(2 ** id - 1, TIMEOUT)
}

function activeCase(my: My<typeof needs, typeof state>, id: number, net: Net<'ring'>): void {
  if (id === my.id) {
    net.lead()
    net.send(left, LEADER, { id })
  } else if (accept(my, id)) sendSlowly(my, id, net)
  // Timers of one round fire in the order in which they were set: this is the last.
  my.reading = true
  net.after(0, BUFFER_EMPTY)
}

export const slowFast = algorithm({
  name: 'slow-fast-misplaced-test',
  needs,
  messages: { FAST, SLOW, LEADER },
  announcement: 'LEADER',
  timers: { TIMEOUT, BUFFER_EMPTY },
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
      if (my.active) return activeCase(my, id, net)
      if (!accept(my, id)) return
      my.waiting = null
      net.cancel(TIMEOUT)
      net.send(left, FAST, { id })
    },
    SLOW(my, { id }, net) {
      if (my.active) activeCase(my, id, net)
      else if (accept(my, id)) sendSlowly(my, id, net)
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
    TIMEOUT(my, net) {
      // The misplaced test: a node that competes tests only when a message has arrived.
      const looks = !my.active || my.reading
      if (looks && my.waiting !== null) net.send(left, SLOW, { id: my.waiting })
      my.waiting = null
    },
    BUFFER_EMPTY(my) {
      my.reading = false
    },
  },
})
