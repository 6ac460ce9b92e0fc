import type { NodeProcess } from './child-process.ts'
import type { NodeReport } from './election-node.ts'
import { ProcessGroup, startTogether } from './process-group.ts'

/** Since when all live processes follow one of them. */
export interface Agreement {
  readonly leader: NodeReport
  readonly since: number
}

/** How long processes may take to agree, and how often one looks, in milliseconds. */
const PATIENCE = 30_000
const PAUSE = 10

/** What the processes of a cluster think, as they tell it, and whether they agree. */
export class AgreementWatcher extends ProcessGroup<NodeReport> {
  private agreement: Agreement | null = null

  /** Waits until the links of all stand, and has them start. */
  static async of(children: readonly NodeProcess[]): Promise<AgreementWatcher> {
    await startTogether(children)
    return new AgreementWatcher(children)
  }

  stop(node: number): number {
    return this.dismiss(node, 'SIGSTOP')
  }

  resume(node: number): number {
    this.children[node].signal('SIGCONT')
    this.away.delete(node)
    this.look()
    return performance.now()
  }

  /** Waits until all have agreed for so long; null where they do not. */
  async agreed(milliseconds: number): Promise<Agreement | null> {
    const end = performance.now() + milliseconds + PATIENCE
    while (performance.now() < end) {
      const { agreement } = this
      if (agreement && performance.now() - agreement.since >= milliseconds) return agreement
      await this.pause(PAUSE)
    }
    return null
  }

  protected override departed(last: NodeReport): NodeReport {
    return { ...last, status: 'dead', leader: null }
  }

  protected override look(): void {
    const live = this.views.filter((_, node) => !this.away.has(node))
    const leader = live.find((view) => view?.status === 'leader') ?? null
    const agreed = leader !== null && live.every((view) => view?.leader === leader.id)
    if (!agreed) this.agreement = null
    else if (this.agreement?.leader.id !== leader.id) {
      this.agreement = { leader, since: performance.now() }
    }
  }
}
