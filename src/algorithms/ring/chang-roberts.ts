import { algorithm, flag, harmonic, left, message, right, uid } from '../../core/index.ts'
import { asynchronousRings, timeTogether, worstMessages } from '../bounds.ts'
import { announcementReason, electionReason, metLarger } from '../reasons.ts'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })

/**
 * Chang and Roberts 1979, with the code of the MPS lecture. Like LCR, but a node that is woken by a
 * larger id only forwards it and never sends its own: with few initiators this saves messages. At
 * most n(n+1)/2 messages, n H_n on average when all nodes start.
 */
export const changRoberts = algorithm({
  name: 'chang-roberts',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  announcement: 'LEADER',
  state: { participant: flag },
  wakes: false,

  start(my, net) {
    net.send(left, ELECTION, { id: my.id })
    my.participant = true
  },

  on: {
    ELECTION(my, { id }, net) {
      if (id > my.id) net.send(left, ELECTION, { id })
      if (id === my.id) {
        net.lead()
        net.send(left, LEADER, { id })
      }
      if (id < my.id && !my.participant) net.send(left, ELECTION, { id: my.id })
      my.participant = true
    },
    LEADER(my, { id }, net) {
      if (id !== my.id) {
        net.follow(id)
        net.send(left, LEADER, { id })
      }
      my.participant = false
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
    active: (my, seen) => !seen.larger && my.status !== 'lost',
    decides: { ELECTION: 'id', LEADER: 'id' },
    seen: { ELECTION: metLarger },
  },

  reasons: {
    ELECTION(my, body, name) {
      if (body.id < my.id && !my.participant)
        return `sends its own id instead, since ${name.order(body.id, my.id)}`
      return electionReason(my, body, name)
    },
    LEADER: announcementReason,
  },

  theory: {
    title: 'Chang-Roberts',
    authors: 'Chang and Roberts 1979',
    also: ['AsFar'],
    texts: ['000', '001'],
    idea: 'An initiator sends its id clockwise. A node forwards larger ids. It discards a smaller id and sends its own instead, unless it has sent it already. A node that receives its own id becomes leader and announces it in one more round trip.',
    because:
      'The node with the largest id forwards no other id, and it sends its own id at the latest when it discards the first one. Only that id can return to its owner.',
    breaks:
      'Equal ids: every node with the largest id receives it back and becomes leader. An undetected crash: messages to the crashed node are lost, and no leader is elected. With a failure detector the ring closes and the election restarts.',
    example: 'conclave run chang-roberts --ids 3,2,7,8,5,4,1,6 --timing sync --wake 0',
    cost: 'n(n+1)/2 messages, n H_n on average',
    bounds: [
      worstMessages('n(n+1)/2', ({ n }) => (n * (n + 1)) / 2),
      {
        of: 'messages',
        kind: 'best',
        formula: '2n-1',
        value: ({ n }) => 2 * n - 1,
        when: ({ together }) => together,
        where: 'when all start together',
      },
      {
        of: 'messages',
        kind: 'average',
        formula: 'n H_n',
        value: ({ n }) => n * harmonic(n),
        when: ({ together }) => together,
        where: 'when all start together',
      },
      asynchronousRings,
      timeTogether('n', ({ n }) => n),
      { of: 'time', kind: 'worst', formula: '2n-1', value: ({ n }) => 2 * n - 1 },
    ],
  },
})
