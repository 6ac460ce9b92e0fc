import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { BUILT } from '../../core/built.ts'
import { UsageError } from '../../core/index.ts'
import { EXIT } from '../io.ts'

const PROGRAM = fileURLToPath(new URL('cli/bin.js', BUILT))

/** Time for a process to end before it is killed, in milliseconds. */
const PATIENCE = 3000

/** One process of a cluster: it prints JSON lines, and ends when its standard input closes. */
export class NodeProcess {
  readonly exited: Promise<void>
  private readonly process: ChildProcess
  private readonly lines: AsyncIterator<string>
  private lastError = ''

  constructor(
    readonly me: number,
    words: readonly string[],
    err: (line: string) => void,
  ) {
    this.process = spawn(process.execPath, [PROGRAM, 'node', '--me', `${me}`, ...words], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // In its own process group: Ctrl-C reaches the parent alone, which then ends all processes.
      detached: true,
    })
    this.process.stdin?.on('error', () => {})
    this.lines = createInterface({ input: this.process.stdout! })[Symbol.asyncIterator]()
    createInterface({ input: this.process.stderr! }).on('line', (line) => {
      this.lastError = line
      err(line)
    })
    this.exited = new Promise((resolve) => {
      this.process.once('close', () => resolve())
      this.process.once('error', () => resolve())
    })
  }

  get pid(): number {
    return this.process.pid ?? -1
  }

  /** The next line that it prints. */
  async next<T>(): Promise<T> {
    const { value, done } = await this.lines.next()
    if (!done) return JSON.parse(value)
    await this.exited
    if (this.process.exitCode === EXIT.defect)
      throw new Error(`position ${this.me} ended with exit code ${EXIT.defect}`)
    throw new UsageError(
      `position ${this.me}`,
      `the process ended unexpectedly${this.lastError === '' ? '.' : `: ${this.lastError}`}`,
      'Start the cluster again.',
    )
  }

  send(line: string): void {
    this.process.stdin?.write(`${line}\n`)
  }

  signal(name: NodeJS.Signals): void {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill(name)
    }
  }

  /** Ends the process, also a stopped one, and kills it if that takes too long. */
  async terminate(): Promise<void> {
    this.signal('SIGTERM')
    this.signal('SIGCONT')
    const timer = setTimeout(() => this.signal('SIGKILL'), PATIENCE)
    await this.exited
    clearTimeout(timer)
  }
}
