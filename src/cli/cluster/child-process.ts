import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../core/index.ts'
import { BUILT } from '../../experiment/built.ts'

const PROGRAM = fileURLToPath(new URL('cli/bin.js', BUILT))

/** How long a process may take to leave when it is told to, in milliseconds. */
const PATIENCE = 3000

/** One process of a cluster: it prints JSON lines, and ends when its standard input does. */
export class NodeProcess {
  readonly gone: Promise<void>
  private readonly process: ChildProcess
  private readonly lines: AsyncIterator<string>
  private complaint = ''

  constructor(
    readonly me: number,
    words: readonly string[],
    err: (line: string) => void,
  ) {
    this.process = spawn(process.execPath, [PROGRAM, 'node', '--me', `${me}`, ...words], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C in a terminal reaches the parent alone, which then ends us all.
      detached: true,
    })
    this.process.stdin?.on('error', () => {})
    this.lines = createInterface({ input: this.process.stdout! })[Symbol.asyncIterator]()
    createInterface({ input: this.process.stderr! }).on('line', (line) => {
      this.complaint = line
      err(line)
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
    throw new UsageError(
      `position ${this.me}`,
      `every process must take part to the end, but this one ended early${this.complaint === '' ? '' : ` (${this.complaint})`}.`,
      'Start the cluster again.',
    )
  }

  tell(line: string): void {
    this.process.stdin?.write(`${line}\n`)
  }

  signal(name: NodeJS.Signals): void {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill(name)
    }
  }

  /** Has it leave, even if it is stopped, and by force where it takes too long. */
  async end(): Promise<void> {
    this.signal('SIGTERM')
    this.signal('SIGCONT')
    const timer = setTimeout(() => this.signal('SIGKILL'), PATIENCE)
    await this.gone
    clearTimeout(timer)
  }
}
