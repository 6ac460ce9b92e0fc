import type { Status } from '../../core/runtime/state.ts'
import type { Clock, TimerHandle } from '../clock.ts'
import type { NodeOutcome } from './node-options.ts'
import type { TimerSetting } from './timers.ts'

/** The steps of `elapsed` where a clock does not say it: those of `os.uptime`. */
const CLOCK_STEP_MAX = 10
/** Rounding errors of clocks that count in fractions. */
const ROUNDING = 0.001

/**
 * The milliseconds that are left of a setting, by both clocks. A suspended machine may have a `now`
 * that stood still, so the time that `elapsed` has run further is subtracted. Its steps are coarse:
 * two readings may hide almost one step each way, so the result errs towards too little. Where
 * `elapsed` is a wall clock that was set back, nothing is left: it could hide a suspension.
 */
export function timeLeft({ due, ahead }: TimerSetting, clock: Clock): number {
  const { resolution = CLOCK_STEP_MAX } = clock
  const now = clock.now()
  const suspended = clock.elapsed() - now - ahead
  if (suspended < -resolution - ROUNDING) return 0
  return Math.max(0, due - now - Math.max(0, suspended + resolution))
}

/** An outcome, and the setting at which it ends if it is a bound leadership. */
interface BoundOutcome extends NodeOutcome {
  readonly bound: TimerSetting | null
}

/**
 * The outcome of a node. Handlers change it at once; outside it begins to hold when `publish` is
 * called, but an end of leadership always holds at once.
 */
export class Leadership {
  /** The bound as handlers know it; null where there is none. */
  private bound: TimerSetting | null = null
  private watch: TimerHandle | null = null
  private effective: BoundOutcome
  /** How often handlers ended a leadership: one that has not begun outside never does then. */
  private ends = 0
  private closed = false

  constructor(
    private readonly clock: Clock,
    initial: NodeOutcome,
    /** The bound may be over: the node has to look. */
    private readonly look: () => void,
  ) {
    this.effective = { ...initial, bound: null }
  }

  /** The outcome that holds at this moment. That a node has woken needs no commit. */
  outcome(present: Status): NodeOutcome {
    const { leader, stopped, term, bound } = this.effective
    const woken = this.effective.status === 'asleep' && present !== 'asleep'
    const status = woken ? 'unknown' : this.effective.status
    return bound !== null && timeLeft(bound, this.clock) <= 0
      ? { status: 'unknown', leader: null, stopped, term: null }
      : { status, leader, stopped, term }
  }

  /** The milliseconds for which the node leads if nothing prolongs it; 0 where it does not lead. */
  get remaining(): number {
    const { status, bound } = this.effective
    if (status !== 'leader' || this.closed) return 0
    return bound === null ? Number.POSITIVE_INFINITY : timeLeft(bound, this.clock)
  }

  /** Whether the leadership has run out, and the handlers do not know it. */
  get isOver(): boolean {
    return this.bound !== null && timeLeft(this.bound, this.clock) <= 0
  }

  /** A handler changed the outcome; returns what makes it hold outside. */
  change(next: NodeOutcome, bound: TimerSetting | null): () => void {
    this.bound = bound
    this.watchBound()
    const { status, term } = this.effective
    const leads = next.status === 'leader'
    if (!leads) this.ends++
    if (status === 'leader' && (!leads || next.term !== term))
      this.effective = { ...OPEN, stopped: next.stopped }
    const { ends } = this
    return () => {
      if (!leads || ends === this.ends) this.effective = { ...next, bound }
    }
  }

  /** What handlers have done, to be undone if one fails. */
  save(): readonly [TimerSetting | null, BoundOutcome] {
    return [this.bound, this.effective]
  }

  restore([bound, effective]: readonly [TimerSetting | null, BoundOutcome]): void {
    this.bound = bound
    this.effective = effective
    this.watchBound()
  }

  close(): void {
    this.closed = true
    this.bound = null
    this.watchBound()
    const { bound, stopped } = this.effective
    if (bound !== null) this.effective = { ...OPEN, stopped }
  }

  /** The application need not ask: a timer looks when the leadership is over. */
  private watchBound(): void {
    if (this.watch !== null) this.clock.clearTimeout(this.watch)
    this.watch = null
    if (this.bound === null || this.closed) return
    const wait = Math.max(1, timeLeft(this.bound, this.clock))
    this.watch = this.clock.setTimeout(() => {
      this.watch = null
      this.look()
      if (this.watch === null) this.watchBound()
    }, wait)
  }
}

const OPEN = { status: 'unknown', leader: null, term: null, bound: null } as const
