import { algorithm, flag, harmonic, left, message, uid } from '../../core/index.ts'
import { asynchronousRings, timeTogether, worstMessages } from '../bounds.ts'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })

/**
 * Chang and Roberts 1979, the code of text 000. Like LCR, but a node woken by a larger id only
 * passes it on and never sends its own: with few starters this saves messages. n(n+1)/2 at worst,
 * n H_n on average when all start.
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

  theory: {
    authors: 'Chang and Roberts 1979',
    texts: ['000', '001'],
    idea: 'A starter sends its id clockwise. A node passes on larger ids; a smaller one it swallows, sending its own instead unless it takes part already. Who gets its own id back leads, and tells the others in one more trip.',
    because:
      'No id that travels is passed on by the node with the largest id, which sends its own at the latest when it swallows a first one; that id alone can come home.',
    breaks:
      'Equal ids: every holder of the largest id gets one back and leads. A crash that nobody is told of: what reaches the dead node is gone, and nobody is elected. With a detector the ring closes and the election starts again.',
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
