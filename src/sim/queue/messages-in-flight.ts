import { uidBits, type World } from '../../core/language/world.ts'
import { ceilLog2 } from '../../core/numbers.ts'
import { grown } from '../../core/runtime/growable-array.ts'
import type {
  AnyBody,
  CodecDispatch,
  Columns,
  MessageCodec,
} from '../../core/runtime/message-codec.ts'
import type { Arrivals } from './arrivals.ts'

/** A record: the receiver, a tag (its link and the message kind), the fields of the body. */
export const TO = 0
export const TAG = 1
export const FIELDS = 2
const FIRST_RECORDS = 4
const NO_OBJECTS: readonly unknown[] = []

/** Receives the messages that arrive. */
export interface DeliveryTarget {
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
 * The messages between sending and receipt, as records of equal size in buckets: growable columns,
 * one for each moment of arrival, in order of sending. They are written and read front to back,
 * which suits the cache. A subclass finds the bucket of an arrival, and the next one that arrives.
 */
export abstract class MessagesInFlight {
  now = 0
  protected readonly buckets: Columns[] = []
  protected ends: Int32Array = new Int32Array(4)
  /** A bucket that stays empty, the present one while no message arrives from a bucket. */
  protected abstract readonly empty: number
  /** The number of messages in the buckets. */
  protected inBuckets = 0
  /** The bucket of the messages that arrive now, and where its next record begins. */
  private bucket = 0
  private next = 0
  /** Where the record begins for which room was reserved last. */
  protected reserved = 0

  /** The number of the last delivered message, where messages are numbered. */
  number = 0

  protected readonly stride: number
  private readonly kindBits: number
  private readonly kindMask: number
  private readonly uidBits: number
  /** Whether packed fields are whole numbers, which go into columns of 32-bit integers. */
  private readonly integers: boolean
  /** Whether all fields go into columns of integers, unless a value turns out too large. */
  private readonly int32: boolean
  /** Whether all fields go into columns of float64s, and all bodies are charged the same. */
  private readonly float64: boolean
  private readonly codecs: readonly MessageCodec[]
  private readonly dispatch: CodecDispatch
  /** By bucket and record; null where all fields go into columns. */
  private readonly boxed: BoxedFields[][] | null

  /** With `numbered`, messages keep their numbers. */
  constructor(
    world: World,
    readonly arrivals: Arrivals,
    numbered: boolean,
  ) {
    const { algorithm } = world
    this.uidBits = uidBits(world)
    this.codecs = algorithm.kinds.map((kind) => kind.codec)
    this.dispatch = algorithm.codecs
    this.stride = FIELDS + Math.max(0, ...this.codecs.map((codec) => codec.width))
    this.kindBits = ceilLog2(algorithm.kinds.length)
    this.kindMask = (1 << this.kindBits) - 1
    this.integers = this.codecs.every((codec) => codec.integers)
    const hasObjects = this.codecs.some((codec) => codec.hasObjects)
    this.boxed = numbered || hasObjects ? [] : null
    this.int32 = this.integers && this.boxed === null
    this.float64 =
      !this.integers && this.boxed === null && this.codecs.every(({ fixedBits }) => fixedBits)
  }

  /** The earliest arrival; Infinity when nothing is in flight. */
  abstract readonly first: number

  /** Advances to the next arrival if that is before `before` and not after `last`. */
  abstract advanceToNext(before: number, last: number): boolean

  /** Advances to a later moment, not beyond the earliest arrival. */
  abstract advance(now: number): void

  /** Reserves room for a message by its arrival, at `reserved` in the bucket that it returns. */
  abstract reserve(arrival: number): number

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

  /** Whether a message of the present bucket is still to be delivered. */
  protected get isArriving(): boolean {
    return this.ends[this.bucket] > 0
  }

  /** Visits every message of a kind that is in flight, in no particular order. For observers. */
  each(kind: number, visit: (body: AnyBody) => void): void {
    for (let bucket = 0; bucket < this.buckets.length; bucket++) {
      const begin = bucket === this.bucket ? this.next : 0
      for (let at = begin; at < this.ends[bucket]; at += this.stride)
        this.look(kind, bucket, at, visit)
    }
  }

  /** Visits the message of a record if it is of that kind. */
  protected look(kind: number, bucket: number, at: number, visit: (body: AnyBody) => void): void {
    const data = this.buckets[bucket]
    if ((data[at + TAG] & this.kindMask) !== kind) return
    const objects = this.boxed?.[bucket][at / this.stride].objects ?? NO_OBJECTS
    visit(this.codecs[kind].inspect(data, at + FIELDS, objects))
  }

  /** The bits that `send` would return, for a message that is not put in flight. */
  charge(kind: number, body: AnyBody): number {
    const codec = this.codecs[kind]
    return codec.fixedBits ? 0 : codec.bits(body, this.uidBits)
  }

  /** Delivers at most `most` of the messages that arrive now; returns how many. */
  deliver(receiver: DeliveryTarget, most: number): number {
    const { bucket, stride, next } = this
    if (!this.isArriving) return 0
    // A message never arrives at the moment of its sending: the bucket does not grow meanwhile.
    const end = Math.min(this.ends[bucket], next + most * stride)
    let at = next
    while (at < end && receiver.limitReached === false)
      at = this.arriveAll(receiver, bucket, at, end)
    const delivered = ((at - next) / stride) | 0
    this.inBuckets -= delivered
    this.next = at
    if (at === this.ends[bucket]) this.close(bucket)
    return delivered
  }

  /** All messages of the present bucket were delivered. */
  protected close(bucket: number): void {
    this.ends[bucket] = 0
    this.enter(this.empty)
  }

  private objects(bucket: number, at: number): readonly unknown[] {
    if (this.boxed === null) return NO_OBJECTS
    const { number, objects } = this.boxed[bucket][at / this.stride]
    this.number = number
    return objects
  }

  protected enter(bucket: number): void {
    this.bucket = bucket
    this.next = 0
  }

  /** The records of a bucket arrive, until the limit is reached; returns where the next begins. */
  protected arriveAll(receiver: DeliveryTarget, bucket: number, from: number, end: number): number {
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

  /** Adds an empty bucket with room for some records and returns its number. */
  protected addBucket(records = FIRST_RECORDS): number {
    const { buckets, stride } = this
    if (buckets.length === this.ends.length) this.ends = grown(this.ends)
    this.boxed?.push([])
    const room = records * stride
    return buckets.push(this.integers ? new Int32Array(room) : new Float64Array(room)) - 1
  }

  /** Reserves room at the end of a bucket. */
  protected extend(bucket: number): void {
    const at = this.ends[bucket]
    this.ends[bucket] = at + this.stride
    this.reserved = at
    this.inBuckets++
    if (at >= this.buckets[bucket].length) this.grow(bucket)
  }

  protected grow(bucket: number): void {
    this.buckets[bucket] = grown(this.buckets[bucket])
  }
}
