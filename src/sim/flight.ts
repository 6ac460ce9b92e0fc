import { ceilLog2 } from '../core/logarithm.ts'
import type { AnyBody, Packing } from '../core/packing.ts'
import type { World } from '../core/world.ts'
import { Arrivals } from './arrivals.ts'
import { type Conditions, largestDelay } from './conditions.ts'
import { Moments } from './moments.ts'
import { FIELDS, KIND, LINK, Records, TO } from './records.ts'

const MAX_WHEEL = 1 << 16

/**
 * Messages between being sent and being received. Those that arrive soon and at a whole time lie in
 * a wheel of buckets, one per time unit, in order of sending: written and read front to back, memory
 * is always ready with them. The others have a priority queue. What waits there for some moment was
 * sent before anything that the wheel holds for it, since only far arrivals go there.
 */
export class Flight {
  private now = 0
  /** The last whole moment, and its place in the wheel. */
  private wheelTime = 0
  private cursor = 0
  private readonly mask: number
  private readonly wheel: readonly Records[]
  private inWheel = 0
  /** What arrives now, and where the next of it lies. */
  private bucket: Records
  private next = 0
  /** What arrives between whole moments by the wheel: nothing. */
  private readonly nothing: Records

  private readonly due = new Moments()
  private readonly far: Records
  /** Places in `far` that may be used again. */
  private readonly free: number[] = []

  /** Where the message lies that arrived last. */
  private records: Records
  private at = 0

  private readonly stride: number
  private readonly arrivals: Arrivals
  private readonly packings: readonly Packing[]

  constructor(
    { algorithm, topology }: World,
    conditions: Conditions,
    /** Whether messages keep their numbers, for a trace. */
    private readonly numbered: boolean,
  ) {
    this.arrivals = new Arrivals(conditions, topology.channels)
    this.packings = algorithm.kinds.map((kind) => kind.packing)
    const width = Math.max(...this.packings.map((packing) => packing.width))
    this.stride = FIELDS + width + (numbered ? 1 : 0)
    const narrow = this.packings.every((packing) => packing.whole)
    const longest = largestDelay(conditions.delay)
    const buckets = longest < MAX_WHEEL ? 2 ** ceilLog2(Math.ceil(longest) + 1) : 1
    this.mask = buckets - 1
    this.wheel = Array.from({ length: buckets }, () => new Records(this.stride, narrow))
    this.nothing = new Records(this.stride, narrow)
    this.far = new Records(this.stride, narrow)
    this.bucket = this.wheel[0]
    this.records = this.bucket
  }

  /** The earliest arrival; Infinity when nothing is in flight. */
  get first(): number {
    if (this.inWheel === 0) return this.due.first
    let ahead = 0
    while (this.wheel[(this.cursor + ahead) & this.mask].end === 0) ahead++
    return Math.min(this.due.first, this.wheelTime + ahead)
  }

  /** Moves on to a later moment, not beyond the earliest arrival. */
  advance(now: number): void {
    const ticks = Math.floor(now) - this.wheelTime
    this.now = now
    this.wheelTime += ticks
    this.cursor = this.inWheel === 0 ? 0 : (this.cursor + ticks) & this.mask
    this.bucket = this.wheelTime === now ? this.wheel[this.cursor] : this.nothing
    this.next = 0
  }

  /** Puts a message in flight, over a channel, to the end that knows it as `link`. */
  send(
    kind: number,
    body: AnyBody,
    to: number,
    link: number,
    channel: number,
    number: number,
  ): void {
    const arrival = this.arrivals.next(channel, this.now)
    const ahead = arrival - this.wheelTime
    if ((ahead | 0) === ahead && ahead <= this.mask) {
      const records = this.wheel[(this.cursor + ahead) & this.mask]
      this.write(records, records.append(), kind, body, to, link, number)
      this.inWheel++
    } else {
      const at = this.free.pop() ?? this.far.append()
      this.write(this.far, at, kind, body, to, link, number)
      this.due.add(arrival, at)
    }
  }

  /** Takes the next message that arrives now; false when there is none. */
  arrive(): boolean {
    if (this.due.size > 0 && this.due.first === this.now) {
      this.records = this.far
      this.at = this.due.take()
      this.free.push(this.at)
      return true
    }
    const { bucket, next } = this
    if (next === bucket.end) {
      bucket.end = 0
      this.next = 0
      return false
    }
    this.records = bucket
    this.at = next
    this.next = next + this.stride
    this.inWheel--
    return true
  }

  /* The message that arrived last. Its body is valid until the next one is asked for. */

  get to(): number {
    return this.records.data[this.at + TO]
  }

  get link(): number {
    return this.records.data[this.at + LINK]
  }

  get kind(): number {
    return this.records.data[this.at + KIND]
  }

  get number(): number {
    return this.numbered ? this.records.data[this.at + this.stride - 1] : 0
  }

  get body(): AnyBody {
    const { records, at } = this
    const objects = records.objects[at / this.stride]
    return this.packings[this.kind].unpack(records.data, at + FIELDS, objects)
  }

  private write(
    records: Records,
    at: number,
    kind: number,
    body: AnyBody,
    to: number,
    link: number,
    number: number,
  ): void {
    const { data } = records
    const packing = this.packings[kind]
    if (!packing.pack(body, data, at + FIELDS) && data instanceof Int32Array) {
      records.widen()
      this.write(records, at, kind, body, to, link, number)
      return
    }
    data[at + TO] = to
    data[at + LINK] = link
    data[at + KIND] = kind
    if (packing.hasObjects) records.objects[at / this.stride] = packing.packObjects(body)
    if (this.numbered) data[at + this.stride - 1] = number
  }
}
