import { NodeProcess } from './child-process.ts'
import type { NodeReport } from './election-node.ts'

/** Each member is a process of its own; and where they watch each other, each hears all others. */
export const MOST = 200
export const MOST_WATCHED = 50

export interface LeadershipReport {
  readonly node: number
  readonly id: number | null
}

/** Who leads, by its id if it has one. */
export function leads({ id, node }: LeadershipReport): string {
  return id === null ? `position ${node} leads` : `id ${id} leads (position ${node})`
}

export interface ClusterResult {
  readonly algorithm: string
  readonly n: number
  /** Whether there is one leader, and all live processes know it. */
  readonly agreed: boolean
  readonly leader: LeadershipReport | null
  readonly messages: NodeReport['messages']
  readonly nodes: readonly (NodeReport & { readonly pid: number })[]
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Starts n processes, lets them find each other and has some work done with them; null if it was
 * interrupted. Whatever happens, none of them is left behind.
 */
export async function withProcesses<T>(
  n: number,
  words: readonly string[],
  err: (line: string) => void,
  work: (children: readonly NodeProcess[]) => Promise<T>,
): Promise<T | null> {
  const children: NodeProcess[] = []
  let interrupted = false
  const interrupt = () => {
    interrupted = true
    for (const child of children) void child.end()
  }
  for (const signal of SIGNALS) process.once(signal, interrupt)
  try {
    for (let me = 0; me < n; me++) children.push(new NodeProcess(me, words, err))
    const addresses = await Promise.all(
      children.map((child) => child.next<{ listening: string }>()),
    )
    const all = JSON.stringify(addresses.map(({ listening }) => listening))
    for (const child of children) child.tell(all)
    const result = await work(children)
    return interrupted ? null : result
  } catch (error) {
    if (interrupted) return null
    throw error
  } finally {
    await Promise.all(children.map((child) => child.end()))
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
}

/** The processes end by themselves, and report then. */
export function finalReports(children: readonly NodeProcess[]): Promise<ClusterResult['nodes']> {
  return Promise.all(
    children.map(async (child) => ({ ...(await child.next<NodeReport>()), pid: child.pid })),
  )
}

export function outcomeOf(algorithm: string, nodes: ClusterResult['nodes']): ClusterResult {
  const live = nodes.filter(({ status }) => status !== 'dead')
  const leaders = live.filter(({ status }) => status === 'leader')
  // Anonymous nodes know that somebody leads, and not who.
  const agreed = live.every(
    ({ status, leader }) => status !== 'unknown' && (leader === null || leader === leaders[0]?.id),
  )
  return {
    algorithm,
    n: nodes.length,
    agreed: agreed && leaders.length === 1,
    leader: leaders.length === 1 ? leadershipOf(leaders[0]) : null,
    messages: sumOf(nodes.map(({ messages }) => messages)),
    nodes,
  }
}

/** The messages of all processes. */
export function sumOf(all: readonly NodeReport['messages'][]): NodeReport['messages'] {
  const byType: Record<string, number> = {}
  for (const messages of all) {
    for (const [type, count] of Object.entries(messages.byType)) {
      byType[type] = (byType[type] ?? 0) + count
    }
  }
  const sum = (of: (messages: NodeReport['messages']) => number) =>
    all.reduce((total, messages) => total + of(messages), 0)
  const watched = all.some(({ toDead }) => toDead !== undefined)
  return {
    total: sum(({ total }) => total),
    byType,
    ...(watched && { toDead: sum(({ toDead = 0 }) => toDead) }),
  }
}

export function leadershipOf({ node, id }: LeadershipReport): LeadershipReport {
  return { node, id }
}
