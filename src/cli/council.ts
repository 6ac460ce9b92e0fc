import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './child.ts'
import type { ClusterOutcome } from './cluster-processes.ts'
import type { NodeReport } from './commands/node.ts'
import { WORDS } from './parent.ts'

/** Since when all live processes follow one of them. */
export interface Agreement {
  readonly leader: NodeReport
  readonly since: number
}

/** How long processes may take to agree, and how often one looks, in milliseconds. */
const PATIENCE = 30_000
const PAUSE = 10

/** What the processes of a cluster think, as they tell it, and whether they agree. */
export class Council {
  private agreement: Agreement | null = null
  private readonly views: (NodeReport | null)[]
  /** Dead or stopped: what they think does not matter. */
  private readonly away = new Set<number>()
  private readonly dead = new Set<number>()
  private readonly answers = new Map<number, (report: NodeReport) => void>()
  /** Rejects when a process ends that nobody has killed. */
  private readonly trouble: Promise<never>

  /** Waits until the links of all stand, and has them start. */
  static async of(children: readonly Child[]): Promise<Council> {
    await Promise.all(children.map((child) => child.next<{ standing: true }>()))
    for (const child of children) child.tell(WORDS.start)
    return new Council(children)
  }

  private constructor(private readonly children: readonly Child[]) {
    this.views = children.map(() => null)
    this.trouble = Promise.race(children.map((child) => this.listen(child)))
    this.trouble.catch(() => {})
  }

  /** Ends a process, and returns when. */
  kill(node: number): number {
    this.dead.add(node)
    return this.dismiss(node, 'SIGKILL')
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
      await Promise.race([sleep(PAUSE), this.trouble])
    }
    return null
  }

  /** What all say of themselves now; of the dead, what they said last. */
  async reports(): Promise<ClusterOutcome['nodes']> {
    const asked = this.children.map((child, node) => {
      if (this.away.has(node)) return { ...this.views[node]!, status: 'dead', leader: null }
      const answer = new Promise<NodeReport>((resolve) => this.answers.set(node, resolve))
      child.tell(WORDS.report)
      return Promise.race([answer, this.trouble])
    })
    const reports = await Promise.all(asked)
    return reports.map((report, node) => ({ ...report, pid: this.children[node].pid }))
  }

  private dismiss(node: number, signal: NodeJS.Signals): number {
    const now = performance.now()
    this.away.add(node)
    this.children[node].signal(signal)
    this.look()
    return now
  }

  private async listen(child: Child): Promise<never> {
    for (;;) {
      try {
        this.hear(child.me, await child.next<NodeReport | { report: NodeReport }>())
      } catch (error) {
        if (!this.dead.has(child.me)) throw error
        return new Promise(() => {})
      }
    }
  }

  private hear(node: number, said: NodeReport | { report: NodeReport }): void {
    const answered = 'report' in said
    this.views[node] = answered ? said.report : said
    if (answered) this.answers.get(node)?.(said.report)
    this.look()
  }

  private look(): void {
    const live = this.views.filter((_, node) => !this.away.has(node))
    const leader = live.find((view) => view?.status === 'leader') ?? null
    const agreed = leader !== null && live.every((view) => view?.leader === leader.id)
    if (!agreed) this.agreement = null
    else if (this.agreement?.leader.id !== leader.id) {
      this.agreement = { leader, since: performance.now() }
    }
  }
}
