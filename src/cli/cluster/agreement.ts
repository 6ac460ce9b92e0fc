import type { NodeProcess } from './child-process.ts'
import type { NodeReport } from './election-node.ts'
import { ProcessGroup, startTogether } from './process-group.ts'
import type { ClusterResult } from './spawn.ts'

/** The leader that all live processes follow, and since when. */
export interface Agreement {
  readonly leader: NodeReport
  readonly since: number
}

/** An agreement, and the reports of all processes that confirm it. */
interface ConfirmedAgreement extends Agreement {
  readonly reports: ClusterResult['nodes']
}

/** Time for the processes to agree, and the polling interval, in milliseconds. */
const PATIENCE = 30_000
const INTERVAL = 10

/** Collects status reports of the processes and detects agreement on a leader. */
export class AgreementWatcher extends ProcessGroup<NodeReport> {
  private agreement: Agreement | null = null

  /** Waits until all processes are connected, then starts them. */
  static async start(children: readonly NodeProcess[]): Promise<AgreementWatcher> {
    await startTogether(children)
    return new AgreementWatcher(children)
  }

  stop(node: number): number {
    return this.remove(node, 'SIGSTOP')
  }

  resume(node: number): number {
    this.children[node].signal('SIGCONT')
    this.absent.delete(node)
    this.reportsChanged()
    return performance.now()
  }

  /**
   * Waits until an agreement has lasted for this time, and still holds when all processes are
   * asked; null if there is none.
   */
  async agreed(milliseconds: number): Promise<ConfirmedAgreement | null> {
    const end = performance.now() + milliseconds + PATIENCE
    while (performance.now() < end) {
      const { agreement } = this
      if (agreement && performance.now() - agreement.since >= milliseconds) {
        const reports = await this.reports()
        if (this.agreement === agreement) return { ...agreement, reports }
      }
      await this.pause(INTERVAL)
    }
    return null
  }

  protected override absentReport(last: NodeReport): NodeReport {
    const { term: _, ...rest } = last
    return { ...rest, status: 'dead', leader: null }
  }

  protected override reportsChanged(): void {
    const live = this.lastReports.filter((_, node) => !this.absent.has(node))
    const leader = live.find((report) => report?.status === 'leader') ?? null
    const agreed = leader !== null && live.every((report) => report?.leader === leader.id)
    if (!agreed) this.agreement = null
    else if (this.agreement?.leader.id !== leader.id) {
      this.agreement = { leader, since: performance.now() }
    }
  }
}
