import { Delays } from './floor-delays.js'

const BUCKETS = 16
const NONE = -1

/**
 * What both floors share: messages in flight as plain columns with a free list, in a wheel of
 * linked lists with one bucket per time unit, over FIFO links with delays from 1 to 10.
 */
export class Wheel {
  constructor(slots, links, seed) {
    this.next = Int32Array.from({ length: slots }, (_, slot) => slot + 1)
    this.heads = new Int32Array(BUCKETS).fill(NONE)
    this.tails = new Int32Array(BUCKETS).fill(NONE)
    this.lastArrival = new Int32Array(links)
    this.delays = new Delays(seed)
    this.free = 0
    this.flying = 0
    this.now = 0
  }

  /** A slot for a message that is sent now over a link; the caller fills its columns. */
  send(link) {
    const { next, heads, tails, lastArrival } = this
    const slot = this.free
    this.free = next[slot]
    let arrival = this.now + this.delays.draw()
    if (lastArrival[link] > arrival) arrival = lastArrival[link]
    lastArrival[link] = arrival
    const bucket = arrival & (BUCKETS - 1)
    next[slot] = NONE
    if (heads[bucket] === NONE) heads[bucket] = slot
    else next[tails[bucket]] = slot
    tails[bucket] = slot
    this.flying++
    return slot
  }

  /** Moves on to the next arrivals and returns the first of them, or NONE at the end. */
  advance() {
    if (this.flying === 0) return NONE
    do this.now++
    while (this.heads[this.now & (BUCKETS - 1)] === NONE)
    const bucket = this.now & (BUCKETS - 1)
    const slot = this.heads[bucket]
    this.heads[bucket] = NONE
    return slot
  }

  /** Frees the slot of a message that was read, and returns the next of its moment. */
  release(slot) {
    const following = this.next[slot]
    this.next[slot] = this.free
    this.free = slot
    this.flying--
    return following
  }
}
