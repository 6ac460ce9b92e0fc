/* A cluster of member processes, and the resource that they work on. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const now = () => Number(process.hrtime.bigint()) / 1e6
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
/** They are ended with this process, however it ends. */
const running = new Set()
process.once('exit', () => {
  for (const cluster of running) cluster.end()
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))

const program = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Members on loopback, with free ports below those of outgoing connections. */
export class Loopback {
  resource = { host: '127.0.0.1', port: 0 }
  #first = 20_000 + Math.floor(Math.random() * 10_000)

  address(member) {
    return `127.0.0.1:${this.#first + member}`
  }

  command(_member, program, args) {
    return [program, args]
  }
}

/** Members that meet on a server of NATS; their addresses are their names. */
export class OverNats {
  resource = { host: '127.0.0.1', port: 0 }

  constructor(url) {
    this.nats = url
  }

  address(member) {
    return `m${member}`
  }

  command(_member, program, args) {
    return [program, args]
  }
}

/** `world`: where processes run and which addresses they have. */
export class Cluster {
  names
  lines
  died
  #processes = []
  #resource = null
  #twin = null
  resourceLines = []
  folder = mkdtempSync(join(tmpdir(), 'conclave-faults-'))
  /** File systems of the members' own, for rows about disks. */
  disks = null
  #moved = new Set()

  constructor(world, settings) {
    this.world = world
    this.settings = settings
    running.add(this)
    this.names = Array.from({ length: settings.members }, (_, i) => `m${i}`)
    this.lines = this.names.map(() => [])
    this.died = this.names.map(() => [])
  }

  get lease() {
    return this.settings.lease
  }

  async start() {
    await this.#startResource()
    await Promise.all(this.names.map((_, i) => this.startMember(i, { bootstrap: true })))
    await this.until(() => this.leader !== null && this.agreed, 20_000, 'the first leader')
  }

  /** The environment of a process may be changed, for a clock that lies. */
  startMember(i, { env, ...changed } = {}) {
    const child = this.#spawn(i, this.#options(i, changed), env)
    child.stdin.on('error', () => {})
    this.#processes[i] = child
    return new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (text) => {
        const line = JSON.parse(text)
        this.lines[i].push(line)
        if (line.what === 'ready') resolve()
      })
      child.on('exit', (code) => reject(new Error(`${this.names[i]} ended with ${code}`)))
    })
  }

  /** A second process under the name of a member, at another member's address. */
  startTwin(i, j) {
    const host = this.world.address(j).replace(/:\d+$/, '')
    const members = { ...this.#members(), [this.names[i]]: `${host}:7072` }
    const storage = `${this.storageOf(i)}-twin`
    this.#twin = this.#spawn(j, { ...this.#options(i, { storage }), members, listen: undefined })
    this.#twin.stdout.resume()
  }

  stopTwin() {
    this.#twin.kill('SIGKILL')
  }

  /** Another process attacks the port of a member. */
  flood(i, duration, kinds = 'garbage idle', files = {}) {
    const [host, port] = (this.world.listen?.(i) ?? this.world.address(i)).split(':')
    const given = [host, port, String(duration), kinds, JSON.stringify(files)]
    const args = [program('attacker.js'), ...given]
    const [command, words] = this.world.command((i + 1) % this.names.length, process.execPath, args)
    spawn(command, words, { stdio: 'ignore' })
  }

  storageOf(i) {
    return join(this.folder, this.names[i])
  }

  /** From now on this member has its second address. */
  move(i) {
    this.#moved.add(i)
  }

  kill(i) {
    const child = this.#processes[i]
    child.kill('SIGKILL')
    this.died[i].push(now())
    return new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve()
      else child.on('exit', resolve)
    })
  }

  signal(i, name) {
    process.kill(this.pid(i), name)
  }

  pid(i) {
    return this.#processes[i].pid
  }

  tell(i, command) {
    this.#processes[i].stdin.write(`${JSON.stringify(command)}\n`)
  }

  /** The member that holds a valid lease now, as its last line says; null where there is none. */
  get leader() {
    const at = now()
    const found = this.lines.findIndex((lines) => {
      const last = lines.findLast(({ what }) => what === 'valid' || what === 'invalid')
      return last?.what === 'valid' && last.until > at
    })
    return found < 0 ? null : found
  }

  /** Whether all members know the same leader. */
  get agreed() {
    const known = this.lines.map((lines) => {
      const last = lines.findLast(({ what }) => what === 'leader' || what === 'ready')
      return last?.leader?.id ?? null
    })
    return known[0] !== null && known.every((one) => one === known[0])
  }

  async until(holds, within, what) {
    const end = now() + within
    while (!holds()) {
      if (now() > end) throw new Error(`${what}: not within ${within} ms`)
      await sleep(5)
    }
  }

  async stop() {
    this.end()
    await sleep(50)
    this.end()
  }

  /** Leaves nothing behind: no process, no file, no namespace. */
  end() {
    this.disks?.close()
    for (const child of [...this.#processes, this.#resource, this.#twin]) child?.kill('SIGKILL')
    this.world.close?.()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
    running.delete(this)
  }

  #members() {
    const address = (j) => this.world.address(j, this.#moved.has(j))
    return Object.fromEntries(this.names.map((name, j) => [name, address(j)]))
  }

  #options(i, { bootstrap = false, storage = this.storageOf(i) } = {}) {
    const { lease, tls, secret, options } = this.settings
    return {
      ...{ cluster: 'faults', me: this.names[i], members: this.#members() },
      ...{ storage, lease, bootstrap },
      ...(tls ? { tls: tls(this.names[i]) } : secret && { secret }),
      ...(this.world.listen && { listen: this.world.listen(i) }),
      ...options,
    }
  }

  #spawn(place, options, env = {}) {
    const { blocks, otherClock, verbose, logged } = this.settings
    const { resource } = this.world
    const { nats } = this.world
    const given = JSON.stringify({ options, blocks, otherClock, resource, nats })
    const args = [program('member.js'), given]
    const [command, words] = this.world.command(place, process.execPath, args)
    const child = spawn(command, words, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', logged ? 'pipe' : verbose ? 'inherit' : 'ignore'],
    })
    if (logged) createInterface({ input: child.stderr }).on('line', (line) => logged(place, line))
    return child
  }

  #startResource() {
    const { host, port } = this.world.resource
    const folder = join(this.folder, 'resource')
    const args = [program('resource.js'), host, String(port), folder]
    const [command, words] = this.world.command(null, process.execPath, args)
    this.#resource = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] })
    return new Promise((resolve, reject) => {
      this.#resource.on('exit', (code) => reject(new Error(`the resource ended with ${code}`)))
      createInterface({ input: this.#resource.stdout }).on('line', (text) => {
        const line = JSON.parse(text)
        if (line.what !== 'ready') return this.resourceLines.push(line)
        this.world.resource.port = line.port
        resolve()
      })
    })
  }
}
