import type { World } from '../../core/language/world.ts'
import type { Arrivals } from './arrivals.ts'
import { MessagesInFlight } from './messages-in-flight.ts'

/**
 * Messages that arrive in the order of sending, since all take the same time. All that is sent at
 * one moment arrives at one moment and lies in one bucket; the buckets wait in a queue.
 */
export class BucketQueue extends MessagesInFlight {
  /** The arrivals to come, each with its bucket. */
  private readonly moments = new FifoQueue()
  private readonly free: number[] = []
  protected readonly empty: number
  /** The bucket of what is sent now: the empty one, which has no room, before the first message. */
  outgoing: number
  /** The bucket that was opened last, and its moment. */
  private last: number
  private lastArrival = -1

  constructor(world: World, arrivals: Arrivals, numbered: boolean) {
    super(world, arrivals, numbered)
    this.empty = this.addBucket(0)
    this.outgoing = this.empty
    this.last = this.empty
  }

  get first(): number {
    return this.isArriving ? this.now : this.moments.first
  }

  advanceToNext(before: number, last: number): boolean {
    const { first } = this.moments
    if (first >= before || first > last) return false
    this.advance(first)
    return true
  }

  advance(now: number): void {
    this.now = now
    this.outgoing = this.empty
    this.enter(this.moments.first === now ? this.moments.take() : this.empty)
  }

  reserve(arrival: number): number {
    if (arrival !== this.lastArrival) this.open(arrival)
    this.outgoing = this.last
    this.extend(this.last)
    return this.last
  }

  private open(arrival: number): void {
    this.last = this.free.pop() ?? this.addBucket()
    this.lastArrival = arrival
    this.moments.add(arrival, this.last)
  }

  protected override close(bucket: number): void {
    super.close(bucket)
    this.free.push(bucket)
  }
}

/** An event queue whose entries arrive sorted by time. A ring buffer over typed arrays. */
export class FifoQueue {
  /** The earliest time; Infinity when the queue is empty. */
  first = Number.POSITIVE_INFINITY
  private times = new Float64Array(16)
  private values = new Int32Array(16)
  /** The index of the earliest entry, and the number of entries. */
  private head = 0
  private count = 0

  add(time: number, value: number): void {
    if (this.count === this.times.length) this.grow()
    const place = (this.head + this.count) & (this.times.length - 1)
    this.times[place] = time
    this.values[place] = value
    if (this.count++ === 0) this.first = time
  }

  /** Removes the earliest entry and returns its value. */
  take(): number {
    const taken = this.values[this.head]
    this.head = (this.head + 1) & (this.times.length - 1)
    this.count--
    this.first = this.count === 0 ? Number.POSITIVE_INFINITY : this.times[this.head]
    return taken
  }

  private grow(): void {
    const { times, values, head, count } = this
    this.times = new Float64Array(2 * count)
    this.values = new Int32Array(2 * count)
    for (let i = 0; i < count; i++) {
      this.times[i] = times[(head + i) & (count - 1)]
      this.values[i] = values[(head + i) & (count - 1)]
    }
    this.head = 0
  }
}
