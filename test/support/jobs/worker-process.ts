import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { PROGRAM } from '../built-program.ts'

/** A worker as a process of its own: the built program. */
export class WorkerProcess {
  /** What it told, as JSON lines. */
  readonly events: Record<string, unknown>[] = []
  private errors = ''
  private readonly exited: Promise<number | null>

  private constructor(private readonly child: ChildProcess) {
    createInterface({ input: child.stdout! }).on('line', (line) =>
      this.events.push(JSON.parse(line)),
    )
    child.stderr!.on('data', (data) => {
      this.errors += data
    })
    this.exited = new Promise((resolve) => child.once('close', resolve))
  }

  /** Until it takes jobs. */
  static async start(url: string, name: string, ...flags: string[]): Promise<WorkerProcess> {
    const words = [PROGRAM, 'worker', url, '--name', name, '--json', ...flags]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
    const worker = new WorkerProcess(child)
    await worker.until((event) => event.what === 'started')
    return worker
  }

  async until(wanted: (event: Record<string, unknown>) => boolean): Promise<void> {
    let ended = false
    void this.exited.then(() => {
      ended = true
    })
    while (!this.events.some(wanted)) {
      if (ended) throw new Error(`the worker has ended: ${this.errors}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** The number of jobs that it has done. */
  get jobs(): number {
    return this.events.reduce(
      (sum, { what, jobs }) => sum + (what === 'batch' ? Number(jobs) : 0),
      0,
    )
  }

  get pid(): number | undefined {
    return this.child.pid
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }

  /** The code with which it ends. */
  end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.signal('SIGCONT')
    this.signal(signal)
    return this.exited
  }
}
