import type { Algorithm } from '../core/language/algorithm.ts'
import type { GlobalState, Property, Verdict } from '../core/language/problem.ts'

/** A limit of time that is as good as none. */
export const LATEST = Number.MAX_SAFE_INTEGER - 1
/** An algorithm that never falls silent runs for so many of its longest timers. */
const LONGEST_TIMERS = 100

/** No event after a time that is given; or, for runs that never end, after many longest timers. */
export class TimeLimit {
  end: number
  /** No event after this time for now. */
  horizon: number
  /** The longest delay of a timer so far. */
  longestTimer = 0
  private readonly endless: boolean

  constructor({ quiet }: Algorithm, until: number) {
    this.end = until
    this.horizon = until
    this.endless = quiet === 'never' && until >= LATEST
  }

  /** A longer timer is set. */
  lengthen(delay: number): void {
    this.longestTimer = delay
    if (!this.endless) return
    this.end = LONGEST_TIMERS * delay
    this.horizon = this.end
  }
}

/** A property that may be broken for a time at a stretch, but no longer. */
export class Deadline {
  /** Since when it is broken in the same way, and how; or since when it holds. */
  private since = 0
  private broken: string | null = null
  private limit: number | null = null
  private violation: { readonly from: number; readonly to: number; readonly how: string } | null =
    null

  /** The clocks of nodes may be slow by `drift`, and so may be what they do. */
  constructor(
    readonly property: Property,
    private readonly drift: number,
  ) {}

  observe(state: GlobalState, at: number): void {
    this.passes(at)
    const broken = this.property.broken(state)
    if (broken === this.broken) return
    this.since = at
    this.broken = broken
    this.limit = broken === null ? null : this.limitIn(state)
  }

  private limitIn(state: GlobalState): number | null {
    const limit = this.property.within?.(state) ?? null
    return limit === null ? null : limit * (1 + this.drift)
  }

  /** Whether it was broken for too long. */
  get exceeded(): boolean {
    return this.violation !== null
  }

  /** Time has passed in which nothing changed. */
  private passes(to: number): void {
    if (this.broken === null || this.limit === null) return
    if (this.violation === null && to - this.since > this.limit)
      this.violation = { from: this.since, to, how: this.broken }
  }

  /** The verdict at the end of a run; `slow` says why it is not promised in this world. */
  verdict(
    state: GlobalState,
    stop: RunStop | null,
    slow: (limit: number) => string | null,
    moment: (at: number) => string,
  ): Verdict {
    const { name, says = name } = this.property
    this.observe(state, stop?.at ?? Number.MAX_SAFE_INTEGER)
    if (this.violation === null) return { name, holds: true, detail: says }
    const { from, to, how } = this.violation
    const end = to === Number.MAX_SAFE_INTEGER ? 'to the end' : `to ${to}`
    const detail = `${moment(from)} ${end}: ${how}`
    const excuse = slow(this.limitIn(state) ?? 0)
    if (excuse === null) return { name, holds: false, detail }
    return { name, holds: null, detail: `${detail}; not promised where ${excuse}` }
  }
}

/** Where a limit has stopped a run: the time, and the longest timer that was set in it. */
export interface RunStop {
  readonly at: number
  readonly longestTimer: number
  /** Set where nodes meet: what is broken may still come to hold, however long it took so far. */
  readonly meeting?: true
}

/** Since when a property holds that must hold from some time on. */
export class Stability {
  /** When it began to hold; null while it is broken. */
  since: number | null = null
  /** When it last began or ceased to hold. */
  private changed: number
  private broken: string | null = null

  constructor(
    readonly property: Property,
    firstMoment: number,
  ) {
    this.changed = firstMoment
  }

  observe(state: GlobalState, at: number): void {
    this.broken = this.property.broken(state)
    if ((this.broken === null) === (this.since !== null)) return
    this.changed = at
    this.since = this.broken === null ? at : null
  }

  /**
   * The verdict at the end of a run; `stop` is null where the run is quiet. What holds from some
   * time to the end holds. What is broken at the end is not decided where it was broken so late
   * that a timer of that time may not have fired yet.
   */
  verdict(stop: RunStop | null, moment: (at: number) => string): Verdict {
    const { name } = this.property
    const { since, changed, broken } = this
    const early = stop !== null && stop.at - changed < stop.longestTimer
    const end = `the run ended at ${moment(stop?.at ?? 0)}`
    const soon = `less than the longest timer (${stop?.longestTimer}) later`
    if (since !== null) {
      const stable = `stable since ${moment(since)}`
      return { name, holds: true, detail: early ? `${stable}; ${end}, ${soon}` : stable }
    }
    if (early) {
      const detail = `not decided: broken since ${moment(changed)}, and ${end}, ${soon}; run longer`
      return { name, holds: null, detail }
    }
    if (stop?.meeting) {
      const detail = `not decided: ${broken} when the run ended at ${moment(stop.at)}; run longer`
      return { name, holds: null, detail }
    }
    return { name, holds: false, detail: `${broken ?? 'never'}, since ${moment(changed)}` }
  }
}
