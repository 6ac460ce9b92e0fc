import type { World } from '../../core/language/world.ts'
import { ceilLog2 } from '../../core/numbers.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'
import { type Conditions, largestDelay } from '../conditions.ts'
import { arrivalsIn } from '../faults/message-overrides.ts'
import type { Arrivals } from './arrivals.ts'
import { BucketQueue, FifoQueue } from './bucket-queue.ts'
import { CalendarQueue } from './calendar-queue.ts'

import { type DeliveryTarget, MessagesInFlight } from './messages-in-flight.ts'

const MAX_WHEEL = 1 << 16
/** The time of free slots, which have none of their own. */
const FREE = 0

/** The messages in flight under these conditions. With `numbered`, they keep their numbers. */
export function messagesInFlight(
  world: World,
  conditions: Conditions,
  numbered: boolean,
): MessagesInFlight {
  const arrivals = arrivalsIn(conditions, world.topology.channels)
  return arrivals.inOrder
    ? new BucketQueue(world, arrivals, numbered)
    : new TimingWheel(world, arrivals, numbered, largestDelay(conditions.delay))
}

/**
 * Messages with any delays. Those that arrive soon and at an integer time lie in a timing wheel,
 * one bucket per time unit. All others go to an overflow queue. Its messages for some moment were
 * sent before all messages of the wheel for the same moment, since only far arrivals overflow.
 */
class TimingWheel extends MessagesInFlight {
  /** The last integer time, and its bucket. */
  private wheelTime = 0
  private cursor = 0
  private readonly mask: number
  /** Two buckets follow the wheel: one that stays empty, and one for the overflow queue. */
  protected readonly empty: number
  private readonly far: number
  private readonly overflow: OverflowQueue

  /** `longest`: the longest delay; Infinity where there is no bound. */
  constructor(world: World, arrivals: Arrivals, numbered: boolean, longest: number) {
    super(world, arrivals, numbered)
    const wheel = longest < MAX_WHEEL ? 1 << ceilLog2(Math.ceil(longest) + 1) : 1
    for (let bucket = 0; bucket < wheel; bucket++) this.addBucket()
    this.mask = wheel - 1
    this.empty = this.addBucket()
    this.far = this.addBucket()
    this.overflow = new OverflowQueue(this.buckets[this.far].length / this.stride)
  }

  get first(): number {
    if (this.inBuckets === 0) return this.overflow.first
    const { ends, mask, cursor } = this
    let ahead = 0
    while (ends[(cursor + ahead) & mask] === 0) ahead++
    const first = this.wheelTime + ahead
    if (this.overflow.first < first) return this.overflow.first
    return first
  }

  advanceToNext(before: number, last: number): boolean {
    const far = this.overflow.first
    if (far < before) {
      if (this.inBuckets > 0 || far > last) return false
      this.advance(far)
      return true
    }
    if (this.inBuckets === 0) return false
    const { ends, mask } = this
    let { cursor, wheelTime } = this
    do {
      cursor = (cursor + 1) & mask
      wheelTime++
    } while (ends[cursor] === 0)
    if (wheelTime >= before || wheelTime > last) return false
    this.now = wheelTime
    this.wheelTime = wheelTime
    this.cursor = cursor
    this.enter(cursor)
    return true
  }

  advance(now: number): void {
    const ticks = Math.floor(now) - this.wheelTime
    this.now = now
    this.wheelTime += ticks
    this.cursor = (this.cursor + ticks) & this.mask
    this.enter(this.wheelTime === now ? this.cursor : this.empty)
  }

  reserve(arrival: number): number {
    const ahead = arrival - this.wheelTime
    if ((ahead | 0) !== ahead || ahead > this.mask) return this.reserveFar(arrival)
    const bucket = (this.cursor + ahead) & this.mask
    this.extend(bucket)
    return bucket
  }

  private reserveFar(arrival: number): number {
    if (this.overflow.full) {
      this.overflow.grow()
      this.grow(this.far)
    }
    this.reserved = this.overflow.add(arrival) * this.stride
    return this.far
  }

  override each(kind: number, visit: (body: AnyBody) => void): void {
    super.each(kind, visit)
    this.overflow.each((slot) => this.look(kind, this.far, slot * this.stride, visit))
  }

  override deliver(receiver: DeliveryTarget, most: number): number {
    let left = most
    while (this.overflow.first === this.now && left > 0) {
      left--
      if (this.deliverFar(receiver) === false) return most - left
    }
    return most - left + super.deliver(receiver, left)
  }

  private deliverFar(receiver: DeliveryTarget): boolean {
    const at = this.overflow.take() * this.stride
    this.arriveAll(receiver, this.far, at, at + this.stride)
    return !receiver.limitReached
  }
}

/** Allocates slots for records that do not fit into the wheel, ordered by time. */
export class OverflowQueue {
  private readonly due: CalendarQueue
  /** Free slots, the longest free one first, so that records stay in order of sending. */
  private readonly free = new FifoQueue()
  private used = 0

  /** `capacity`: the number of slots. */
  constructor(private capacity: number) {
    this.due = new CalendarQueue(capacity)
  }

  /** The earliest time; Infinity when the queue is empty. */
  get first(): number {
    return this.due.first
  }

  /** Whether there is room for no more records. */
  get full(): boolean {
    return this.used === this.capacity && this.free.first !== FREE
  }

  /** Doubles the room. */
  grow(): void {
    this.capacity *= 2
  }

  /** Allocates the slot of a record until its time. */
  add(time: number): number {
    const slot = this.free.first === FREE ? this.free.take() : this.used++
    this.due.add(time, slot)
    return slot
  }

  /** Frees the slot of the earliest record and returns it; it is read before the next `add`. */
  take(): number {
    const slot = this.due.take()
    this.free.add(FREE, slot)
    return slot
  }

  /** Visits all slots that are taken. */
  each(visit: (slot: number) => void): void {
    this.due.each(visit)
  }
}
