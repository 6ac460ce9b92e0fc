import { addedUp } from '../../sim/result.ts'
import { NodeProcess } from './child-process.ts'
import type { NodeReport } from './election-node.ts'
import type { NatsMeeting } from './meeting.ts'

/** Each member is a process; with heartbeats, each receives those of all others. */
export const MAX_PROCESSES = 200
export const MAX_MONITORED = 50

export interface LeadershipReport {
  readonly node: number
  readonly id: number | null
  /** Where leaders are elected term by term. */
  readonly term?: number
}

/** The leader, by its id if it has one. */
export function leadershipText({ id, node, term }: LeadershipReport): string {
  const office = term === undefined ? '' : ` in term ${term}`
  return id === null
    ? `position ${node} leads${office}`
    : `id ${id} leads${office} (position ${node})`
}

export interface ClusterResult {
  readonly algorithm: string
  readonly n: number
  /** Whether there is exactly one leader and all live processes follow it. */
  readonly agreed: boolean
  /** Why they have not agreed; only then. */
  readonly disagreement?: string
  readonly leader: LeadershipReport | null
  readonly messages: NodeReport['messages']
  readonly nodes: readonly (NodeReport & { readonly pid: number })[]
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Starts n processes, tells them where the others are and calls `work`; null if interrupted. All
 * processes are ended in every case.
 */
export async function withProcesses<T>(
  n: number,
  words: readonly string[],
  meeting: NatsMeeting | null,
  err: (line: string) => void,
  work: (children: readonly NodeProcess[]) => Promise<T>,
): Promise<T | null> {
  const children: NodeProcess[] = []
  let interrupted = false
  const interrupt = () => {
    interrupted = true
    for (const child of children) void child.terminate()
  }
  for (const signal of SIGNALS) process.once(signal, interrupt)
  try {
    for (let me = 0; me < n; me++) children.push(new NodeProcess(me, words, err))
    if (meeting !== null) for (const child of children) child.send(JSON.stringify(meeting))
    const addresses = await Promise.all(
      children.map((child) => child.next<{ listening: string }>()),
    )
    const all = JSON.stringify(addresses.map(({ listening }) => listening))
    for (const child of children) child.send(all)
    const result = await work(children)
    return interrupted ? null : result
  } catch (error) {
    if (interrupted) return null
    throw error
  } finally {
    await Promise.all(children.map((child) => child.terminate()))
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
}

/** The reports that processes print when they end by themselves. */
export function finalReports(children: readonly NodeProcess[]): Promise<ClusterResult['nodes']> {
  return Promise.all(
    children.map(async (child) => ({ ...(await child.next<NodeReport>()), pid: child.pid })),
  )
}

export function clusterResultOf(algorithm: string, nodes: ClusterResult['nodes']): ClusterResult {
  const live = nodes.filter(({ status }) => status !== 'dead')
  const leaders = live.filter(({ status }) => status === 'leader')
  // Anonymous nodes know that there is a leader, but not its id.
  const agreed = live.every(
    ({ status, leader }) => status !== 'unknown' && (leader === null || leader === leaders[0]?.id),
  )
  const all = agreed && leaders.length === 1
  return {
    algorithm,
    n: nodes.length,
    agreed: all,
    ...(!all && { disagreement: disagreementOf(live, leaders) }),
    leader: leaders.length === 1 ? leadershipOf(leaders[0]) : null,
    messages: totalMessages(nodes.map(({ messages }) => messages)),
    nodes,
  }
}

/** Why processes have not agreed on a leader. */
function disagreementOf(live: ClusterResult['nodes'], leaders: ClusterResult['nodes']): string {
  if (leaders.length === 0) return 'no process leads'
  const positions = (nodes: ClusterResult['nodes']) =>
    `position${nodes.length === 1 ? '' : 's'} ${nodes.map(({ node }) => node).join(', ')}`
  if (leaders.length > 1) return `${positions(leaders)} lead at the same time`
  const unaware = live.filter(({ status, leader }) => status === 'unknown' || leader === null)
  const others = live.filter((node) => !unaware.includes(node) && node.leader !== leaders[0].id)
  const follow = others.length === 1 ? 'follows' : 'follow'
  return [
    ...(unaware.length > 0
      ? [`${positions(unaware)} know${unaware.length === 1 ? 's' : ''} no leader`]
      : []),
    ...(others.length > 0 ? [`${positions(others)} ${follow} another leader`] : []),
  ].join('; ')
}

/** The messages of all processes, added up. */
export function totalMessages(all: readonly NodeReport['messages'][]): NodeReport['messages'] {
  const sum = (of: (messages: NodeReport['messages']) => number) =>
    all.reduce((total, messages) => total + of(messages), 0)
  const monitored = all.some(({ toDead }) => toDead !== undefined)
  return {
    total: sum(({ total }) => total),
    byType: addedUp(all.map((messages) => messages.byType)),
    ...(monitored && { toDead: sum(({ toDead = 0 }) => toDead) }),
  }
}

export function leadershipOf({ node, id, term }: LeadershipReport): LeadershipReport {
  return { node, id, ...(term !== undefined && { term }) }
}
