import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nkeys } from '@nats-io/transport-node'
import { PROGRAM } from './built-program.ts'
import { codeBlocks } from './console-blocks.ts'
import { freeAddresses } from './free-ports.ts'
import { type NatsServer, startNatsServer } from './nats-server.ts'
import { type PrintedProcess, textOf } from './process-examples.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The longest time to wait for what an example promises, in milliseconds. */
const PATIENCE = 30_000
/** What members run while they lead. */
export const JOB = 'echo "token $CONCLAVE_TOKEN"; exec sleep 60'

const started = new Set<ChildProcess>()
let folder = ''
let programs = ''
let addresses: string[] = []

/** Before the first example: free ports, and the programs that examples call. */
export async function prepareStages(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'conclave-process-examples-'))
  programs = join(folder, 'bin')
  // The first of them are those that servers of NATS find, too.
  addresses = (await freeAddresses(350)).slice(50)
  executable(join(programs, 'conclave'), `exec "${process.execPath}" "${PROGRAM}" "$@"`)
  // Each example that needs one has a server already.
  executable(join(programs, 'nats-server'), 'exit 0')
}

export function removeStages(): void {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
}

export function executable(path: string, script: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

/** Two searches for a free port at the same time would find the same one. */
let starting: Promise<unknown> = Promise.resolve()
function serverOf(): Promise<NatsServer> {
  const server = starting.then(() => startNatsServer())
  starting = server
  return server
}

/** A started process and what it has printed. */
export class Running {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  out = ''
  err = ''
  code: number | null | undefined
  killed = false

  constructor(
    readonly me: string,
    readonly storage: string,
    readonly command: string,
    cwd: string,
    env: NodeJS.ProcessEnv,
  ) {
    this.child = spawn('sh', ['-c', `exec ${command}`], { cwd, env })
    started.add(this.child)
    this.child.stdout!.on('data', (text) => {
      this.out += text
    })
    this.child.stderr!.on('data', (text) => {
      this.err += text
    })
    this.ended = new Promise((resolve) =>
      this.child.once('close', (code) => {
        started.delete(this.child)
        this.code = code
        resolve(code)
      }),
    )
  }

  /** Whether it has ended by a mistake. */
  get failed(): boolean {
    return !this.killed && this.code !== undefined && this.code !== 0
  }

  async kill(): Promise<void> {
    this.killed = true
    this.child.kill('SIGKILL')
    await this.ended
  }
}

/** A folder in which an example runs, with the files that it takes for granted. */
export class Stage {
  readonly folder = mkdtempSync(join(folder, 'example-'))
  readonly running: Running[] = []
  private readonly replaced = new Map<string, string>()

  constructor(
    private readonly printed: string,
    readonly server: NatsServer | null,
  ) {
    mkdirSync(join(this.folder, 'node_modules'))
    symlinkSync(root, join(this.folder, 'node_modules/conclave'))
    const put = (name: string, text: string) => writeFileSync(join(this.folder, name), text)
    put('secret', 'a secret of this test\n')
    put('mine.ts', textOf('examples/smallest-first.ts'))
    put('lecture.json', blockNamed('docs/scenarios.md', 'lecture.json'))
    put('billing.json', this.substituted(blockNamed('docs/coordinator.md', 'billing.json'), ''))
    put('worker.creds', credentials())
    executable(join(this.folder, 'cron.sh'), JOB)
  }

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, PATH: `${programs}:${process.env.PATH}` }
  }

  run(commands: readonly string[]): void {
    for (const command of commands)
      execFileSync('sh', ['-c', command], { cwd: this.folder, env: this.env, stdio: 'pipe' })
  }

  /** Starts a process, on free ports and, where paths are absolute, under a root of its own. */
  start({ me, command, variables = {} }: PrintedProcess): void {
    const place = (text: string) =>
      this.substituted(text, me).replace(
        /(?<![\w.:/])\/(?=(etc|run|usr|var)\/)/g,
        `${this.rootOf(me)}/`,
      )
    const line = place(command)
    const set = Object.entries(variables).map(([name, value]) => {
      const text = place(`${name}=${value}`)
      return [name, text.slice(name.length + 1)] as const
    })
    const env = { ...this.env, ...Object.fromEntries(set) }
    const storage = /--storage (\S+)/.exec(line)?.[1] ?? env.CONCLAVE_STORAGE ?? ''
    this.running.push(
      new Running(
        me,
        join(storage.startsWith('/') ? '' : this.folder, storage),
        line,
        this.folder,
        env,
      ),
    )
  }

  rootOf(me: string): string {
    return join(this.folder, `root-of-${me}`)
  }

  /** Members listen on free ports, the same for all; what else listens has one for each member. */
  substituted(text: string, me: string): string {
    const address = (key: string) => {
      if (!this.replaced.has(key)) this.replaced.set(key, addresses.shift()!)
      return this.replaced.get(key)!
    }
    const own = new RegExp(`\\b${me}=([\\w.-]+:\\d+)`).exec(this.printed)?.[1] ?? ''
    return text.replace(
      /(http\W+)?((?:nats|tls):\/\/)?\b([\w.-]+):(\d{4,5})\b/gi,
      (all, http: string | undefined, scheme: string | undefined, host: string) => {
        if (scheme !== undefined) return this.server!.url
        if (http !== undefined) return `${http}${address(`${me} ${all}`)}`
        return address(host === '0.0.0.0' ? own : all)
      },
    )
  }

  /** What was printed, for whoever has to find out why nobody leads. */
  said(): string {
    const lines = this.running.map(({ me, out, err, code }) => {
      const state = code === undefined ? 'runs' : `has ended with ${code}`
      return `${me} ${state}: ${out}${err}`.slice(0, 2000)
    })
    return `this was waited for in vain:\n${lines.join('\n')}`
  }

  /** Asks again until there is an answer. */
  async until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
    const end = performance.now() + PATIENCE
    for (;;) {
      const found = await look()
      if (found) return found
      if (performance.now() > end || this.running.some(({ failed }) => failed))
        throw new Error(this.said())
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.running.map((one) => one.kill()))
    await this.server?.stop()
  }
}

function blockNamed(page: string, name: string): string {
  return codeBlocks(textOf(page)).find((block) => block.name === name)!.code
}

/** A file of credentials; the servers of this test let everybody in. */
function credentials(): string {
  const seed = Buffer.from(nkeys.createUser().getSeed()).toString()
  const part = (name: string, text: string) =>
    `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`
  return part('NATS USER JWT', 'e30.e30.e30') + part('USER NKEY SEED', seed)
}

export async function stageFor(printed: string): Promise<Stage> {
  const server = /\b(nats|tls):\/\//.test(printed) ? await serverOf() : null
  return new Stage(printed, server)
}
