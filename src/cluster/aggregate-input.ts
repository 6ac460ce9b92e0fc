import type { NodeInput } from '../core/language/aggregate.ts'
import type { Link } from '../core/language/net.ts'
import { UsageError } from '../core/usage-error.ts'
import type { NodeOptions } from './node/node-options.ts'

/** The input of a member to an aggregation. */
export interface AggregateSource {
  /** Reads its value: when an epoch begins, and in every period where estimates evaporate. */
  readonly value: () => number
  /** The position that holds the 1 of a count; 0 by default, and the next one while it is down. */
  readonly leader?: number
}

/** The input as handlers see it: read on demand, at most once in an event. */
export class AggregateInput implements NodeInput {
  private last: number
  private read = true
  /** Why the last value could not be used; logged once. */
  private problem = ''

  constructor(
    private readonly source: AggregateSource,
    private readonly options: NodeOptions,
    private readonly up: (link: Link) => boolean,
  ) {
    this.last = this.current()
  }

  /** A new event begins: the value is read again. */
  expire(): void {
    this.read = false
  }

  /** The last valid value, if the present one cannot be read or is not valid. */
  get value(): number {
    if (this.read) return this.last
    this.read = true
    try {
      this.last = this.current()
      this.problem = ''
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (why !== this.problem)
        this.options.log?.(`${why} The last value, ${this.last}, is used instead.`)
      this.problem = why
    }
    return this.last
  }

  /** Its index among the members that hold a 1: the first that are up, from the leader on. */
  get chosen(): number {
    const { algorithm, position, n, neighbours = new Map<Link, number>() } = this.options
    const { leader = 0 } = this.source
    const distance = (of: number) => (of - leader + n) % n
    const own = distance(position)
    const down = [...neighbours].filter(([link, there]) => distance(there) < own && !this.up(link))
    const index = own - down.length
    return index < algorithm.computes!.aggregate.chosen ? index : -1
  }

  /** Replaces the input in a state. */
  into<S extends object>(state: S): S {
    return Object.defineProperties(state, {
      value: { get: () => this.value, enumerable: true },
      chosen: { get: () => this.chosen, enumerable: true },
    })
  }

  private current(): number {
    const { algorithm, position } = this.options
    const { accepts, domain = 'a finite number' } = algorithm.computes!.aggregate
    const value: unknown = this.source.value()
    if (Number.isFinite(value) && accepts?.(value as number) !== false) return value as number
    throw new UsageError(
      `position ${position}`,
      `${algorithm.name} needs ${domain}, but the value is ${value}.`,
      'Return another value.',
    )
  }
}
