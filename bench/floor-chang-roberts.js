import { Wheel } from './floor-wheel.js'

/**
 * Chang-Roberts and nothing else, written by hand as a plain loop over typed columns: the floor
 * that the engine is measured against. All nodes start at time 0; links are FIFO.
 */
export function run(ids, seed) {
  const n = ids.length
  const wheel = new Wheel(n, n, seed)
  const to = new Int32Array(n)
  const kind = new Uint8Array(n)
  const about = new Int32Array(n)
  const participant = new Uint8Array(n)
  const stopped = new Uint8Array(n)
  const knownLeader = new Int32Array(n)
  let election = 0
  let leader = 0
  let leaderNode = -1
  let elected = -1

  function send(me, word, id) {
    const slot = wheel.send(me)
    to[slot] = me + 1 === n ? 0 : me + 1
    kind[slot] = word
    about[slot] = id
    if (word === 0) election++
    else leader++
  }

  for (let me = 0; me < n; me++) {
    send(me, 0, ids[me])
    participant[me] = 1
  }
  for (let slot = wheel.advance(); slot >= 0; slot = wheel.advance()) {
    while (slot >= 0) {
      const me = to[slot]
      const word = kind[slot]
      const id = about[slot]
      const mine = ids[me]
      slot = wheel.release(slot)
      if (stopped[me] === 1) continue
      if (word === 0) {
        if (id > mine) send(me, 0, id)
        else if (id === mine) {
          elected = wheel.now
          leaderNode = me
          knownLeader[me] = id
          send(me, 1, id)
        } else if (participant[me] === 0) send(me, 0, mine)
        participant[me] = 1
      } else {
        if (id !== mine) {
          knownLeader[me] = id
          send(me, 1, id)
        }
        participant[me] = 0
        stopped[me] = 1
      }
    }
  }
  return { election, leader, leaderNode, elected, last: wheel.now }
}
