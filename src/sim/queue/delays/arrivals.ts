import type { Random } from '../../../core/runtime/random.ts'
import type { Conditions } from '../../conditions.ts'
import { momentAt } from '../time-grid.ts'
import { type DelaySampler, delaySampler } from './delay-sampler.ts'
import { LastArrivals } from './last-arrivals.ts'

/** With more channels than this the last arrivals are kept in a hash table instead of a column. */
const COLUMN = 1 << 26
/** The number of random delays that are drawn at a time. */
const BATCH = 1024

/**
 * The arrival times of messages. On FIFO links a message arrives no earlier than those sent before
 * it in the same direction; constant delays guarantee that by themselves.
 */
export class Arrivals {
  /** Whether all messages arrive in the order of sending, over all links. */
  readonly inOrder: boolean
  private readonly stream: Random
  /** The delay is `shortest` plus a random integer below `spread`, or exponential with `mean`. */
  private readonly shortest: number
  private readonly spread: number
  private readonly mean: number
  /** Whether all delays are the same whole number. */
  private readonly steady: boolean
  /** The delays of all other models. */
  private readonly sample: DelaySampler | null
  private readonly batch = new Int32Array(BATCH)
  private used = BATCH
  /** The last arrival by channel; of 32 bits until a time does not fit. */
  private last: Int32Array | Float64Array | null
  /** Whether a time was no integer. */
  private fractional = false
  /** The same for delays with fractions, and for more channels than fit into a column. */
  private readonly lastReal: Float64Array | null
  private readonly lastOfMany: LastArrivals | null

  constructor({ delay, fifo, random }: Conditions, channels: number) {
    this.stream = random.split('delays')
    this.inOrder = delay.model === 'constant'
    this.shortest =
      delay.model === 'constant' ? delay.delay : delay.model === 'uniform' ? delay.from : 0
    this.steady = this.inOrder && Number.isInteger(this.shortest) && this.shortest > 0
    this.spread = delay.model === 'uniform' ? delay.to - delay.from + 1 : 1
    this.mean = delay.model === 'exponential' ? delay.mean : 0
    this.sample = delaySampler(delay, this.stream)
    const real = this.mean > 0 || this.sample !== null
    const ordered = fifo && delay.model !== 'constant'
    const few = channels <= COLUMN
    this.last = ordered && few && !real ? new Int32Array(channels) : null
    this.lastReal = ordered && few && real ? new Float64Array(channels) : null
    this.lastOfMany = ordered && !few ? new LastArrivals() : null
  }

  /** The arrival of a message sent now over a channel; overrides depend on its number. */
  next(channel: number, now: number, _message: number): number {
    if (this.steady === true) {
      if ((now | 0) === now) return now + this.shortest
      const arrival = momentAt(now + this.shortest, now)
      if (arrival > now) return arrival
    }
    const { last } = this
    if (last === null || this.fractional === true) return this.nextGeneral(channel, now)
    const arrival = now + this.shortest + this.drawn()
    const before = last[channel]
    if (before >= arrival) return before
    last[channel] = arrival
    return last[channel] === arrival ? arrival : this.widen(last, channel, momentAt(arrival, now))
  }

  /**
   * What `next` would return, where it needs no draw and no other column: -1 elsewhere. It changes
   * nothing until `take`.
   */
  peek(channel: number, now: number): number {
    const { last, used } = this
    const soonest = now + this.shortest
    if (last === null || used === BATCH) return -1
    const arrival = soonest + this.batch[used]
    const before = last[channel]
    if (before > arrival) return before
    return arrival
  }

  /** A message arrives at the time that `peek` has told. */
  take(channel: number, arrival: number): void {
    this.last![channel] = arrival
    this.used++
  }

  /** By how much the next uniform delay is above the shortest. */
  private drawn(): number {
    return this.spread === 1 ? 0 : this.used < BATCH ? this.batch[this.used++] : this.draw()
  }

  /** Draws a batch of delays and returns the first. */
  private draw(): number {
    this.stream.fillBelow(this.spread, this.batch)
    this.used = 1
    return this.batch[0]
  }

  private nextGeneral(channel: number, now: number): number {
    const { last, lastReal, lastOfMany } = this
    let arrival = momentAt(now + this.shortest + this.drawn(), now)
    if (last !== null) {
      if (last[channel] > arrival) return last[channel]
      last[channel] = arrival
      return arrival
    }
    if (this.mean > 0) arrival = now + this.stream.exponential(this.mean)
    else if (this.sample !== null) arrival = momentAt(now + this.sample(channel, now), now)
    // A delay below the resolution of the clock takes the shortest time above it.
    if (arrival <= now) arrival = now + Math.max(now * Number.EPSILON, Number.MIN_VALUE)
    if (lastReal !== null) {
      arrival = Math.max(arrival, lastReal[channel])
      lastReal[channel] = arrival
    } else if (lastOfMany !== null) arrival = lastOfMany.next(channel, arrival, now)
    return arrival
  }

  private widen(last: Int32Array | Float64Array, channel: number, arrival: number): number {
    this.fractional = true
    this.last = Float64Array.from(last)
    this.last[channel] = arrival
    return arrival
  }
}
