import type { Random } from '../core/random.ts'
import type { Conditions } from './conditions.ts'

/** The largest number of link directions for which the last arrivals are kept in a plain column. */
const COLUMN = 1 << 26

/**
 * When messages arrive. First in, first out means that nothing arrives before what was sent earlier
 * over the same link in the same direction; with constant delays that comes by itself.
 */
export class Arrivals {
  private readonly stream: Random
  /** The delay is `least`, plus a random integer below `spread`, or else exponential with `mean`. */
  private readonly least: number
  private readonly spread: number
  private readonly mean: number
  /** By channel; narrow until a time turns up that 32 bits cannot hold. */
  private last: Int32Array | Float64Array | null
  private readonly lastOfMany: Map<number, number> | null

  constructor({ delay, fifo, random }: Conditions, channels: number) {
    this.stream = random.split('delays')
    this.least =
      delay.model === 'constant' ? delay.delay : delay.model === 'uniform' ? delay.from : 0
    this.spread = delay.model === 'uniform' ? delay.to - delay.from + 1 : 1
    this.mean = delay.model === 'exponential' ? delay.mean : 0
    const ordered = fifo && delay.model !== 'constant'
    this.last = ordered && channels <= COLUMN ? new Int32Array(channels) : null
    this.lastOfMany = ordered && channels > COLUMN ? new Map() : null
  }

  /** The arrival of a message sent now over a channel. */
  next(channel: number, now: number): number {
    const { last } = this
    let arrival = now + this.least
    if (this.spread > 1) arrival += this.stream.below(this.spread)
    if (this.mean > 0) arrival += this.stream.exponential(this.mean)
    if (last !== null) {
      const before = last[channel]
      if (before > arrival) return before
      last[channel] = arrival
      if (last[channel] !== arrival) this.widen(last, channel, arrival)
    } else if (this.lastOfMany !== null) {
      arrival = Math.max(arrival, this.lastOfMany.get(channel) ?? 0)
      this.lastOfMany.set(channel, arrival)
    }
    return arrival
  }

  private widen(last: Int32Array | Float64Array, channel: number, arrival: number): void {
    this.last = Float64Array.from(last)
    this.last[channel] = arrival
  }
}
