import { Delays } from './floor-delays.js'

/**
 * Hirschberg-Sinclair and nothing else, as fast as plain JavaScript goes: the floor that the engine
 * is measured against. What a delivery touches lies together, in records of four integers for
 * messages and nodes. All nodes start at time 0; links are FIFO.
 */
export function run(ids, seed) {
  const n = ids.length
  const record = 4
  const endOfNodes = record * n
  // A message answers one that is gone, or two probes answer two replies: 2n slots suffice.
  const end = 2 * endOfNodes

  // A message: the next one of its moment (or the next free slot), where it goes (the lowest bit is
  // the direction: 0 left, 1 right), its id and hops; apart from them its kind and phase in a byte.
  const flight = new Int32Array(end + record * 16)
  const to = 1
  const about = 2
  const far = 3
  const sort = new Uint8Array(2 * n)
  const probeKind = 0
  const replyKind = 1
  const leaderKind = 2

  // A node: its id, the last arrival on its left and its right link, and how far it is: the
  // directions of replies heard in this phase in two bits, leading in one, then the phase.
  const node = new Int32Array(endOfNodes)
  const lastArrival = 1
  const progress = 3
  const leads = 4
  const knownLeader = new Int32Array(n)

  // The wheel has a list of messages per moment; `busy` has a bit for each that is not empty. A list
  // hangs from a record behind the slots, so that appending needs no test for the first message.
  const tail = new Int32Array(16)
  for (let w = 0; w < 16; w++) tail[w] = end + record * w
  for (let slot = 0; slot < end; slot += record) flight[slot] = slot + record
  let busy = 0
  let free = 0

  const delays = new Delays(seed)
  // The bits of phases and hops, which differ by message; the other bits follow from the counts.
  const natBits = new Float64Array(1)
  let probe = 0
  let reply = 0
  let leader = 0
  let leaderNode = -1
  let elected = -1
  let now = 0

  function send(me, direction, kind, id, phase, hops) {
    const link = me + lastArrival + direction
    let arrival = now + delays.draw()
    if (node[link] > arrival) arrival = node[link]
    node[link] = arrival
    const sent = free
    free = flight[sent]
    if (direction === 0) flight[sent + to] = me + record === endOfNodes ? 0 : me + record
    else flight[sent + to] = (me === 0 ? endOfNodes - record : me - record) | 1
    flight[sent + about] = id
    flight[sent + far] = hops
    sort[sent / record] = kind | (phase << 2)
    natBits[0] += 64 - Math.clz32(phase | 1) - Math.clz32(hops)
    const moment = arrival & 15
    flight[tail[moment]] = sent
    tail[moment] = sent
    busy |= 1 << moment
  }

  function explore(me, id, phase) {
    probe += 2
    send(me, 0, probeKind, id, phase, 1)
    send(me, 1, probeKind, id, phase, 1)
  }

  for (let me = 0; me < endOfNodes; me += record) {
    node[me] = ids[me / record]
    explore(me, node[me], 0)
  }

  while (busy !== 0) {
    // Turned so that the present comes first, the lowest bit is the next moment.
    const turned = ((busy >>> (now & 15)) | (busy << (16 - (now & 15)))) & 0xffff
    now += 31 - Math.clz32(turned & -turned)
    const bucket = now & 15
    const final = tail[bucket]
    busy &= ~(1 << bucket)
    tail[bucket] = end + record * bucket

    let slot = end + record * bucket
    let following = flight[slot]
    do {
      slot = following
      following = flight[slot]
      const place = flight[slot + to]
      const id = flight[slot + about]
      const hops = flight[slot + far]
      const kind = sort[slot / record] & 3
      const phase = sort[slot / record] >> 2
      flight[slot] = free
      free = slot

      const me = place & ~1
      const direction = place & 1
      const mine = node[me]
      if (kind === probeKind) {
        if (id > mine) {
          if (hops < 1 << phase) {
            probe++
            send(me, direction, probeKind, id, phase, hops + 1)
          } else {
            reply++
            send(me, 1 - direction, replyKind, id, phase, 0)
          }
        } else if (id === mine && (node[me + progress] & leads) === 0) {
          node[me + progress] |= leads
          knownLeader[me / record] = id
          elected = now
          leaderNode = me / record
          leader++
          send(me, 0, leaderKind, id, 0, 0)
        }
      } else if (kind === replyKind) {
        if (id !== mine) {
          reply++
          send(me, direction, replyKind, id, phase, 0)
        } else if (phase === node[me + progress] >> 3) {
          const heard = node[me + progress] | (1 << direction)
          node[me + progress] = heard
          if ((heard & 3) === 3) {
            node[me + progress] = ((phase + 1) << 3) | (heard & leads)
            explore(me, id, phase + 1)
          }
        }
      } else if (id !== mine) {
        knownLeader[me / record] = id
        leader++
        send(me, 0, leaderKind, id, 0, 0)
      }
    } while (slot !== final)
  }
  // A leader message has no phase, though `send` has charged one bit for it.
  return { probe, reply, leader, leaderNode, elected, last: now, natBits: natBits[0] - leader }
}
