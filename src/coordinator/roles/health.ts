import type { RoleHost } from './role-host.ts'

/**
 * The user's own probe of whether this process can do the work of a role. One that has not answered
 * for half a lease says no.
 */
export class HealthProbe {
  /** Why it cannot; null while it can. */
  private answer: string | null
  /** When the present call of the probe began; null while none is under way. */
  private asked: number | null = null

  constructor(
    private readonly probe: (() => boolean | Promise<boolean>) | undefined,
    private readonly host: Pick<RoleHost, 'clock' | 'timing'>,
    /** The answer has changed. */
    private readonly changed: () => void,
  ) {
    this.answer = probe === undefined ? null : 'its probe has not answered yet'
  }

  /** Why this process cannot do the work; null if it can. */
  get problem(): string | null {
    const { clock, timing } = this.host
    const pending = this.asked === null ? 0 : clock.now() - this.asked
    if (pending > timing.lease / 2)
      return `its probe has not answered for ${Math.round(pending)} ms`
    return this.answer
  }

  /** Asks again, unless the last call has not come back. */
  refresh(): void {
    if (this.probe === undefined || this.asked !== null) return
    this.asked = this.host.clock.now()
    try {
      const result = this.probe()
      if (typeof result === 'boolean') this.settle(answerOf(result))
      else
        Promise.resolve(result).then(
          (healthy) => this.settle(answerOf(healthy)),
          (error) => this.settle(reasonOf(error)),
        )
    } catch (error) {
      this.settle(reasonOf(error))
    }
  }

  private settle(answer: string | null): void {
    const { problem } = this
    this.asked = null
    this.answer = answer
    if ((problem === null) !== (answer === null)) this.changed()
  }
}

function answerOf(healthy: unknown): string | null {
  return healthy === true ? null : 'its probe says that it is not healthy'
}

function reasonOf(error: unknown): string {
  return `its probe failed: ${error instanceof Error ? error.message : String(error)}`
}
