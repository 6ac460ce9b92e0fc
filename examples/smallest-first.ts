import { algorithm, left, message, type Property, uid } from 'conclave'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })

/** LCR the other way round: the smallest id survives the trip. n(n+1)/2 messages at worst. */
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
})

/** More than an election must satisfy; `conclave check` judges it too. */
export const properties: Property[] = [
  {
    name: 'the smallest leads',
    says: 'No node leads while there is a smaller id.',
    when: 'always',
    broken({ n, state, leaders }) {
      const ids = Array.from({ length: n }, (_, node) => state(node).id as number)
      const wrong = leaders.find((node) => ids[node] !== Math.min(...ids))
      return wrong === undefined ? null : `${ids[wrong]} leads, and ${Math.min(...ids)} is smaller`
    },
  },
]
