import { durationText, seconds } from '../input/duration.ts'
import { AgreementWatcher } from './agreement.ts'
import type { NodeProcess } from './child-process.ts'
import {
  type ClusterResult,
  type LeadershipReport,
  leadershipOf,
  leads,
  outcomeOf,
} from './spawn.ts'

/** What happens to the leader, and how long after all have agreed on it, in milliseconds. */
export interface LeaderFault {
  readonly kind: 'kill' | 'stop'
  readonly after: number
}

type Victim = LeadershipReport & { readonly pid: number }

/** What a lasting cluster came to; all but the first fields only where the leader was struck. */
export interface Failover extends ClusterResult {
  readonly killed?: Victim
  readonly stopped?: Victim
  /** Who led while the leader was away. */
  readonly successor?: LeadershipReport | null
  /** From the blow until all live processes agreed on the successor. */
  readonly failoverMs?: number | null
  /** From the stopped leader's going on until all agreed on a leader again. */
  readonly returnMs?: number | null
}

/**
 * Waits until the processes agree on a leader, strikes it if asked to and waits until they agree
 * again. An agreement counts when it has lasted for some time; its time is that of its beginning.
 */
export async function watchLeadership(
  algorithm: string,
  children: readonly NodeProcess[],
  lasting: number,
  blow: LeaderFault | null,
  tell: (line: string) => void,
): Promise<Failover> {
  const council = await AgreementWatcher.of(children)
  const began = performance.now()
  const at = (time: number, line: string) => tell(`${seconds(time - began).padStart(8)}  ${line}`)
  const first = await council.agreed(blow?.after ?? lasting)
  if (first !== null) at(first.since, leads(first.leader))
  const before = await council.reports()
  if (first === null || blow === null) return outcomeOf(algorithm, before)

  const { node } = first.leader
  const victim: Victim = { ...leadershipOf(first.leader), pid: children[node].pid }
  const struck = council[blow.kind](node)
  const [word, signal] = WORDS[blow.kind]
  at(struck, `position ${node} is ${word} (${signal} to process ${victim.pid})`)
  const second = await council.agreed(lasting)
  const failoverMs = second && Math.round(second.since - struck)
  if (second !== null) {
    at(
      second.since,
      `${leads(second.leader)}: failover took ${durationText(second.since - struck)}`,
    )
  }
  const told = { successor: second && leadershipOf(second.leader), failoverMs }
  if (blow.kind === 'kill') {
    return { ...outcomeOf(algorithm, await council.reports()), killed: victim, ...told }
  }

  const resumed = council.resume(node)
  at(resumed, `position ${node} goes on (SIGCONT)`)
  const third = await council.agreed(lasting)
  const returnMs = third && Math.round(third.since - resumed)
  if (third !== null) {
    at(third.since, `${leads(third.leader)}, ${durationText(third.since - resumed)} later`)
  }
  const outcome = outcomeOf(algorithm, await council.reports())
  return { ...outcome, stopped: victim, ...told, returnMs }
}

const WORDS = { kill: ['killed', 'SIGKILL'], stop: ['stopped', 'SIGSTOP'] } as const
