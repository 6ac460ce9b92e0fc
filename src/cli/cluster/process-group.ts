import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeProcess } from './child-process.ts'
import { PARENT_COMMANDS } from './parent-pipe.ts'

/** Waits until all processes are connected, then starts them. */
export async function startTogether(children: readonly NodeProcess[]): Promise<void> {
  await Promise.all(children.map((child) => child.next<{ connected: true }>()))
  for (const child of children) child.send(PARENT_COMMANDS.start)
}

/** The processes of a cluster, their reports, and which of them are absent. */
export abstract class ProcessGroup<R> {
  /** The last report of each. */
  protected readonly lastReports: (R | null)[]
  /** Killed or stopped: their reports do not count. */
  protected readonly absent = new Set<number>()
  private readonly killed = new Set<number>()
  private readonly answers = new Map<number, (report: R) => void>()
  /** Rejects when a process ends that was not killed. */
  private readonly unexpectedExit: Promise<never>

  constructor(protected readonly children: readonly NodeProcess[]) {
    this.lastReports = children.map(() => null)
    this.unexpectedExit = Promise.race(children.map((child) => this.listen(child)))
    this.unexpectedExit.catch(() => {})
  }

  /** The report of an absent process, given its last one. */
  protected abstract absentReport(last: R): R
  /** A report has arrived, or a process is absent or present again. */
  protected reportsChanged(): void {}

  /** Kills a process and returns the time. */
  kill(node: number): number {
    this.killed.add(node)
    return this.remove(node, 'SIGKILL')
  }

  /** Waits; rejects if a process ends unexpectedly. */
  async pause(milliseconds: number): Promise<void> {
    await Promise.race([sleep(milliseconds), this.unexpectedExit])
  }

  /** The present reports of all, and the last ones of absent processes. */
  async reports(): Promise<(R & { readonly pid: number })[]> {
    const asked = this.children.map((child, node) => {
      if (this.absent.has(node)) return this.absentReport(this.lastReports[node]!)
      const answer = new Promise<R>((resolve) => this.answers.set(node, resolve))
      child.send(PARENT_COMMANDS.report)
      return Promise.race([answer, this.unexpectedExit])
    })
    const reports = await Promise.all(asked)
    return reports.map((report, node) => ({ ...report, pid: this.children[node].pid }))
  }

  protected remove(node: number, signal: NodeJS.Signals): number {
    const now = performance.now()
    this.absent.add(node)
    this.children[node].signal(signal)
    this.reportsChanged()
    return now
  }

  private async listen(child: NodeProcess): Promise<never> {
    for (;;) {
      try {
        this.receive(child.me, await child.next<R | { report: R }>())
      } catch (error) {
        if (!this.killed.has(child.me)) throw error
        return new Promise(() => {})
      }
    }
  }

  private receive(node: number, line: R | { report: R }): void {
    const answered = typeof line === 'object' && line !== null && 'report' in line
    const report = answered ? line.report : (line as R)
    this.lastReports[node] = report
    if (answered) this.answers.get(node)?.(report)
    this.reportsChanged()
  }
}
