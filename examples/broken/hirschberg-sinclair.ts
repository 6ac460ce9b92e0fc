/**
 * The Hirschberg-Sinclair algorithm as the pseudo-code of the MPS lecture has it. Its text says
 * that every processor that wakes up, "either spontaneously or by a message arrival", tries to
 * become leader. Its code covers only a processor that initiates an election, and the receipt of
 * messages. So a sleeping node with a larger id swallows the probes of others and sends none of its
 * own: the others wait for replies that never come, and no leader is elected. If all nodes start by
 * themselves (--wake all), it elects.
 *
 *   conclave check examples/broken/hirschberg-sinclair.ts --ids 1,2
 */
import { algorithm, flag, left, message, nat, uid } from 'conclave'

const ELECTION = message({ id: uid, phase: nat, hops: nat })
const REPLY = message({ id: uid, phase: nat })
const LEADER = message({ id: uid })

export const hirschbergSinclair = algorithm({
  name: 'hirschberg-sinclair-without-wake',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, REPLY, LEADER },
  announcement: 'LEADER',
  state: { answered: flag },
  // The flaw: a node that a message wakes does not start.
  wakes: false,

  start(my, net) {
    net.sendAll(ELECTION, { id: my.id, phase: 0, hops: 1 })
  },

  on: {
    ELECTION(my, { id, phase, hops }, net) {
      if (id > my.id && hops < 1 << phase)
        net.send(net.onward, ELECTION, { id, phase, hops: hops + 1 })
      if (id > my.id && hops === 1 << phase) net.send(net.from, REPLY, { id, phase })
      if (id === my.id && my.status !== 'leader') {
        net.lead()
        net.send(left, LEADER, { id })
      }
    },
    REPLY(my, { id, phase }, net) {
      if (id !== my.id) return net.send(net.onward, REPLY, { id, phase })
      if (my.answered) net.sendAll(ELECTION, { id, phase: phase + 1, hops: 1 })
      my.answered = !my.answered
    },
    LEADER(my, { id }, net) {
      if (id === my.id) return net.stop()
      net.follow(id)
      net.send(left, LEADER, { id })
    },
  },
})
