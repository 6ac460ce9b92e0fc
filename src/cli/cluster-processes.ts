import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Algorithm, Complaint } from '../core/index.ts'
import type { Given } from '../scenario/index.ts'
import type { NodeReport } from './commands/node.ts'
import type { Io } from './io.ts'

export interface ClusterOutcome {
  readonly algorithm: string
  readonly n: number
  /** Whether there is one leader, and all know it. */
  readonly agreed: boolean
  readonly leader: { readonly node: number; readonly id: number } | null
  readonly messages: { readonly total: number; readonly byType: Readonly<Record<string, number>> }
  readonly nodes: readonly (NodeReport & { readonly pid: number })[]
}

const PROGRAM = fileURLToPath(new URL('./bin.js', import.meta.url))

/** Starts n processes, lets them find each other and waits for their end; null if interrupted. */
export async function startCluster(
  algorithm: Algorithm,
  n: number,
  given: Given,
  io: Io,
): Promise<ClusterOutcome | null> {
  const children: Child[] = []
  let interrupted = false
  const interrupt = () => {
    interrupted = true
    for (const child of children) child.kill()
  }
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  try {
    for (let me = 0; me < n; me++) children.push(new Child(algorithm.name, n, me, given, io))
    const addresses = await Promise.all(
      children.map((child) => child.next<{ listening: string }>()),
    )
    const ring = addresses.map(({ listening }) => listening)
    for (const child of children) child.tell(ring)
    const nodes = await Promise.all(
      children.map(async (child) => ({ ...(await child.next<NodeReport>()), pid: child.pid })),
    )
    return interrupted ? null : outcomeOf(algorithm.name, nodes)
  } catch (error) {
    if (interrupted) return null
    throw error
  } finally {
    for (const child of children) child.kill()
    await Promise.all(children.map((child) => child.gone))
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}

function outcomeOf(algorithm: string, nodes: ClusterOutcome['nodes']): ClusterOutcome {
  const leaders = nodes.filter(({ status }) => status === 'leader')
  const agreed = nodes.every(
    ({ status, leader }) => status !== 'unknown' && leader === leaders[0]?.id,
  )
  const byType: Record<string, number> = {}
  for (const { messages } of nodes) {
    for (const [type, count] of Object.entries(messages.byType)) {
      byType[type] = (byType[type] ?? 0) + count
    }
  }
  return {
    algorithm,
    n: nodes.length,
    agreed: agreed && leaders.length === 1,
    leader: leaders.length === 1 ? { node: leaders[0].node, id: leaders[0].id } : null,
    messages: { total: nodes.reduce((sum, { messages }) => sum + messages.total, 0), byType },
    nodes,
  }
}

/** One process of the cluster: it prints JSON lines, and ends when its standard input does. */
class Child {
  readonly gone: Promise<void>
  private readonly process: ChildProcess
  private readonly lines: AsyncIterator<string>
  private complaint = ''

  constructor(
    algorithm: string,
    n: number,
    private readonly me: number,
    given: Given,
    io: Io,
  ) {
    const flags = Object.entries({ ...given, n }).flatMap(([name, value]) =>
      [value].flat().flatMap((one) => [name === 'n' ? '-n' : `--${name}`, String(one)]),
    )
    const words = ['node', '--algorithm', algorithm, '--ring', '-', '--me', `${me}`, '--json']
    this.process = spawn(process.execPath, [PROGRAM, ...words, ...flags], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C in a terminal reaches the parent alone, which then ends us all.
      detached: true,
    })
    this.process.stdin?.on('error', () => {})
    this.lines = createInterface({ input: this.process.stdout! })[Symbol.asyncIterator]()
    createInterface({ input: this.process.stderr! }).on('line', (line) => {
      this.complaint = line
      io.err(`${line}\n`)
    })
    this.gone = new Promise((resolve) => {
      this.process.once('close', () => resolve())
      this.process.once('error', () => resolve())
    })
  }

  get pid(): number {
    return this.process.pid ?? -1
  }

  /** The next thing that it says. */
  async next<T>(): Promise<T> {
    const { value, done } = await this.lines.next()
    if (!done) return JSON.parse(value)
    throw new Complaint(
      `position ${this.me}`,
      'every process must take part to the end',
      `this one ended early${this.complaint === '' ? '' : ` (${this.complaint})`}`,
      'Start the cluster again.',
    )
  }

  tell(message: unknown): void {
    this.process.stdin?.write(`${JSON.stringify(message)}\n`)
  }

  kill(): void {
    if (this.process.exitCode === null && this.process.signalCode === null) this.process.kill()
  }
}
