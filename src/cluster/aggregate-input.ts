import type { NodeInput } from '../core/language/aggregate.ts'
import type { Link } from '../core/language/net.ts'
import { UsageError } from '../core/usage-error.ts'
import type { MemberOptions } from './member-options.ts'

/** What a member brings to an aggregation. */
export interface AggregateSource {
  /** Its value as it is then: read when an epoch begins, and wherever estimates evaporate. */
  readonly value: () => number
  /** The position that holds the 1 of a count, 0 by default; while it is down the next one does. */
  readonly leader?: number
}

/** What handlers see of it: read when they ask, and at most once in an event. */
export class AggregateInput implements NodeInput {
  private last: number
  private read = true
  /** Why the last one could not be used, to be told once. */
  private trouble = ''

  constructor(
    private readonly offer: AggregateSource,
    private readonly options: MemberOptions,
    private readonly up: (link: Link) => boolean,
  ) {
    this.last = this.current()
  }

  /** A new event: who asks from now on is told what is true then. */
  expire(): void {
    this.read = false
  }

  /** A value that cannot be read, or cannot be used, leaves the last one as it is. */
  get value(): number {
    if (this.read) return this.last
    this.read = true
    try {
      this.last = this.current()
      this.trouble = ''
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (why !== this.trouble) this.options.log?.(`${why} It goes on with ${this.last}.`)
      this.trouble = why
    }
    return this.last
  }

  /** Its number among those that hold a 1: the first of the living, from the leader on. */
  get chosen(): number {
    const { algorithm, position, n, neighbours = new Map<Link, number>() } = this.options
    const { leader = 0 } = this.offer
    const distance = (of: number) => (of - leader + n) % n
    const own = distance(position)
    const gone = [...neighbours].filter(([link, there]) => distance(there) < own && !this.up(link))
    const place = own - gone.length
    return place < algorithm.computes!.aggregate.chosen ? place : -1
  }

  /** Puts it in place of what a state was given. */
  into<S extends object>(state: S): S {
    return Object.defineProperties(state, {
      value: { get: () => this.value, enumerable: true },
      chosen: { get: () => this.chosen, enumerable: true },
    })
  }

  private current(): number {
    const { algorithm, position } = this.options
    const { accepts, domain = 'a finite number' } = algorithm.computes!.aggregate
    const value: unknown = this.offer.value()
    if (Number.isFinite(value) && accepts?.(value as number) !== false) return value as number
    throw new UsageError(
      `position ${position}`,
      `${algorithm.name} needs ${domain}, but its value is ${value}.`,
      'Bring another.',
    )
  }
}
