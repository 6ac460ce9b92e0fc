import { durationText, seconds } from '../input/duration.ts'
import { AgreementWatcher } from './agreement.ts'
import type { NodeProcess } from './child-process.ts'
import {
  type ClusterResult,
  clusterResultOf,
  type LeadershipReport,
  leadershipOf,
  leaderText,
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
  if (first !== null) at(first.since, leaderText(first.leader))
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
      `${leaderText(second.leader)}: failover took ${durationText(second.since - failedAt)}`,
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
    at(third.since, `${leaderText(third.leader)}, ${durationText(third.since - resumed)} later`)
  }
  return { ...(await reportsOf(third)), stopped: leader, ...failover, returnMs }
}

const FAULTS = { kill: ['killed', 'SIGKILL'], stop: ['stopped', 'SIGSTOP'] } as const
