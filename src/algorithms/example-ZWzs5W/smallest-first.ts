import { algorithm, left, message, uid } from '../../core/index.ts'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })

/** After Chang and Roberts 1979: the smallest id survives the trip. n(n+1)/2 messages. */
export const smallestFirst = algorithm({
  name: 'smallest-first',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  announcement: 'LEADER',
  elects: 'another',
  state: {},
  wakes: true,

  start(my, net) {
    net.send(left, ELECTION, { id: my.id })
  },

  on: {
    ELECTION(my, { id }, net) {
      if (id < my.id) net.send(left, ELECTION, { id })
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
    authors: 'an exercise',
    idea: 'As LCR, but smaller ids are passed on and larger ones are swallowed.',
    because: 'The smallest id is never swallowed; any other ends at a node with a smaller one.',
    breaks: 'Equal ids.',
    example: 'conclave run smallest-first --ids 3,1,2',
    cost: 'n(n+1)/2 messages',
    bounds: [
      { of: 'messages', kind: 'worst', formula: 'n(n+1)/2', value: ({ n }) => (n * (n + 1)) / 2 },
    ],
  },
})
