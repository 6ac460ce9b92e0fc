import type { LinkOrder } from '../options.ts'
import { Interner } from './interner.ts'

/** One direction of one link. */
export interface Route {
  readonly from: number
  /** The sender's link number; `in` is the receiver's. */
  readonly out: number
  readonly to: number
  readonly in: number
}

/** A message that may be delivered, and the content of the channel without it. */
export interface Removal {
  readonly message: number
  readonly rest: number
}

/** A message in flight, and the content of the channel after its loss or duplication. */
export interface InFlightMessage {
  readonly message: number
  /** The number of equal messages in the channel that were sent before it. */
  readonly before: number
  readonly lost: number
  readonly duplicated: number
}

/** The order and the delays of messages. */
export interface ChannelOptions {
  readonly order: LinkOrder
  /** The largest delay in units of time, at least 1, or Infinity; null without a clock. */
  readonly maxDelay: number | null
}

/**
 * Interns the contents of one channel, or of several that share the numbers. Content 0 is the empty
 * channel. A message and its age are encoded in one number. Without FIFO order the content is a
 * multiset, kept sorted. On a lossy link it is the set of all messages that were ever sent, since
 * each may arrive again.
 */
export class ChannelTable {
  private readonly contents: Interner<readonly number[]>
  private readonly appended: number[][]
  private readonly removals: (readonly Removal[])[]
  private readonly agedContents: number[]
  private readonly inFlightMessages: (readonly InFlightMessage[])[]
  /** The number of different ages. */
  private readonly ages: number

  constructor(
    readonly route: Route,
    private readonly options: ChannelOptions,
    /** A channel whose numbers it shares. */
    twin?: ChannelTable,
  ) {
    const { maxDelay } = options
    this.contents = twin?.contents ?? new Interner()
    this.appended = twin?.appended ?? []
    this.removals = twin?.removals ?? []
    this.agedContents = twin?.agedContents ?? []
    this.inFlightMessages = twin?.inFlightMessages ?? []
    // Without a largest delay it only matters whether a message was sent just now.
    this.ages = maxDelay === null ? 1 : maxDelay === Number.POSITIVE_INFINITY ? 2 : maxDelay + 1
    this.intern([])
  }

  /** The interned contents, by number. */
  get list(): readonly unknown[] {
    return this.contents.list
  }

  append(content: number, message: number): number {
    this.appended[content] ??= []
    const row = this.appended[content]
    const items = this.contents.list[content]
    const known = this.lossy && items.includes(message)
    row[message] ??= known ? content : this.intern([...items, message * this.ages])
    return row[message]
  }

  /** The first message, or any message without FIFO order; with a clock not at its send time. */
  deliverable(content: number): readonly Removal[] {
    this.removals[content] ??= this.removalsOf(this.contents.list[content])
    return this.removals[content]
  }

  /** All messages in the channel, on FIFO links the oldest first. */
  messages(content: number): readonly number[] {
    return this.contents.list[content].map((item) => this.messageOf(item))
  }

  mayDeliver(content: number): boolean {
    return this.deliverable(content).length > 0
  }

  /** Whether a message has reached the largest delay and must be delivered now. */
  overdue(content: number): boolean {
    const { maxDelay } = this.options
    return this.contents.list[content].some((item) => item % this.ages === maxDelay)
  }

  /** The content one unit of time later. A message that waits for a paused node ages no more. */
  aged(content: number): number {
    this.agedContents[content] ??= this.intern(
      this.contents.list[content].map((item) => ((item + 1) % this.ages === 0 ? item : item + 1)),
    )
    return this.agedContents[content]
  }

  /** Every message in the channel. A duplicate is delivered before later messages. */
  inFlight(content: number): readonly InFlightMessage[] {
    this.inFlightMessages[content] ??= this.inFlightIn(this.contents.list[content])
    return this.inFlightMessages[content]
  }

  /** Among adjacent equal messages it makes no difference which is lost or duplicated. */
  private inFlightIn(items: readonly number[]): InFlightMessage[] {
    return items.flatMap((item, i) => {
      if (items[i + 1] === item) return []
      const message = this.messageOf(item)
      // In the sorted multiset the oldest of equal messages comes last.
      const earlier = this.options.order === 'fifo' ? items.slice(0, i) : items.slice(i + 1)
      return {
        message,
        before: earlier.filter((other) => this.messageOf(other) === message).length,
        lost: this.intern(items.toSpliced(i, 1)),
        duplicated: this.intern(items.toSpliced(i, 0, item)),
      }
    })
  }

  private get lossy(): boolean {
    return this.options.order === 'lossy'
  }

  private messageOf(item: number): number {
    return Math.floor(item / this.ages)
  }

  private removalsOf(items: readonly number[]): Removal[] {
    const candidates = this.options.order === 'fifo' ? items.slice(0, 1) : [...new Set(items)]
    const ready = candidates.filter(
      (item) => this.options.maxDelay === null || item % this.ages > 0,
    )
    return ready.map((item) => ({
      message: this.messageOf(item),
      rest: this.intern(this.lossy ? items : items.toSpliced(items.indexOf(item), 1)),
    }))
  }

  private intern(items: readonly number[]): number {
    const content = this.options.order === 'fifo' ? items : items.toSorted((a, b) => a - b)
    return this.contents.intern(content.join(), content)
  }
}
