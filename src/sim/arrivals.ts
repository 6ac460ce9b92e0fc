import type { Random } from '../core/random.ts'
import type { Conditions } from './conditions.ts'

/** The largest number of link directions for which the last arrivals are kept in a plain column. */
const COLUMN = 1 << 26
/** Random delays are drawn so many at a time. */
const BATCH = 1024

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
  private readonly batch = new Int32Array(BATCH)
  private used = BATCH
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
    let arrival = now + this.least
    if (this.spread > 1) {
      if (this.used === BATCH) this.draw()
      arrival += this.batch[this.used++]
    } else if (this.mean > 0) arrival += this.stream.exponential(this.mean)
    const { last } = this
    if (last === null) {
      return this.lastOfMany === null ? arrival : this.ordered(this.lastOfMany, channel, arrival)
    }
    const before = last[channel]
    if (before > arrival) return before
    last[channel] = arrival
    if (last[channel] !== arrival) this.widen(last, channel, arrival)
    return arrival
  }

  private draw(): void {
    this.stream.fillBelow(this.spread, this.batch)
    this.used = 0
  }

  private ordered(last: Map<number, number>, channel: number, arrival: number): number {
    const later = Math.max(arrival, last.get(channel) ?? 0)
    last.set(channel, later)
    return later
  }

  private widen(last: Int32Array | Float64Array, channel: number, arrival: number): void {
    this.last = Float64Array.from(last)
    this.last[channel] = arrival
  }
}
