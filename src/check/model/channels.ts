import { Interner } from './interner.ts'

/** One direction of one link. */
export interface Route {
  readonly from: number
  /** The sender's number for the link, and the receiver's. */
  readonly out: number
  readonly to: number
  readonly in: number
}

/** A message that may arrive next, and what is then left in the channel. */
export interface Removal {
  readonly message: number
  readonly rest: number
}

/** A message in flight, and what the channel holds once the network has lost or doubled it. */
export interface InFlightMessage {
  readonly message: number
  /** How many equal messages in the channel were sent before it. */
  readonly before: number
  readonly lost: number
  readonly doubled: number
}

/** How messages travel. */
export interface Travel {
  readonly order: 'fifo' | 'any'
  /** The most time that a message may take, at least one unit; null where time does not count. */
  readonly longest: number | null
}

/**
 * What one channel was seen to hold, numbered; number 0 is nothing. A message in it is written as
 * one number, its own and its age together. Under `any` the content is a bag, kept sorted.
 */
export class ChannelTable {
  private readonly contents = new Interner<readonly number[]>()
  private readonly appended: number[][] = []
  private readonly takes: (readonly Removal[])[] = []
  private readonly older: number[] = []
  private readonly parcels: (readonly InFlightMessage[])[] = []
  /** How many ages there are to tell apart. */
  private readonly ages: number

  constructor(
    readonly route: Route,
    private readonly travel: Travel,
  ) {
    this.ages = travel.longest === null ? 1 : travel.longest + 1
    this.numberOf([])
  }

  /** How many contents were seen. */
  get seen(): number {
    return this.contents.list.length
  }

  append(content: number, message: number): number {
    this.appended[content] ??= []
    const row = this.appended[content]
    row[message] ??= this.numberOf([...this.contents.list[content], message * this.ages])
    return row[message]
  }

  /** What may arrive now: the first message, or any; where time counts, not when it is sent. */
  next(content: number): readonly Removal[] {
    this.takes[content] ??= this.takesOf(this.contents.list[content])
    return this.takes[content]
  }

  /** Whether a message has travelled for the longest time and must arrive now. */
  overdue(content: number): boolean {
    const { longest } = this.travel
    return this.contents.list[content].some((item) => item % this.ages === longest)
  }

  /** The same content one unit of time later. */
  aged(content: number): number {
    this.older[content] ??= this.numberOf(this.contents.list[content].map((item) => item + 1))
    return this.older[content]
  }

  /** Every message in the channel. A copy of one arrives before what was sent after it. */
  inFlight(content: number): readonly InFlightMessage[] {
    this.parcels[content] ??= this.parcelsOf(this.contents.list[content])
    return this.parcels[content]
  }

  /** Of equal messages side by side it makes no difference which one is lost or doubled. */
  private parcelsOf(items: readonly number[]): InFlightMessage[] {
    return items.flatMap((item, i) => {
      if (items[i + 1] === item) return []
      const message = this.messageOf(item)
      // In a bag the oldest of equal messages comes last.
      const earlier = this.travel.order === 'fifo' ? items.slice(0, i) : items.slice(i + 1)
      return {
        message,
        before: earlier.filter((other) => this.messageOf(other) === message).length,
        lost: this.numberOf(items.toSpliced(i, 1)),
        doubled: this.numberOf(items.toSpliced(i, 0, item)),
      }
    })
  }

  private messageOf(item: number): number {
    return Math.floor(item / this.ages)
  }

  private takesOf(items: readonly number[]): Removal[] {
    const candidates = this.travel.order === 'fifo' ? items.slice(0, 1) : [...new Set(items)]
    const ripe = candidates.filter((item) => this.travel.longest === null || item % this.ages > 0)
    return ripe.map((item) => ({
      message: this.messageOf(item),
      rest: this.numberOf(items.toSpliced(items.indexOf(item), 1)),
    }))
  }

  private numberOf(items: readonly number[]): number {
    const bag = this.travel.order === 'fifo' ? items : items.toSorted((a, b) => a - b)
    return this.contents.of(bag.join(), bag)
  }
}
