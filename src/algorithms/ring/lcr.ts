import { algorithm, harmonic, left, message, right, uid } from '../../core/index.ts'
import { asynchronousRings, timeTogether, worstMessages } from '../bounds.ts'
import { announcementReason, electionReason, metLarger } from '../reasons.ts'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })

/**
 * Le Lann 1977, Chang and Roberts 1979, in the form of Burman: a node that wakes, spontaneously or
 * by a message, first sends its own id. Larger ids are forwarded, smaller ones discarded; an id
 * that returns has visited all nodes. At most n(n+1)/2 messages, n H_n on average.
 */
export const lcr = algorithm({
  name: 'lcr',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  announcement: 'LEADER',
  state: {},
  wakes: true,

  start(my, net) {
    net.send(left, ELECTION, { id: my.id })
  },

  on: {
    ELECTION(my, { id }, net) {
      if (id > my.id) net.send(left, ELECTION, { id })
      if (id === my.id) {
        net.lead()
        net.send(left, LEADER, { id })
      }
    },
    LEADER(my, { id }, net) {
      if (id !== my.id) {
        net.follow(id)
        net.send(left, LEADER, { id })
      }
      net.stop()
    },
  },

  invariant: ({ nodes, each }) => ({
    'ELECTION travels left': each(ELECTION).and(0, (m) => m.from === right),
    'an id has passed only smaller ones': each(ELECTION).and(
      2,
      (m, owner, b, ring) => m.id !== owner.id || !ring.inside(owner, b, m.to) || b.id < owner.id,
    ),
    'LEADER names the largest': each(LEADER).and(1, (m, a) => a.id <= m.id),
    'all follow the largest': nodes(2, (a, b) => a.leader === null || b.id <= a.leader),
  }),

  display: {
    active: (_, seen) => !seen.larger,
    decides: { ELECTION: 'id', LEADER: 'id' },
    seen: { ELECTION: metLarger },
  },

  reasons: { ELECTION: electionReason, LEADER: announcementReason },

  theory: {
    title: 'LCR (Le Lann, Chang, Roberts)',
    authors: 'Le Lann 1977; Chang and Roberts 1979',
    also: ['LeLann-Chang-Roberts'],
    texts: ['002'],
    idea: 'Every node that wakes sends its id clockwise. A node forwards ids larger than its own and discards smaller ones. A node that receives its own id becomes leader and announces it in one more round trip.',
    because:
      'No node discards the largest id, so it returns to its owner. Any other id is discarded at the latest by the node with the largest id, so no other node ever receives its own id.',
    breaks:
      'Equal ids: every node with the largest id receives it back and becomes leader. An undetected crash: messages to the crashed node are lost, and no leader is elected. With a failure detector the ring closes and the election restarts.',
    example: 'conclave run lcr --ids 3,2,7,8,5,4,1,6 --timing sync',
    cost: 'n(n+1)/2 messages, n H_n on average',
    bounds: [
      worstMessages('n(n+1)/2', ({ n }) => (n * (n + 1)) / 2),
      { of: 'messages', kind: 'best', formula: '2n-1', value: ({ n }) => 2 * n - 1 },
      { of: 'messages', kind: 'average', formula: 'n H_n', value: ({ n }) => n * harmonic(n) },
      asynchronousRings,
      timeTogether('n', ({ n }) => n),
      { of: 'time', kind: 'worst', formula: '2n-1', value: ({ n }) => 2 * n - 1 },
    ],
  },
})
