import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeProcess } from './child-process.ts'
import { WORDS } from './parent-pipe.ts'

/** Waits until the links of all processes stand, and has them start. */
export async function startTogether(children: readonly NodeProcess[]): Promise<void> {
  await Promise.all(children.map((child) => child.next<{ standing: true }>()))
  for (const child of children) child.tell(WORDS.start)
}

/** The processes of a cluster, what they say of themselves, and who of them is gone. */
export abstract class ProcessGroup<R> {
  /** What each has said last. */
  protected readonly views: (R | null)[]
  /** Dead or stopped: what they think does not matter. */
  protected readonly away = new Set<number>()
  private readonly dead = new Set<number>()
  private readonly answers = new Map<number, (report: R) => void>()
  /** Rejects when a process ends that nobody has killed. */
  private readonly trouble: Promise<never>

  constructor(protected readonly children: readonly NodeProcess[]) {
    this.views = children.map(() => null)
    this.trouble = Promise.race(children.map((child) => this.listen(child)))
    this.trouble.catch(() => {})
  }

  /** What is said of one that is away, given what it has said last. */
  protected abstract departed(last: R): R
  /** Somebody has said something, or is away, or back. */
  protected look(): void {}

  /** Ends a process, and returns when. */
  kill(node: number): number {
    this.dead.add(node)
    return this.dismiss(node, 'SIGKILL')
  }

  /** Waits, unless somebody ends unasked. */
  async pause(milliseconds: number): Promise<void> {
    await Promise.race([sleep(milliseconds), this.trouble])
  }

  /** What all say of themselves now; of those that are away, what they said last. */
  async reports(): Promise<(R & { readonly pid: number })[]> {
    const asked = this.children.map((child, node) => {
      if (this.away.has(node)) return this.departed(this.views[node]!)
      const answer = new Promise<R>((resolve) => this.answers.set(node, resolve))
      child.tell(WORDS.report)
      return Promise.race([answer, this.trouble])
    })
    const reports = await Promise.all(asked)
    return reports.map((report, node) => ({ ...report, pid: this.children[node].pid }))
  }

  protected dismiss(node: number, signal: NodeJS.Signals): number {
    const now = performance.now()
    this.away.add(node)
    this.children[node].signal(signal)
    this.look()
    return now
  }

  private async listen(child: NodeProcess): Promise<never> {
    for (;;) {
      try {
        this.hear(child.me, await child.next<R | { report: R }>())
      } catch (error) {
        if (!this.dead.has(child.me)) throw error
        return new Promise(() => {})
      }
    }
  }

  private hear(node: number, said: R | { report: R }): void {
    const answered = typeof said === 'object' && said !== null && 'report' in said
    const report = answered ? said.report : (said as R)
    this.views[node] = report
    if (answered) this.answers.get(node)?.(report)
    this.look()
  }
}
