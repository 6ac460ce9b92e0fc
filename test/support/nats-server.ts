import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freeAddresses } from './free-ports.ts'
import { onPath } from './program-path.ts'

const MISSING =
  'This suite needs nats-server: set NATS_SERVER to its path, put it on the path, ' +
  "or run where `apt-get download nats-server` gets Debian's package."

export interface NatsServerOptions {
  /** JetStream with its store in a temporary folder; true unless told otherwise. */
  readonly jetStream?: boolean
  /** Further lines of the configuration file, such as accounts, limits or TLS. */
  readonly config?: string
}

/** A server of NATS on a port of loopback, which its test starts and ends. */
export interface NatsServer {
  /** nats://127.0.0.1:PORT */
  readonly url: string
  readonly port: number
  /** The folder of the configuration and the store. */
  readonly folder: string
  /** What the server wrote to its log. */
  log(): string
  /** Ends the server and removes its store. */
  stop(): Promise<void>
  /** Ends the server and starts it again with the same port and store. */
  restart(signal?: NodeJS.Signals): Promise<void>
  /** Ends the server but keeps its store; `restart` starts it again. */
  halt(signal?: NodeJS.Signals): Promise<void>
  /** Stops the server's processor time, as a machine that hangs. */
  freeze(): void
  thaw(): void
}

export async function startNatsServer(options: NatsServerOptions = {}): Promise<NatsServer> {
  const program = natsServerPath()
  if (program === null) throw new Error(MISSING)
  const folder = mkdtempSync(join(tmpdir(), 'conclave-nats-'))
  const started = new StartedServer(program, folder, options)
  try {
    await started.start()
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  return started
}

class StartedServer implements NatsServer {
  port = 0
  readonly #program: string
  readonly #options: NatsServerOptions
  #process: ChildProcess | null = null
  #log = ''

  constructor(
    program: string,
    readonly folder: string,
    options: NatsServerOptions,
  ) {
    this.#program = program
    this.#options = options
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`
  }

  log(): string {
    return this.#log
  }

  /** Another process may take a port between the search for it and the start. */
  async start(): Promise<void> {
    for (let tries = 0; tries < 5; tries++) {
      const [address] = await freeAddresses(1)
      this.port = Number(address.split(':')[1])
      if (await this.#run()) return
      if (!this.#log.includes('address already in use')) break
    }
    throw new Error(`nats-server does not start:\n${this.#log}`)
  }

  async stop(): Promise<void> {
    await this.halt()
    rmSync(this.folder, { recursive: true, force: true })
  }

  async restart(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.halt(signal)
    if (!(await this.#run())) throw new Error(`nats-server does not restart:\n${this.#log}`)
  }

  async halt(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGCONT')
    child.kill(signal)
    await ended
  }

  freeze(): void {
    this.#process?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#process?.kill('SIGCONT')
  }

  /** Whether the server came up; false if it ended. */
  async #run(): Promise<boolean> {
    const path = join(this.folder, 'server.conf')
    writeFileSync(path, this.#configuration())
    const child = spawn(this.#program, ['--config', path], { stdio: ['ignore', 'pipe', 'pipe'] })
    const note = (data: Buffer) => {
      this.#log = (this.#log + data).slice(-100_000)
    }
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    child.once('error', (error) => note(Buffer.from(`${error.message}\n`)))
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    let ended = false
    child.once('close', () => {
      ended = true
      process.off('exit', kill)
    })
    while (!ended) {
      if (await greets(this.port)) {
        this.#process = child
        return true
      }
      await sleep(20)
    }
    return false
  }

  #configuration(): string {
    const { jetStream = true, config = '' } = this.#options
    const store = `jetstream { store_dir: ${JSON.stringify(join(this.folder, 'store'))} }`
    return [`listen: "127.0.0.1:${this.port}"`, jetStream ? store : '', config, ''].join('\n')
  }
}

/** Whether a server of NATS answers at a port: it sends the first line. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', (data) => {
      resolve(data.toString().startsWith('INFO '))
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}

/** The server of the environment variable, of the path, or of Debian's package; else null. */
function natsServerPath(env: Readonly<NodeJS.ProcessEnv> = process.env): string | null {
  if (env.NATS_SERVER) return existsSync(env.NATS_SERVER) ? env.NATS_SERVER : null
  return onPath('nats-server', env) ?? unpackedServer(env)
}

/**
 * The program out of Debian's package, which is unpacked but not installed: installing it would
 * enable a system service. Processes that do so at once each unpack a folder; the first one stays.
 */
function unpackedServer(env: Readonly<NodeJS.ProcessEnv>): string | null {
  if (onPath('apt-get', env) === null || onPath('dpkg-deb', env) === null) return null
  const user = process.getuid?.() ?? 0
  const cache = join(tmpdir(), `conclave-nats-server-${user}`)
  const program = join(cache, 'usr/sbin/nats-server')
  for (let tries = 0; tries < 3; tries++) {
    // The temporary folder is open to all users: only this user's folder is trusted.
    if (existsSync(program) && statSync(cache).uid === user) return program
    try {
      unpackInto(cache)
    } catch {
      // Another process may hold the lock of apt-get.
      execFileSync('sleep', ['1'])
    }
  }
  return null
}

function unpackInto(cache: string): void {
  const folder = mkdtempSync(`${cache}-`)
  try {
    const run = (program: string, ...words: string[]) =>
      execFileSync(program, words, { cwd: folder, stdio: 'ignore' })
    try {
      run('apt-get', 'download', 'nats-server')
    } catch {
      // A new container has no lists of packages.
      if (process.getuid?.() === 0) run('apt-get', 'update')
      run('apt-get', 'download', 'nats-server')
    }
    const [archive] = readdirSync(folder).filter((name) => name.endsWith('.deb'))
    mkdirSync(join(folder, 'unpacked'))
    run('dpkg-deb', '-x', archive, 'unpacked')
    if (!existsSync(cache)) renameSync(join(folder, 'unpacked'), cache)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
