import { uidBits, type World } from '../../core/language/world.ts'
import { ceilLog2 } from '../../core/logarithm.ts'
import { grown } from '../../core/runtime/growable-array.ts'
import type {
  AnyBody,
  CodecDispatch,
  Columns,
  MessageCodec,
} from '../../core/runtime/message-codec.ts'
import { type Conditions, largestDelay } from '../conditions.ts'
import { arrivalsIn } from '../faults/message-overrides.ts'
import type { Arrivals } from './arrivals.ts'
import { type OverflowQueue, overflowQueue } from './overflow-queue.ts'
import { AHEAD, type Prefetcher } from './prefetcher.ts'

/** A record: the receiver, a tag (its link and the message kind), the fields of the body. */
export const TO = 0
export const TAG = 1
export const FIELDS = 2
const MAX_WHEEL = 1 << 16
const FIRST_RECORDS = 4
const NO_OBJECTS: readonly unknown[] = []

/** Receives the messages that arrive. */
export interface DeliveryTarget {
  /** Prefetches states where they do not fit into the cache; null where they do. */
  readonly prefetcher: Prefetcher | null
  /** Returns false to pause the delivery. */
  onArrival(node: number, link: number, kind: number, body: AnyBody): boolean
  /** Whether to deliver no more. */
  readonly limitReached: boolean
  /**
   * In place of `onArrival`: the records from one index to another arrive, until the limit is
   * reached. Returns the index of the next record; null where there is no such way.
   */
  readonly onRecords: ((receiver: never, data: Columns, from: number, end: number) => number) | null
}

/** The number of a message and its fields without a fixed width: they fit into no column. */
interface BoxedFields {
  readonly number: number
  readonly objects: readonly unknown[]
}

/**
 * The messages between sending and receipt, as records of equal size in growable columns. Messages
 * that arrive soon and at an integer time lie in a timing wheel, one bucket per time unit, in order
 * of sending: buckets are written and read front to back, which suits the cache. All others go to
 * an overflow queue. Its messages for some moment were sent before all messages of the wheel for
 * the same moment, since only far arrivals overflow.
 */
export class MessagesInFlight {
  now = 0
  /** The last integer time, and its bucket in the wheel. */
  private wheelTime = 0
  private cursor = 0
  private readonly mask: number
  /** Two buckets follow the wheel: one that stays empty, and one for the overflow queue. */
  private readonly buckets: Columns[]
  private readonly ends: Int32Array
  private readonly empty: number
  private readonly far: number
  private inWheel = 0
  /** The bucket of the messages that arrive now, and where its next record begins. */
  private bucket = 0
  private next = 0
  /** Receivers of records before this one were prefetched. */
  private prefetchedTo = 0
  private readonly overflow: OverflowQueue
  /** Where the record begins for which room was reserved last. */
  private reserved = 0

  /** The number of the last delivered message, where messages are numbered. */
  number = 0

  private readonly stride: number
  private readonly kindBits: number
  private readonly kindMask: number
  private readonly uidBits: number
  /** Whether all fields go into columns of integers, unless a value turns out too large. */
  private readonly int32: boolean
  /** Whether all fields go into columns of float64s, and all bodies are charged the same. */
  private readonly float64: boolean
  readonly arrivals: Arrivals
  private readonly codecs: readonly MessageCodec[]
  private readonly dispatch: CodecDispatch
  /** By bucket and record; null where all fields go into columns. */
  private readonly boxed: BoxedFields[][] | null

  /** With `numbered`, messages keep their numbers. */
  constructor(world: World, conditions: Conditions, numbered: boolean) {
    const { algorithm, topology } = world
    this.uidBits = uidBits(world)
    this.arrivals = arrivalsIn(conditions, topology.channels)
    this.codecs = algorithm.kinds.map((kind) => kind.codec)
    this.dispatch = algorithm.codecs
    this.stride = FIELDS + Math.max(0, ...this.codecs.map((codec) => codec.width))
    this.kindBits = ceilLog2(algorithm.kinds.length)
    this.kindMask = (1 << this.kindBits) - 1
    const longest = largestDelay(conditions.delay)
    const wheel = longest < MAX_WHEEL ? 1 << ceilLog2(Math.ceil(longest) + 1) : 1
    this.mask = wheel - 1
    this.empty = wheel
    this.far = wheel + 1
    this.ends = new Int32Array(wheel + 2)
    const integers = this.codecs.every((codec) => codec.integers)
    const hasObjects = this.codecs.some((codec) => codec.hasObjects)
    const size = FIRST_RECORDS * this.stride
    this.overflow = overflowQueue(this.stride, size, this.arrivals.inOrder)
    this.buckets = Array.from(this.ends, () =>
      integers ? new Int32Array(size) : new Float64Array(size),
    )
    this.boxed = numbered || hasObjects ? this.buckets.map(() => []) : null
    this.int32 = integers && this.boxed === null
    this.float64 =
      !integers && this.boxed === null && this.codecs.every(({ fixedBits }) => fixedBits)
  }

