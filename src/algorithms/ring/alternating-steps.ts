import { algorithm, flag, left, message, nat, right, uid } from '../../core/index.ts'
import { alternatingBounds, alternatingPhases, timeTogether, upperBound } from '../bounds.ts'
import { announcementReason } from '../reasons.ts'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })

/**
 * Alternate (Santoro 2007). A candidate compares itself with one neighbour at a time: in odd steps
 * it sends its id to the left and waits for the nearest candidate on the right, in even steps the
 * other way round. It is out if that one is larger; others relay. A step takes n messages, and the
 * numbers of candidates fall at least like Fibonacci numbers: at most 1.44 n log2 n + O(n).
 */
export const alternatingSteps = algorithm({
  name: 'alternating-steps',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  announcement: 'LEADER',
  state: { passive: flag, step: nat },
  wakes: true,
  defers: true,

  start(my, net) {
    my.step = 1
    net.send(left, ELECTION, { id: my.id })
  },

  on: {
    ELECTION(my, { id }, net) {
      const ahead = my.step % 2 === 1 ? left : right
      if (my.passive) net.send(net.onward, ELECTION, { id })
      else if (net.from === ahead) net.defer()
      else if (id === my.id) {
        net.lead()
        net.send(left, LEADER, { id })
      } else if (id > my.id) my.passive = true
      else {
        my.step++
        net.send(net.from, ELECTION, { id: my.id })
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

  display: {
    active: (my) => !my.passive,
    badge: {
      name: 'step',
      of: (my) => (my.passive || my.step === 0 ? null : my.step),
    },
    decides: { ELECTION: 'id', LEADER: 'id' },
  },

  reasons: {
    ELECTION(my, { id }, name, { from }) {
      if (my.passive) return `passes on ${name(id)}: it is passive itself`
      if (from === (my.step % 2 === 1 ? left : right))
        return `keeps ${name(id)} for step ${my.step + 1}: now it waits for the other side`
      if (id === my.id) return 'becomes leader: its id is back, so no other node is a candidate'
      return id > my.id
        ? `becomes passive, since ${name.order(id, my.id)}`
        : `goes on to step ${my.step + 1}, since ${name.order(id, my.id)}`
    },
    LEADER: announcementReason,
  },

  theory: {
    title: 'Alternating steps',
    also: ['Alternate'],
    authors: 'Santoro 2007 (Alternate)',
    texts: [],
    idea: 'In odd steps a candidate sends its id clockwise and compares itself with the nearest candidate behind it, in even steps it sends counter-clockwise and compares itself with the one ahead. The smaller one of a comparison only relays from then on. A candidate that receives its own id is the only one left and becomes leader.',
    because:
      'The largest id wins every comparison, so it alone is left in the end. If x is larger than the next candidate y in one step, then y was larger in the step before than the candidate behind it; that was not x, so a loser of that step lies between them. Hence a step has at least as many candidates as the next two together, and S steps need F(S+1) nodes.',
    breaks:
      'Equal ids: a node takes the id of another for its own. An undetected crash: no message passes the crashed node.',
    example: 'conclave run alternating-steps --ids 1,2,7,3,4,8,5,6',
    cost: '1.44 n log2 n + O(n) messages, n per step',
    bounds: [
      ...alternatingBounds,
      upperBound(timeTogether('n S, F(S+1) <= n', ({ n }) => n * alternatingPhases(n))),
    ],
  },
})
