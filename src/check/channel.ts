import { linksOf } from '../core/topology.ts'
import type { World } from '../core/world.ts'
import { Numbering } from './numbering.ts'

/** One direction of one link. */
export interface Route {
  readonly from: number
  /** The sender's number for the link, and the receiver's. */
  readonly out: number
  readonly to: number
  readonly in: number
}

/** A message that may arrive next, and what is then left in the channel. */
export interface Take {
  readonly message: number
  readonly rest: number
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
export class Channel {
  private readonly contents = new Numbering<readonly number[]>()
  private readonly appended: number[][] = []
  private readonly takes: (readonly Take[])[] = []
  private readonly older: number[] = []
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
  next(content: number): readonly Take[] {
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

  private takesOf(items: readonly number[]): Take[] {
    const candidates = this.travel.order === 'fifo' ? items.slice(0, 1) : [...new Set(items)]
    const ripe = candidates.filter((item) => this.travel.longest === null || item % this.ages > 0)
    return ripe.map((item) => ({
      message: Math.floor(item / this.ages),
      rest: this.numberOf(items.toSpliced(items.indexOf(item), 1)),
    }))
  }

  private numberOf(items: readonly number[]): number {
    const bag = this.travel.order === 'fifo' ? items : items.toSorted((a, b) => a - b)
    return this.contents.of(bag.join(), bag)
  }
}

/** Every channel of the network, by its number. */
export function channelsOf({ topology }: World, travel: Travel): Channel[] {
  const channels: Channel[] = []
  for (let from = 0; from < topology.n; from++)
    for (const out of linksOf(topology, from)) {
      const route = { from, out, to: topology.neighbor(from, out), in: topology.back(from, out) }
      channels[topology.channel(from, out)] = new Channel(route, travel)
    }
  return channels
}
