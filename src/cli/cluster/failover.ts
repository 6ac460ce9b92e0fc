import { elapsedText, seconds } from '../input/duration.ts'
import type { NodeProcess } from './child-process.ts'
import type { NodeReport } from './election-node.ts'
import { ProcessGroup, startTogether } from './process-group.ts'
import {
  type ClusterResult,
  clusterResultOf,
  type LeadershipReport,
  leadershipOf,
  leadershipText,
} from './spawn.ts'

/** The fault of the leader, and its delay after the agreement, in milliseconds. */
export interface LeaderFault {
  readonly kind: 'kill' | 'stop'
  readonly after: number
}

type FaultyLeader = LeadershipReport & { readonly pid: number }

/** The result of a cluster; with the times of the failover, if the leader was killed or stopped. */
export interface Failover extends ClusterResult {
  readonly killed?: FaultyLeader
  readonly stopped?: FaultyLeader
  /** The leader after the fault. */
  readonly successor?: LeadershipReport | null
  /** From the fault until all live processes agreed on the successor. */
  readonly failoverMs?: number | null
  /** From the resumption of the stopped leader until all agreed on a leader again. */
  readonly returnMs?: number | null
}

/**
 * Waits until the processes agree on a leader, kills or stops it if asked to, and waits until they
 * agree again. An agreement counts when it has lasted for `lasting` milliseconds, from its start.
 */
export async function watchLeadership(
  algorithm: string,
  children: readonly NodeProcess[],
  lasting: number,
  fault: LeaderFault | null,
  print: (line: string) => void,
): Promise<Failover> {
  const watcher = await AgreementWatcher.start(children)
  const began = performance.now()
  const at = (time: number, line: string) => print(`${seconds(time - began).padStart(8)}  ${line}`)
  const first = await watcher.agreed(fault?.after ?? lasting)
  if (first !== null) at(first.since, leadershipText(first.leader))
  const reportsOf = async (agreement: typeof first) =>
    clusterResultOf(algorithm, agreement?.reports ?? (await watcher.reports()))
  if (first === null || fault === null) return reportsOf(first)

  const { node } = first.leader
  const leader: FaultyLeader = { ...leadershipOf(first.leader), pid: children[node].pid }
  const failedAt = watcher[fault.kind](node)
  const [verb, signal] = FAULTS[fault.kind]
  at(failedAt, `position ${node} is ${verb} (${signal} to process ${leader.pid})`)
  const second = await watcher.agreed(lasting)
  const failoverMs = second && Math.round(second.since - failedAt)
  if (second !== null) {
    at(
      second.since,
      `${leadershipText(second.leader)}: failover took ${elapsedText(second.since - failedAt)}`,
    )
  }
  const failover = { successor: second && leadershipOf(second.leader), failoverMs }
  if (fault.kind === 'kill') {
    return { ...(await reportsOf(second)), killed: leader, ...failover }
  }

  const resumed = watcher.resume(node)
  at(resumed, `position ${node} resumes (SIGCONT)`)
  const third = await watcher.agreed(lasting)
  const returnMs = third && Math.round(third.since - resumed)
  if (third !== null) {
    at(third.since, `${leadershipText(third.leader)}, ${elapsedText(third.since - resumed)} later`)
  }
  return { ...(await reportsOf(third)), stopped: leader, ...failover, returnMs }
}

const FAULTS = { kill: ['killed', 'SIGKILL'], stop: ['stopped', 'SIGSTOP'] } as const

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
class AgreementWatcher extends ProcessGroup<NodeReport> {
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
