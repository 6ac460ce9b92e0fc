import { algorithm, harmonic, left, message, uid } from '../../core/index.ts'
import { asynchronousRings, timeTogether, worstMessages } from '../bounds.ts'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })

/**
 * Le Lann 1977, Chang and Roberts 1979, in the form of text 002: whoever wakes, by itself or by a
 * message, first sends its own id. Larger ids are passed on, smaller ones swallowed; an id that
 * comes home has been everywhere. n(n+1)/2 messages at worst, n H_n on average.
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

  theory: {
    authors: 'Le Lann 1977; Chang and Roberts 1979',
    texts: ['002'],
    idea: 'Every node that wakes sends its id clockwise. A node passes on ids larger than its own and swallows smaller ones. Who gets its own id back leads, and tells the others in one more trip.',
    because:
      'The largest id is swallowed by nobody and comes home. Any other id meets the node with the largest id on its way and ends there, so no other node ever gets its own id back.',
    breaks:
      'Equal ids: every holder of the largest id gets one back and leads. A crash that nobody is told of: what reaches the dead node is gone, and nobody is elected. With a detector the ring closes and the election starts again.',
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
