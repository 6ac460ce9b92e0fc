import {
  algorithm,
  counter,
  countOf,
  isLess,
  left,
  message,
  next,
  one,
  right,
  twoTo,
  uid,
  zero,
} from '../../core/index.ts'
import { doublingTime, upperBound, worstMessages } from '../bounds.ts'
import { announcementReason, metLarger } from '../reasons.ts'

const PROBE = message({ id: uid, phase: counter, hops: counter })
const REPLY = message({ id: uid, phase: counter })
const LEADER = message({ id: uid })

/**
 * Hirschberg-Sinclair with probes to the left only: homework 3 of the MPS lecture. One side does
 * not eliminate enough candidates: on a ring with decreasing ids every id travels as far as in LCR,
 * and its replies cost messages, too, so the cost is quadratic.
 */
export const hirschbergSinclairOneWay = algorithm({
  name: 'hirschberg-sinclair-one-way',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { PROBE, REPLY, LEADER },
  announcement: 'LEADER',
  state: {},
  wakes: true,

  start(my, net) {
    net.send(left, PROBE, { id: my.id, phase: zero, hops: one })
  },

  on: {
    PROBE(my, { id, phase, hops }, net) {
      if (id > my.id) {
        if (isLess(hops, twoTo(phase))) net.send(left, PROBE, { id, phase, hops: next(hops) })
        else net.send(net.from, REPLY, { id, phase })
      }
      if (id === my.id) {
        net.lead()
        net.send(left, LEADER, { id })
      }
    },
    REPLY(my, { id, phase }, net) {
      if (id !== my.id) net.send(net.onward, REPLY, { id, phase })
      else net.send(left, PROBE, { id, phase: next(phase), hops: one })
    },
    LEADER(my, { id }, net) {
      if (id === my.id) return net.stop()
      net.follow(id)
      net.send(left, LEADER, { id })
    },
  },

  invariant: ({ nodes, each }) => ({
    'PROBE travels left': each(PROBE).and(0, (m) => m.from === right),
    'a probe has passed only smaller ids': each(PROBE).and(
      2,
      (m, owner, b, ring) => m.id !== owner.id || !ring.inside(owner, b, m.to) || b.id < owner.id,
    ),
    'LEADER names the largest': each(LEADER).and(1, (m, a) => a.id <= m.id),
    'all follow the largest': nodes(2, (a, b) => a.leader === null || b.id <= a.leader),
  }),

  display: {
    active: (_, { larger }) => !larger,
    badge: {
      name: 'reach of its probes',
      of: (my, _, { larger, phase = 0 }) =>
        larger || my.status !== 'unknown' ? null : 2 ** Number(phase),
    },
    decides: { PROBE: 'id', REPLY: 'id', LEADER: 'id' },
    seen: {
      PROBE: metLarger,
      REPLY: (my, { id, phase }) => (id === my.id ? { phase: countOf(next(phase)) } : null),
    },
  },

  reasons: {
    PROBE(my, { id, phase, hops }, name) {
      const [hop, reach] = [countOf(hops), 2 ** countOf(phase)]
      if (id === my.id) return 'becomes leader: its probe went all round'
      if (id < my.id) return `swallows ${name(id)}, since ${name.order(id, my.id)}`
      return hop < reach
        ? `passes on ${name(id)}, since ${name.order(id, my.id)}: hop ${hop} of ${reach}`
        : `replies to ${name(id)}, since ${name.order(id, my.id)} and the probe ends here`
    },
    REPLY(my, { id, phase }, name) {
      const reach = 2 ** countOf(phase)
      return id === my.id
        ? `is larger than the next ${reach}: probes ${2 * reach} nodes`
        : `passes on the reply to ${name(id)}`
    },
    LEADER: announcementReason,
  },

  theory: {
    title: 'Hirschberg-Sinclair, one way',
    authors: 'an exercise, after Hirschberg and Sinclair 1980',
    texts: ['000'],
    idea: 'Like hirschberg-sinclair, but probes travel only clockwise, and one reply starts the next phase.',
    because:
      'The largest id is never discarded and returns; any other id is discarded by a larger one. An id whose next larger id is d positions away costs at most 5d - 4 messages, and these distances add up to at most n(n+1)/2.',
    breaks: 'The bound of n log n: decreasing ids cost a constant times n^2.',
    example: 'conclave run hirschberg-sinclair-one-way -n 16 --ids decreasing --timing sync',
    cost: '5n(n+1)/2 - 4n messages',
    bounds: [
      upperBound(worstMessages('5n(n+1)/2 - 4n', ({ n }) => (5 * n * (n + 1)) / 2 - 4 * n)),
      ...doublingTime,
    ],
  },
})