  /** The earliest arrival; Infinity when nothing is in flight. */
  get first(): number {
    if (this.inWheel === 0) return this.overflow.first
    const { ends, mask, cursor } = this
    let ahead = 0
    while (ends[(cursor + ahead) & mask] === 0) ahead++
    const first = this.wheelTime + ahead
    if (this.overflow.first < first) return this.overflow.first
    return first
  }

  /** Advances to the next arrival if that is before `before` and not after `last`. */
  advanceToNext(before: number, last: number): boolean {
    const far = this.overflow.first
    if (far < before) {
      if (this.inWheel > 0 || far > last) return false
      this.advance(far)
      return true
    }
    if (this.inWheel === 0) return false
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

  /** Advances to a later moment, not beyond the earliest arrival. */
  advance(now: number): void {
    const ticks = Math.floor(now) - this.wheelTime
    this.now = now
    this.wheelTime += ticks
    this.cursor = this.inWheel === 0 ? 0 : (this.cursor + ticks) & this.mask
    this.enter(this.wheelTime === now ? this.cursor : this.empty)
  }

  /**
   * Sends a message over a channel to the node `to`, which receives it over its link `link`.
   * Returns the bits charged for the body; 0 where they are the same for all bodies of its kind.
   */
  send(
    kind: number,
    body: AnyBody,
    to: number,
    link: number,
    channel: number,
    number: number,
  ): number {
    const bucket = this.reserve(this.arrivals.next(channel, this.now, number))
    const at = this.reserved
    const data = this.buckets[bucket]
    data[at + TO] = to | 0
    data[at + TAG] = (link << this.kindBits) | kind
    if (this.int32 === true) {
      const bits = this.dispatch.packInt32(kind, body, data, at + FIELDS, this.uidBits)
      if (bits >= 0) return bits
    } else if (this.float64 === true) {
      this.dispatch.pack(kind, body, data, at + FIELDS)
      return 0
    }
    return this.packGeneral(bucket, at, kind, body, number)
  }

  /** Reserves room for a message by its arrival, at `reserved` in the bucket that it returns. */
  reserve(arrival: number): number {
    const ahead = arrival - this.wheelTime
    if ((ahead | 0) !== ahead || ahead > this.mask) return this.reserveFar(arrival)
    const bucket = (this.cursor + ahead) & this.mask
    const at = this.ends[bucket]
    this.ends[bucket] = at + this.stride
    this.reserved = at
    this.inWheel++
    if (at >= this.buckets[bucket].length) this.grow(bucket)
    return bucket
  }

  private reserveFar(arrival: number): number {
    if (this.overflow.full) this.growFar()
    this.reserved = this.overflow.add(arrival)
    return this.far
  }

  /** Visits every message of a kind that is in flight, in no particular order. For observers. */
  each(kind: number, visit: (body: AnyBody) => void): void {
    const look = (bucket: number, at: number) => {
      const data = this.buckets[bucket]
      if ((data[at + TAG] & this.kindMask) !== kind) return
      const objects = this.boxed?.[bucket][at / this.stride].objects ?? NO_OBJECTS
      visit(this.codecs[kind].inspect(data, at + FIELDS, objects))
    }
    for (let bucket = 0; bucket < this.empty; bucket++) {
      const begin = bucket === this.bucket ? this.next : 0
      for (let at = begin; at < this.ends[bucket]; at += this.stride) look(bucket, at)
    }
    this.overflow.each((at) => look(this.far, at))
  }

  /** The bits that `send` would return, for a message that is not put in flight. */
  charge(kind: number, body: AnyBody): number {
    const codec = this.codecs[kind]
    return codec.fixedBits ? 0 : codec.bits(body, this.uidBits)
  }

  /** Delivers at most `most` of the messages that arrive now; returns how many. */
  deliver(receiver: DeliveryTarget, most: number): number {
    let left = most
    while (this.overflow.first === this.now && left > 0) {
      left--
      if (this.deliverFar(receiver) === false) return most - left
    }
    if (this.ends[this.bucket] > 0) left -= this.deliverNear(receiver, left)
    return most - left
  }

  private deliverNear(receiver: DeliveryTarget, most: number): number {
    const { bucket, stride, next } = this
    const data = this.buckets[bucket]
    // A message never arrives at the moment of its sending: the bucket does not grow meanwhile.
    const end = Math.min(this.ends[bucket], next + most * stride)
    // Prefetching a single state gains nothing, and late in a run most buckets have one record.
    const prefetcher = end - next > stride ? receiver.prefetcher : null
    let at = next
    while (at < end && receiver.limitReached === false) {
      let stop = end
      if (prefetcher !== null) {
        if (at >= this.prefetchedTo) this.prefetch(prefetcher, data, at)
        if (this.prefetchedTo < end) stop = this.prefetchedTo
      }
      at = this.arriveAll(receiver, bucket, at, stop)
    }
    const delivered = ((at - next) / stride) | 0
    this.inWheel -= delivered
    this.next = at
    if (at === this.ends[bucket]) {
      this.ends[bucket] = 0
      this.next = 0
    }
    return delivered
  }

  /** Prefetches the states of the next few receivers. */
  private prefetch(prefetcher: Prefetcher, data: Columns, from: number): void {
    const end = Math.min(from + AHEAD * this.stride, this.ends[this.bucket])
    let count = 0
    for (let at = from + TO; at < end; at += this.stride) prefetcher.nodes[count++] = data[at]
    prefetcher.prefetch(count)
    this.prefetchedTo = end
  }

  private prefetchFar(prefetcher: Prefetcher, data: Columns): void {
    const { overflow } = this
    const unseen = overflow.unseen(AHEAD)
    for (let i = 0; i < unseen; i++) prefetcher.nodes[i] = data[overflow.ahead(i) + TO]
    if (unseen > 0) prefetcher.prefetch(unseen)
  }

  private objects(bucket: number, at: number): readonly unknown[] {
    if (this.boxed === null) return NO_OBJECTS
    const { number, objects } = this.boxed[bucket][at / this.stride]
    this.number = number
    return objects
  }

  private enter(bucket: number): void {
    this.bucket = bucket
    this.next = 0
    this.prefetchedTo = 0
  }

  private deliverFar(receiver: DeliveryTarget): boolean {
    const data = this.buckets[this.far]
    const { prefetcher } = receiver
    if (prefetcher !== null) this.prefetchFar(prefetcher, data)
    const at = this.overflow.take()
    this.arriveAll(receiver, this.far, at, at + this.stride)
    return !receiver.limitReached
  }

  /** The records of a bucket arrive, until the limit is reached; returns where the next begins. */
  private arriveAll(receiver: DeliveryTarget, bucket: number, from: number, end: number): number {
    const { onRecords } = receiver
    if (onRecords !== null) return onRecords(receiver as never, this.buckets[bucket], from, end)
    let at = from
    while (at < end) {
      const goOn = this.arrive(receiver, bucket, at)
      at += this.stride
      if (goOn === false) break
    }
    return at
  }

  /** The record in a bucket arrives, decoded. */
  private arrive(receiver: DeliveryTarget, bucket: number, at: number): boolean {
    const data = this.buckets[bucket]
    const tag = data[at + TAG] | 0
    const kind = tag & this.kindMask
    const body = this.dispatch.unpack(kind, data, at + FIELDS, this.objects(bucket, at))
    return receiver.onArrival(data[at + TO] | 0, tag >> this.kindBits, kind, body)
  }

  /**
   * Packs bodies with other fields than 32-bit integers, and numbered messages. A bucket of
   * integers becomes one of float64s at the first value that does not fit.
   */
  private packGeneral(
    bucket: number,
    at: number,
    kind: number,
    body: AnyBody,
    number: number,
  ): number {
    const codec = this.codecs[kind]
    const { uidBits, boxed } = this
    const narrow = this.buckets[bucket] instanceof Int32Array
    if (!narrow || codec.packInt32(body, this.buckets[bucket], at + FIELDS, uidBits) < 0) {
      if (narrow) this.buckets[bucket] = Float64Array.from(this.buckets[bucket])
      codec.pack(body, this.buckets[bucket], at + FIELDS)
    }
    if (boxed !== null)
      boxed[bucket][at / this.stride] = { number, objects: codec.packObjects(body) }
    return this.charge(kind, body)
  }

  private grow(bucket: number): void {
    this.buckets[bucket] = grown(this.buckets[bucket])
  }

  private growFar(): void {
    const { far, stride, boxed } = this
    const data = this.buckets[far]
    const head = this.overflow.grow()
    this.grow(far)
    this.buckets[far].set(data.subarray(head))
    this.buckets[far].set(data.subarray(0, head), data.length - head)
    if (boxed !== null)
      boxed[far] = [...boxed[far].slice(head / stride), ...boxed[far].slice(0, head / stride)]
  }
}
