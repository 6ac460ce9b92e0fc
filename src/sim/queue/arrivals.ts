import { exp, ln } from '../../core/numbers.ts'
import type { Random } from '../../core/runtime/random.ts'
import type { Conditions, Delay } from '../conditions.ts'
import { momentAt } from './time-grid.ts'

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

/** Draws the delay of a message that is sent now over a channel. */
export type DelaySampler = (channel: number, now: number) => number

/** The sampler of a model; null for the models that `Arrivals` draws in batches of its own. */
export function delaySampler(delay: Delay, random: Random): DelaySampler | null {
  switch (delay.model) {
    case 'lognormal':
      return lognormal(delay.mu, delay.sigma, random)
    case 'pareto':
      // The logarithm of a Pareto variable above its minimum is exponential.
      return () => delay.min * exp(random.exponential(1) / delay.alpha)
    case 'empirical':
      return () => delay.delays[random.below(delay.delays.length)]
    case 'serial':
      return serial(delay.delay, delay.senders)
    case 'links':
      return (channel) => delay.delays[channel]
    default:
      return null
  }
}

/** Normal variables come in pairs, by Marsaglia's polar method (1962). */
function lognormal(mu: number, sigma: number, random: Random): DelaySampler {
  let spare: number | null = null
  return () => {
    if (spare !== null) {
      const second = spare
      spare = null
      return exp(mu + sigma * second)
    }
    for (;;) {
      const u = 2 * random.unit() - 1
      const v = 2 * random.unit() - 1
      const square = u * u + v * v
      if (square >= 1 || square === 0) continue
      const scale = Math.sqrt((-2 * ln(square)) / square)
      spare = v * scale
      return exp(mu + sigma * u * scale)
    }
  }
}

/** A message waits until those that its sender sent before are under way. */
function serial(delay: number, senders: Int32Array): DelaySampler {
  const busyUntil = new Map<number, number>()
  return (channel, now) => {
    const sender = senders[channel]
    const done = Math.max(now, busyUntil.get(sender) ?? 0) + delay
    busyUntil.set(sender, done)
    return done - now
  }
}

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
