import type { Random } from '../../core/runtime/random.ts'
import type { Conditions } from '../conditions.ts'
import { momentAt } from './time-grid.ts'

/** The largest number of link directions for which the last arrivals are kept in a plain column. */
const COLUMN = 1 << 26
/** Random delays are drawn so many at a time. */
const BATCH = 1024

/**
 * When messages arrive. First in, first out means that nothing arrives before what was sent earlier
 * over the same link in the same direction; with constant delays that comes by itself.
 */
export class Arrivals {
  /** Whether all arrive in the order of sending, whatever their links. */
  readonly inOrder: boolean
  private readonly stream: Random
  /** The delay is `least` plus a random integer below `spread`, or exponential with `mean`. */
  private readonly least: number
  private readonly spread: number
  private readonly mean: number
  private readonly batch = new Int32Array(BATCH)
  private used = BATCH
  /** By channel; narrow until a time turns up that 32 bits cannot hold. */
  private last: Int32Array | Float64Array | null
  /** Whether a time has turned up that is not whole. */
  private fractional = false
  /** The same where times are seldom whole, and where there are too many channels for a column. */
  private readonly lastReal: Float64Array | null
  private readonly lastOfMany: Map<number, number> | null

  constructor({ delay, fifo, random }: Conditions, channels: number) {
    this.stream = random.split('delays')
    this.inOrder = delay.model === 'constant'
    this.least =
      delay.model === 'constant' ? delay.delay : delay.model === 'uniform' ? delay.from : 0
    this.spread = delay.model === 'uniform' ? delay.to - delay.from + 1 : 1
    this.mean = delay.model === 'exponential' ? delay.mean : 0
    const ordered = fifo && delay.model !== 'constant'
    const few = channels <= COLUMN
    this.last = ordered && few && this.mean === 0 ? new Int32Array(channels) : null
    this.lastReal = ordered && few && this.mean > 0 ? new Float64Array(channels) : null
    this.lastOfMany = ordered && !few ? new Map() : null
  }

  /** The arrival of a message sent now over a channel; only some arrivals know its number. */
  next(channel: number, now: number, _message: number): number {
    const { last } = this
    let arrival = now + this.least
    if (this.spread > 1) arrival += this.used < BATCH ? this.batch[this.used++] : this.draw()
    if (this.fractional) arrival = momentAt(arrival, now)
    if (last === null) return this.rarely(channel, arrival, now)
    if (last[channel] > arrival) return last[channel]
    last[channel] = arrival
    return last[channel] === arrival ? arrival : this.widen(last, channel, momentAt(arrival, now))
  }

  /** Draws a batch and returns the first of it. */
  private draw(): number {
    this.stream.fillBelow(this.spread, this.batch)
    this.used = 1
    return this.batch[0]
  }

  private rarely(channel: number, least: number, now: number): number {
    const { lastReal, lastOfMany } = this
    let arrival = momentAt(least, now)
    if (this.mean > 0) arrival = least + this.stream.exponential(this.mean)
    // A delay too short for the clock to show still takes the shortest time that it can show.
    if (arrival <= now) arrival = now + Math.max(now * Number.EPSILON, Number.MIN_VALUE)
    if (lastReal !== null) {
      arrival = Math.max(arrival, lastReal[channel])
      lastReal[channel] = arrival
    } else if (lastOfMany !== null) {
      arrival = Math.max(arrival, lastOfMany.get(channel) ?? 0)
      lastOfMany.set(channel, arrival)
    }
    return arrival
  }

  private widen(last: Int32Array | Float64Array, channel: number, arrival: number): number {
    this.fractional = true
    this.last = Float64Array.from(last)
    this.last[channel] = arrival
    return arrival
  }
}
