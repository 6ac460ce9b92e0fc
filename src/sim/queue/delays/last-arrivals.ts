/** No channel. */
const NONE = -1
const FIRST_SLOTS = 1 << 10
const TWO_32 = 4294967296

/**
 * The last arrival by channel, for so many channels that a column of all would be too large: a hash
 * table with linear probing. It forgets what is over: an arrival that is not after the present
 * moment delays no later message, so the table has room for the messages in flight, and not for
 * every channel that was ever used.
 */
export class LastArrivals {
  private channels = new Float64Array(FIRST_SLOTS).fill(NONE)
  private times = new Float64Array(FIRST_SLOTS)
  private used = 0

  /** A message that would arrive at a time arrives no earlier than the last one of its channel. */
  next(channel: number, arrival: number, now: number): number {
    let slot = this.slotOf(channel)
    if (this.channels[slot] === channel) {
      const last = this.times[slot]
      if (last > arrival) return last
    } else {
      if (2 * this.used === this.channels.length) {
        this.forget(now)
        slot = this.slotOf(channel)
      }
      this.channels[slot] = channel
      this.used++
    }
    this.times[slot] = arrival
    return arrival
  }

  /** The slot of a channel, or the empty one that it would get. */
  private slotOf(channel: number): number {
    const { channels } = this
    const mask = channels.length - 1
    // The upper bits of a product depend on all bits of its factors.
    const mixed = Math.imul((channel >>> 0) ^ (channel / TWO_32), 0x9e3779b1)
    let slot = (mixed ^ (mixed >>> 15)) & mask
    while (channels[slot] !== channel && channels[slot] !== NONE) slot = (slot + 1) & mask
    return slot
  }

  /** Forgets arrivals that are over, and makes the table larger where that leaves it too full. */
  private forget(now: number): void {
    const { channels, times } = this
    let left = 0
    for (let slot = 0; slot < times.length; slot++)
      if (channels[slot] !== NONE && times[slot] > now) left++
    const slots = 4 * left > times.length ? 2 * times.length : times.length
    this.channels = new Float64Array(slots).fill(NONE)
    this.times = new Float64Array(slots)
    this.used = left
    for (let slot = 0; slot < times.length; slot++) {
      if (channels[slot] === NONE || times[slot] <= now) continue
      const to = this.slotOf(channels[slot])
      this.channels[to] = channels[slot]
      this.times[to] = times[slot]
    }
  }
}
