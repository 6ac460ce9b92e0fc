/**
 * The bully algorithm as the Python code of Albano (2022) has it. A process sends its vote to all
 * higher ids. In every later round it answers lower votes, and in a round without input it becomes
 * leader ("if not got_input and not first_round: ... self.leader = self.index()"). An answer takes
 * two rounds, one to ask and one to come back, but the process waits for one only. So the lowest
 * process, which receives no vote without asking, leads before the answer arrives, and the highest
 * leads too. An answer helps only for a while: "if self.shut_up: self.shut_up = False;
 * self.start_election()" does nothing, since an election has been started already.
 *
 *   conclave check examples/broken/bully.ts --ids 0,1
 */
import { algorithm, flag, message, timer, uid } from 'conclave'

const VOTE = message({ id: uid, decided: flag })
const END_OF_ROUND = timer()

export const bully = algorithm({
  name: 'bully-that-waits-one-round',
  needs: {
    topology: 'complete',
    ids: 'unique',
    knows: ['peers'],
    time: 'rounds',
    start: 'together',
  },
  messages: { VOTE },
  timers: { END_OF_ROUND },
  state: { shutUp: flag, gotInput: flag },
  wakes: false,

  start(my, net) {
    const largest = net.links.every((link) => net.peer(link) < my.id)
    for (const link of net.links)
      if (net.peer(link) > my.id) net.send(link, VOTE, { id: my.id, decided: largest })
    net.after(1, END_OF_ROUND)
  },

  on: {
    VOTE(my, { id, decided }, net) {
      my.gotInput = true
      if (id < my.id) {
        const largest = net.links.every((link) => net.peer(link) < my.id)
        return net.send(net.from, VOTE, { id: my.id, decided: largest })
      }
      my.shutUp = true
      if (!decided) return
      net.follow(id)
      net.stop()
    },
  },

  timeout: {
    // What a process does in a round once it has read its messages.
    END_OF_ROUND(my, net) {
      const silent = !my.gotInput
      my.gotInput = false
      if (silent && !my.shutUp) {
        net.sendAll(VOTE, { id: my.id, decided: true })
        net.lead()
        return net.stop()
      }
      if (silent) my.shutUp = false
      net.after(1, END_OF_ROUND)
    },
  },
})
