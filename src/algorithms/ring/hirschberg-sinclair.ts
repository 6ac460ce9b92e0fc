import {
  algorithm,
  ceilLog2,
  counter,
  countOf,
  flag,
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
import { asynchronousRings, doublingTime, upperBound, worstMessages } from '../bounds.ts'
import { announcementReason, metLarger } from '../reasons.ts'

const PROBE = message({ id: uid, phase: counter, hops: counter })
const REPLY = message({ id: uid, phase: counter })
const LEADER = message({ id: uid })

/**
 * Hirschberg and Sinclair 1980, in the form of Burman. In phase k a candidate probes 2^k nodes on
 * both sides; only a candidate that is larger than all of them gets both replies and continues. Few
 * nodes are largest in a wide neighbourhood, so that 8n ceil(log2 n) + 4n messages suffice. Nodes
 * do not stop when they receive LEADER: probes of the other direction must still be forwarded.
 */
export const hirschbergSinclair = algorithm({
  name: 'hirschberg-sinclair',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { PROBE, REPLY, LEADER },
  announcement: 'LEADER',
  state: { answeredLeft: flag, answeredRight: flag },
  wakes: true,

  start(my, net) {
    net.sendAll(PROBE, { id: my.id, phase: zero, hops: one })
  },

  on: {
    PROBE(my, { id, phase, hops }, net) {
      if (id > my.id) {
        if (isLess(hops, twoTo(phase))) net.send(net.onward, PROBE, { id, phase, hops: next(hops) })
        else net.send(net.from, REPLY, { id, phase })
      }
      if (id === my.id && my.status !== 'leader') {
        net.lead()
        net.send(left, LEADER, { id })
      }
    },
    REPLY(my, { id, phase }, net) {
      if (id !== my.id) return net.send(net.onward, REPLY, { id, phase })
      if (net.from === left) my.answeredLeft = true
      if (net.from === right) my.answeredRight = true
      if (my.answeredLeft && my.answeredRight) {
        my.answeredLeft = my.answeredRight = false
        net.sendAll(PROBE, { id, phase: next(phase), hops: one })
      }
    },
    LEADER(my, { id }, net) {
      if (id === my.id) return net.stop()
      net.follow(id)
      net.send(left, LEADER, { id })
    },
  },

  invariant: ({ nodes, each }) => ({
    'a probe to the left has passed only smaller ids': each(PROBE).and(
      2,
      (m, owner, b, ring) =>
        m.from === left || m.id !== owner.id || !ring.inside(owner, b, m.to) || b.id < owner.id,
    ),
    'a probe to the right has passed only smaller ids': each(PROBE).and(
      2,
      (m, owner, b, ring) =>
        m.from === right || m.id !== owner.id || !ring.inside(m.to, b, owner) || b.id < owner.id,
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
      REPLY: (my, { id, phase }, _, { from }) =>
        id === my.id && (from === left ? my.answeredRight : my.answeredLeft)
          ? { phase: countOf(next(phase)) }
          : null,
    },
  },

  reasons: {
    PROBE(my, { id, phase, hops }, name) {
      const [hop, reach] = [countOf(hops), 2 ** countOf(phase)]
      if (id === my.id)
        return my.status === 'leader' ? 'leads already' : 'becomes leader: its probe went all round'
      if (id < my.id) return `swallows ${name(id)}, since ${name.order(id, my.id)}`
      return hop < reach
        ? `passes on ${name(id)}, since ${name.order(id, my.id)}: hop ${hop} of ${reach}`
        : `replies to ${name(id)}, since ${name.order(id, my.id)} and the probe ends here`
    },
    REPLY(my, { id, phase }, name, { from }) {
      const reach = 2 ** countOf(phase)
      if (id !== my.id) return `passes on the reply to ${name(id)}`
      return (from === left ? my.answeredRight : my.answeredLeft)
        ? `is the largest within ${reach} on both sides: probes ${2 * reach} nodes each way`
        : 'waits for the reply from the other side'
    },
    LEADER: announcementReason,
  },

  theory: {
    title: 'Hirschberg-Sinclair',
    authors: 'Hirschberg and Sinclair 1980',
    also: ['Control', 'Controlled Distance', 'HS'],
    texts: ['000', '002'],
    idea: 'In phase k a candidate sends a probe over 2^k nodes to both sides. Nodes with larger ids discard it; at its limit it turns into a reply. A candidate that gets both replies doubles the distance. A node that receives its own probe becomes leader.',
    because:
      'The largest id always gets its replies until its probe spans the ring. Any other candidate meets a larger id at the latest then. Candidates of phase k are more than 2^(k-1) nodes apart, so each phase costs at most 8n messages.',
    breaks:
      'Nodes that do not start when a message wakes them (as in some lecture notes): a candidate waits forever for a reply. Counting replies instead of sides: a duplicate counts for both sides.',
    example: 'conclave run hirschberg-sinclair --ids 3,2,7,8,5,4,1,6 --timing sync',
    cost: '8n ceil(log2 n) + 4n messages',
    bounds: [
      upperBound(worstMessages('8n ceil(log2 n) + 4n', ({ n }) => 8 * n * ceilLog2(n) + 4 * n)),
      {
        of: 'messages',
        kind: 'best',
        formula: '5n + 4(2^ceil(log2 n) - 2)',
        value: ({ n }) => 5 * n + 4 * (2 ** ceilLog2(n) - 2),
        when: ({ n }) => n >= 2,
        where: 'for n >= 2',
      },
      asynchronousRings,
      ...doublingTime,
    ],
  },
})
