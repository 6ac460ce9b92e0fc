import { algorithm, flag, left, link, maybe, message, right, uid } from '../../core/index.ts'
import {
  asynchronousRings,
  halvingPhases,
  timeTogether,
  upperBound,
  worstMessages,
} from '../bounds.ts'
import { announcementReason } from '../reasons.ts'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })

/**
 * Franklin 1982. An active node compares itself with the nearest active node on either side and
 * stays active only if it is larger than both; passive nodes relay. At most every second active
 * node survives a phase of 2n messages. Nodes do not stop when they receive LEADER: the winner's
 * other message is still in flight.
 */
export const franklin = algorithm({
  name: 'franklin',
  needs: { topology: 'ring', ids: 'unique', order: 'fifo' },
  messages: { ELECTION, LEADER },
  announcement: 'LEADER',
  /** The id from one side in this phase, and an id of the next phase that arrived early. */
  state: { passive: flag, side: link, heard: maybe(uid), early: maybe(uid) },
  wakes: true,

  start(my, net) {
    net.sendAll(ELECTION, { id: my.id })
  },

  on: {
    ELECTION(my, { id }, net) {
      if (my.passive) return net.send(net.onward, ELECTION, { id })
      if (id === my.id) {
        if (my.status === 'leader') return
        net.lead()
        return net.send(left, LEADER, { id })
      }
      if (my.heard === null) {
        my.heard = id
        my.side = net.from
      } else if (net.from === my.side) {
        my.early = id
      } else if (my.id > id && my.id > my.heard) {
        net.sendAll(ELECTION, { id: my.id })
        my.heard = my.early
        my.early = null
      } else {
        my.passive = true
        if (my.early !== null) net.send(my.side === left ? right : left, ELECTION, { id: my.early })
        my.heard = my.early = null
      }
    },
    LEADER(my, { id }, net) {
      if (id === my.id) return net.stop()
      net.follow(id)
      net.send(left, LEADER, { id })
    },
  },

  invariant: ({ nodes, each }) => ({
    'an id to the left has passed only passive nodes': each(ELECTION).and(
      2,
      (m, owner, b, ring) =>
        m.from === left || m.id !== owner.id || !ring.inside(owner, b, m.to) || b.passive,
    ),
    'an id to the right has passed only passive nodes': each(ELECTION).and(
      2,
      (m, owner, b, ring) =>
        m.from === right || m.id !== owner.id || !ring.inside(m.to, b, owner) || b.passive,
    ),
    'so has an early id from the right': nodes(
      3,
      (a, owner, b, ring) =>
        a.side === left || a.early !== owner.id || !ring.inside(owner, b, a) || b.passive,
    ),
    'so has an early id from the left': nodes(
      3,
      (a, owner, b, ring) =>
        a.side === right || a.early !== owner.id || !ring.inside(a, b, owner) || b.passive,
    ),
    'early comes after heard': nodes(1, (a) => a.early === null || a.heard !== null),
    'beside a leader all are passive': nodes(
      2,
      (a, b) => a.status !== 'leader' || a === b || b.passive,
    ),
    'LEADER names a leader': each(LEADER).and(1, (m, a) => m.id !== a.id || a.status === 'leader'),
  }),

  display: {
    active: (my) => !my.passive,
    badge: {
      name: 'phase',
      of: (my, _, { phase = 1 }) => (my.passive || my.status === 'asleep' ? null : Number(phase)),
    },
    decides: { ELECTION: 'id', LEADER: 'id' },
    seen: {
      ELECTION(my, { id }, { phase = 1 }, { from }) {
        const { passive, heard, side } = my
        const survives = !passive && heard !== null && from !== side && my.id > id && my.id > heard
        return survives ? { phase: Number(phase) + 1 } : null
      },
    },
  },

  reasons: {
    ELECTION(my, { id }, name, { from }) {
      if (my.passive) return `passes on ${name(id)}: it is passive itself`
      if (id === my.id && my.status === 'leader') return 'has its id back from the other side, too'
      if (id === my.id) return 'becomes leader: its id is back, so no other node is active'
      if (my.heard === null) return `notes ${name(id)} from one side and waits for the other`
      if (from === my.side) return `keeps ${name(id)} for the next phase: it came early`
      if (my.id > id && my.id > my.heard)
        return `stays active: ${name(my.heard)} and ${name(id)} are both smaller`
      if (my.id < id && my.id < my.heard)
        return `becomes passive: both neighbours, ${name(my.heard)} and ${name(id)}, are larger`
      return `becomes passive, since ${name.order(my.id, my.id < id ? id : my.heard)}`
    },
    LEADER: announcementReason,
  },

  theory: {
    title: 'Franklin',
    authors: 'Franklin 1982',
    also: ['Stages'],
    texts: [],
    idea: 'In each phase an active node sends its id both ways and receives the ids of the nearest active node on either side. It stays active if its id is larger than both; otherwise it only relays. A node that receives its own id is the only active one and becomes leader.',
    because:
      'Two neighbouring active nodes cannot both survive a phase, and the largest always does. So after at most floor(log2 n) + 1 phases it receives its own id.',
    breaks:
      'Links that are not FIFO: an id of the next phase is taken for one of this phase. An undetected crash: no message passes the crashed node.',
    example: 'conclave run franklin --ids 1,5,3,7,2,6,4,8',
    cost: '2n (floor(log2 n) + 1) messages',
    bounds: [
      worstMessages('2n (floor(log2 n) + 1)', ({ n }) => 2 * n * halvingPhases(n)),
      asynchronousRings,
      upperBound(timeTogether('n (floor(log2 n) + 1)', ({ n }) => n * halvingPhases(n))),
    ],
  },
})
