import { Delays } from './floor-delays.js'

/**
 * Chang-Roberts and nothing else, as fast as plain JavaScript goes: the floor that the engine is
 * measured against. Messages and nodes are records of four integers, because a record is one cache
 * line where columns are four. All nodes start at time 0; links are FIFO.
 */
export function run(ids, seed) {
  const n = ids.length
  const record = 4
  const end = record * n

  // A message: the next one of its moment (or the next free slot), where it goes, what it says.
  const flight = new Int32Array(end + record * 16)
  const to = 1
  const about = 2
  const kind = 3

  // A node: its id, the last arrival on its left link, its flags, the leader it knows.
  const node = new Int32Array(end)
  const lastArrival = 1
  const flags = 2
  const knownLeader = 3
  const participant = 1
  const stopped = 2

  // The wheel has a list of messages per moment; `busy` has a bit for each that is not empty. A list
  // hangs from a record behind the slots, so that appending needs no test for the first message.
  const tail = new Int32Array(16)
  for (let w = 0; w < 16; w++) tail[w] = end + record * w
  let busy = 0
  let free = -1

  const delays = new Delays(seed)
  let election = 0
  let leader = 0
  let leaderNode = -1
  let elected = -1
  let now = 0

  for (let me = 0; me < end; me += record) {
    const id = ids[me / record]
    const arrival = delays.draw()
    node[me] = id
    node[me + lastArrival] = arrival
    node[me + flags] = participant
    flight[me + to] = me + record === end ? 0 : me + record
    flight[me + about] = id
    flight[tail[arrival]] = me
    tail[arrival] = me
    busy |= 1 << arrival
    election++
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
      const me = flight[slot + to]
      let id = flight[slot + about]
      let word = flight[slot + kind]
      flight[slot] = free
      free = slot

      const mine = node[me]
      const flag = node[me + flags]
      if ((flag & stopped) !== 0) continue
      if (word === 0) {
        if ((flag & participant) === 0) node[me + flags] = participant
        if (id > mine) {
          election++
        } else if (id === mine) {
          elected = now
          leaderNode = me / record
          node[me + knownLeader] = id
          word = 1
          leader++
        } else if ((flag & participant) === 0) {
          id = mine
          election++
        } else continue
      } else {
        node[me + flags] = stopped
        if (id === mine) continue
        node[me + knownLeader] = id
        leader++
      }

      let arrival = now + delays.draw()
      if (node[me + lastArrival] > arrival) arrival = node[me + lastArrival]
      node[me + lastArrival] = arrival
      const sent = free
      free = flight[sent]
      flight[sent + to] = me + record === end ? 0 : me + record
      flight[sent + about] = id
      flight[sent + kind] = word
      const moment = arrival & 15
      flight[tail[moment]] = sent
      tail[moment] = sent
      busy |= 1 << moment
    } while (slot !== final)
  }
  return { election, leader, leaderNode, elected, last: now }
}
