import { Wheel } from './floor-wheel.js'

const PROBE = 0
const REPLY = 1
const LEADER = 2

/**
 * Hirschberg-Sinclair and nothing else, written by hand as a plain loop over typed columns: the
 * floor that the engine is measured against. All nodes start at time 0; links are FIFO.
 */
export function run(ids, seed) {
  const n = ids.length
  // A message answers one that is gone, or two probes answer two replies: 2n slots suffice.
  const wheel = new Wheel(2 * n, 2 * n, seed)
  const to = new Int32Array(2 * n)
  const direction = new Uint8Array(2 * n)
  const kind = new Uint8Array(2 * n)
  const about = new Int32Array(2 * n)
  const phases = new Int32Array(2 * n)
  const distance = new Int32Array(2 * n)
  const answered = new Uint8Array(n)
  const leads = new Uint8Array(n)
  const knownLeader = new Int32Array(n)
  const sent = new Float64Array(3)
  let natBits = 0
  let leaderNode = -1
  let elected = -1

  /** Sends left in direction 0 and right in direction 1. */
  function send(me, way, word, id, phase, hops) {
    const slot = wheel.send(way === 0 ? me : n + me)
    if (way === 0) to[slot] = me + 1 === n ? 0 : me + 1
    else to[slot] = me === 0 ? n - 1 : me - 1
    direction[slot] = way
    kind[slot] = word
    about[slot] = id
    phases[slot] = phase
    distance[slot] = hops
    sent[word]++
    if (word !== LEADER) natBits += 32 - Math.clz32(phase | 1)
    if (word === PROBE) natBits += 32 - Math.clz32(hops)
  }

  function explore(me, phase) {
    send(me, 0, PROBE, ids[me], phase, 1)
    send(me, 1, PROBE, ids[me], phase, 1)
  }

  for (let me = 0; me < n; me++) explore(me, 0)
  for (let slot = wheel.advance(); slot >= 0; slot = wheel.advance()) {
    while (slot >= 0) {
      const me = to[slot]
      const way = direction[slot]
      const word = kind[slot]
      const id = about[slot]
      const phase = phases[slot]
      const hops = distance[slot]
      const mine = ids[me]
      slot = wheel.release(slot)
      if (word === PROBE) {
        if (id > mine && hops < 1 << phase) send(me, way, PROBE, id, phase, hops + 1)
        else if (id > mine) send(me, 1 - way, REPLY, id, phase, 0)
        else if (id === mine && leads[me] === 0) {
          leads[me] = 1
          knownLeader[me] = id
          elected = wheel.now
          leaderNode = me
          send(me, 0, LEADER, id, 0, 0)
        }
      } else if (word === REPLY) {
        if (id !== mine) send(me, way, REPLY, id, phase, 0)
        else {
          answered[me] |= 1 << way
          if (answered[me] === 3) {
            answered[me] = 0
            explore(me, phase + 1)
          }
        }
      } else if (id !== mine) {
        knownLeader[me] = id
        send(me, 0, LEADER, id, 0, 0)
      }
    }
  }
  const [probe, reply, leader] = sent
  return { probe, reply, leader, leaderNode, elected, last: wheel.now, natBits }
}
