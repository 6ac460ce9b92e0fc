import type { Algorithm } from '../core/language/algorithm.ts'
import type { GlobalState, Property, Verdict } from '../core/language/problem.ts'

/** A limit of time that is as good as none. */
const LATEST = Number.MAX_SAFE_INTEGER - 1
/** An algorithm that never falls silent runs for so many of its longest timers. */
const LONGEST_TIMERS = 100

/** No event after a time that is given; or, for runs that never end, after many longest timers. */
export class TimeLimit {
  end: number
  /** The longest delay of a timer so far. */
  longestTimer = 0
  private readonly endless: boolean

  constructor({ quiet }: Algorithm, until: number) {
    this.end = until
    this.endless = quiet === 'never' && until >= LATEST
  }

  /** A longer timer is set; returns whether the end has moved. */
  lengthen(delay: number): boolean {
    this.longestTimer = delay
    if (this.endless) this.end = LONGEST_TIMERS * delay
    return this.endless
  }
}

/** Where a limit has stopped a run: the time, and the longest timer that was set in it. */
export interface RunStop {
  readonly at: number
  readonly longestTimer: number
}

/** Since when a property holds that must hold from some time on. */
export class Stability {
  /** When it began to hold; null while it is broken. */
  since: number | null = null
  /** When it last began or ceased to hold. */
  private changed = 0
  private broken: string | null = null

  constructor(readonly property: Property) {}

  observe(state: GlobalState, at: number): void {
    this.broken = this.property.broken(state)
    if ((this.broken === null) === (this.since !== null)) return
    this.changed = at
    this.since = this.broken === null ? at : null
  }

  /**
   * The verdict at the end of a run; `stop` is null where the run is quiet. It is not decided where
   * it changed so late that a timer of that time may not have fired yet.
   */
  verdict(stop: RunStop | null, moment: (at: number) => string): Verdict {
    const { name } = this.property
    const { since, changed, broken } = this
    const early = stop !== null && stop.at - changed < stop.longestTimer
    if (early) {
      const what = since === null ? `broken since ${moment(changed)}` : this.words(moment)
      const end = `the run ended at ${moment(stop.at)}`
      const why = `less than the longest timer (${stop.longestTimer}) later; run longer`
      return { name, holds: null, detail: `not decided: ${what}, and ${end}, ${why}` }
    }
    if (since !== null) return { name, holds: true, detail: this.words(moment) }
    return { name, holds: false, detail: `${broken ?? 'never'}, since ${moment(changed)}` }
  }

  private words(moment: (at: number) => string): string {
    return `stable since ${moment(this.since ?? 0)}`
  }
}
