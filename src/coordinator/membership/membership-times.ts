import type { TimerHandle } from '../../cluster/clock.ts'
import type { Environment } from '../environment.ts'
import type { MembershipOptions } from './host.ts'
import type { MemberStore } from './member-store.ts'

/** How long a member has to wait for what. */
export class MembershipTimes {
  private readonly sleeping = new Set<TimerHandle>()
  private readonly since: number
  /** The limit of the time before this start. */
  private readonly before: number

  constructor(
    private readonly options: MembershipOptions,
    private readonly environment: Environment,
    private readonly store: MemberStore,
  ) {
    this.since = environment.clock.now()
    this.before = store.record.limit
  }

  /**
   * The longest lease, in whole milliseconds, that a promise of this member may still last. After a
   * start with a shorter limit promises of the time before run on: the longer limit is named first.
   */
  get limit(): number {
    const own = Math.ceil(this.options.limit)
    const over = this.since + this.outlasting(this.before)
    return this.environment.clock.now() < over ? Math.max(own, this.before) : own
  }

  /** Writes the limit down before anything is promised. The task runs in turn with others. */
  async keepLimit(inTurn: (task: () => Promise<void>) => Promise<void>): Promise<void> {
    const own = Math.ceil(this.options.limit)
    if (own > this.before) await this.store.write({ limit: own })
    if (own >= this.before) return
    void this.sleep(this.outlasting(this.before)).then(() =>
      inTurn(() => this.store.write({ limit: own })),
    )
  }

  /** How long to wait until no lease of this length is left by any member's clock. */
  outlasting(lease: number): number {
    return lease * (1 + this.options.drift) + this.options.margin
  }

  /** Resolves after a while; never when this member is closed before. */
  sleep(milliseconds: number): Promise<void> {
    const { clock } = this.environment
    const due = clock.now() + milliseconds
    return new Promise((resolve) => {
      const wait = () => {
        // Timers may fire a little early.
        if (clock.now() >= due) return resolve()
        const timer = clock.setTimeout(() => {
          this.sleeping.delete(timer)
          wait()
        }, due - clock.now())
        this.sleeping.add(timer)
      }
      wait()
    })
  }

  close(): void {
    for (const timer of this.sleeping) this.environment.clock.clearTimeout(timer)
  }
}
