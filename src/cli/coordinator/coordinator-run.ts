import { constants } from 'node:os'
import { addressText } from '../../cluster/transports/address.ts'
import type { MembershipChange } from '../../coordinator/membership/host.ts'
import type { CoordinatorNode, Leader, LeaderTerm, Role } from '../../coordinator/node.ts'
import { controlSocket } from '../../coordinator/operations/control.ts'
import { type HttpServer, httpServer } from '../../coordinator/operations/http.ts'
import {
  LOG_LEVELS,
  type LogEntry,
  type LogHook,
  type LogLevel,
} from '../../coordinator/operations/log.ts'
import type { CoordinatorOptions } from '../../coordinator/options.ts'
import { UsageError } from '../../core/index.ts'
import { EXIT, type Io } from '../io.ts'
import { type JobEnd, keepJob } from './kept-job.ts'
import type { CoordinatorSettings } from './settings.ts'

/** How a node is started; tests give another one. */
export type StartNode = (options: CoordinatorOptions) => Promise<CoordinatorNode>

/** Commands that end sooner make the next pause longer, in milliseconds. */
const COMMAND_MS_MIN = 10_000
const LONGEST_PAUSE = 60_000

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a member until it is interrupted, or fails; returns the exit code. */
export async function runCoordinator(
  settings: CoordinatorSettings,
  io: Io,
  json: boolean,
  start: StartNode,
): Promise<number> {
  const log = logLines(settings.log, settings.logLevel, (text) => io.err(text))
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  for (const signal of SIGNALS) process.once(signal, interrupt)
  let node: CoordinatorNode | null = null
  // Before the node: an address that is taken is found before anything starts.
  const server = await served(settings, () => node, log)
  try {
    node = await start({ ...settings.options, log, signal: interrupted.signal })
    if (node.failure !== null) {
      await node.close()
      io.err(`${settings.options.storage}: ${node.failure}; mend it, then start again\n`)
      return EXIT.usage
    }
    return await new CoordinatorRun(settings, node, io, json, log, interrupted.signal).run()
  } catch (error) {
    if (interrupted.signal.aborted && !(error instanceof UsageError)) return EXIT.done
    throw error
  } finally {
    await server?.close()
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
}

/** Serves what can be read of the node, where that is wanted. */
async function served(
  { http }: CoordinatorSettings,
  node: () => CoordinatorNode | null,
  log: LogHook,
): Promise<HttpServer | null> {
  if (http === null) return null
  try {
    const server = await httpServer(node, http)
    const message = `http://${addressText(server.address)} serves /status and /metrics`
    log({ level: 'info', event: 'http', message })
    return server
  } catch (error) {
    throw error instanceof UsageError ? error.at('--http') : error
  }
}

class CoordinatorRun {
  private readonly ends = new AbortController()
  private exitCode: number = EXIT.done

  constructor(
    private readonly settings: CoordinatorSettings,
    private readonly node: CoordinatorNode,
    private readonly io: Io,
    private readonly json: boolean,
    private readonly log: LogHook,
    interrupted: AbortSignal,
  ) {
    if (interrupted.aborted) this.ends.abort()
    interrupted.addEventListener('abort', () => this.ends.abort(), { once: true })
  }

  async run(): Promise<number> {
    const { node, settings } = this
    const { storage, observe } = settings.options
    node.on('failed', () => this.end(EXIT.usage))
    node.on('closed', () => this.ends.abort())
    node.on('removed', () => this.removed())
    // The folder of a member is locked; that of an observer is not.
    const control =
      storage === undefined || observe ? null : await controlSocket(storage, commandsOf(node))
    try {
      await Promise.all(Object.keys(settings.roles).map((name) => this.runRole(name)))
      await this.ended()
    } finally {
      // While the folder is still locked.
      await control?.close()
      await node.close()
    }
    return this.exitCode
  }

  private runRole(name: string): Promise<void> | undefined {
    const role = this.node.role(name, this.settings.roles[name])
    role.on('leader', (leader) => this.tell(role, leader))
    if (role.leader !== null) this.tell(role, role.leader)
    return this.settings.command.length > 0 ? this.runCommand(role) : undefined
  }

  /** Prints who leads. With a command, standard output is that of the command. */
  private tell(role: Role, leader: Leader | null): void {
    if (this.settings.command.length > 0 || this.ends.signal.aborted) return
    const { name } = role
    const { me, members } = this.node.status()
    const pid = members.find(({ id }) => id === leader?.id)?.pid ?? null
    const line = this.json
      ? leaderJson(name, leader, role.leads(), pid)
      : leaderText(name, leader, me, pid)
    this.io.out(`${line}\n`)
  }

  /** Runs the command whenever this member leads, until the node ends. */
  private async runCommand(role: Role): Promise<void> {
    const { signal } = this.ends
    let pause = 1000
    while (!signal.aborted) {
      let began = performance.now()
      for await (const term of role.terms({ signal })) {
        began = performance.now()
        const { left } = await this.runInTerm(role, term)
        if (left) break
      }
      if (signal.aborted) return
      pause = performance.now() - began < COMMAND_MS_MIN ? Math.min(2 * pause, LONGEST_PAUSE) : 1000
      await this.paused(pause)
    }
  }

  /** Runs the command in one term; `left`: it ended by itself, and so does the term. */
  private async runInTerm(role: Role, term: LeaderTerm): Promise<{ readonly left: boolean }> {
    const { command, lease, grace, onExit } = this.settings
    const fields = { role: role.name, term: term.token }
    for (;;) {
      const told = (what: string) =>
        this.log({ level: 'info', event: 'job', message: `${command[0]}: ${what}`, ...fields })
      const end = await keepJob(term, { command, role: role.name, lease, grace, told })
      if (term.signal.aborted) return { left: false }
      const message = `${command[0]} ${endText(end)} while this member leads`
      this.log({ level: 'warn', event: 'job-ended', message, ...fields })
      if (onExit === 'exit') this.end(exitCodeOf(end))
      if (onExit !== 'restart' || end.failure !== null) return { left: true }
      await this.paused(1000)
      if (term.signal.aborted) return { left: false }
    }
  }

  /** A removed member has nothing to do; one that is to be added again is started again. */
  private removed(): void {
    const { me } = this.node
    const message = `${me} is no member any more: this process ends`
    this.log({ level: 'info', event: 'removed', message })
    this.end(EXIT.done)
  }

  private end(code: number): void {
    this.exitCode = code
    this.ends.abort()
  }

  private ended(): Promise<void> {
    const { signal } = this.ends
    return new Promise((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  private async paused(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const passed = new Promise((resolve) => {
      timer = setTimeout(resolve, milliseconds)
    })
    await Promise.race([passed, this.ended()])
    clearTimeout(timer)
  }
}

/** That of the command, as a shell reports it. */
function exitCodeOf({ code, signal }: JobEnd): number {
  if (signal !== null) return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0)
  return code ?? EXIT.usage
}

function endText({ code, signal, failure }: JobEnd): string {
  if (failure !== null) return `could not be run (${failure})`
  return code === null ? `was ended by ${signal}` : `ended with exit code ${code}`
}

/** What others may ask of a running member through its control socket. */
function commandsOf(node: CoordinatorNode) {
  const roleOf = (given: Readonly<Record<string, unknown>>) => {
    const { roles } = node.status()
    if (typeof given.role === 'string' && Object.hasOwn(roles, given.role))
      return node.role(given.role)
    const names = Object.keys(roles)
    throw new UsageError(
      'role',
      `${JSON.stringify(given.role)} is not a role of this member.`,
      `It has ${names.join(', ') || 'none'}.`,
    ).withCandidates(given.role, names)
  }
  return {
    status: () => node.status(),
    change: async ({ add = {}, remove = [] }: Readonly<Record<string, unknown>>) => {
      await node.change({ add, remove } as MembershipChange)
      return { members: node.members }
    },
    resign: async (given: Readonly<Record<string, unknown>>) => {
      const role = roleOf(given)
      if (!role.leads()) {
        const leader = role.leader?.id
        throw new UsageError(
          'resign',
          `this member does not lead ${role.name}.`,
          leader === undefined ? 'Nobody is known to lead it.' : `Ask ${leader}, who leads it.`,
        )
      }
      const { to } = given
      const released = typeof to === 'string' ? await role.transfer(to) : await role.resign()
      return { released }
    },
  }
}

/** Writes entries of a log as lines, from a level on. */
export function logLines(
  form: 'text' | 'json' | 'off',
  least: LogLevel,
  write: (text: string) => void,
  now: () => Date = () => new Date(),
): LogHook {
  const weight = (level: LogLevel) => LOG_LEVELS.indexOf(level)
  return (entry) => {
    if (form === 'off' || weight(entry.level) < weight(least)) return
    const time = now().toISOString()
    write(`${form === 'json' ? JSON.stringify({ time, ...entry }) : textLine(time, entry)}\n`)
  }
}

/** `12:01:02.345 warn  cron: the lease was not renewed in time (term 7, 3 times more)` */
function textLine(time: string, entry: LogEntry): string {
  const { level, event: _, message, role, repeated, ...more } = entry
  const facts = Object.entries(more)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name} ${value}`)
  if (repeated !== undefined) facts.push(`${repeated} times more`)
  const subject = role === undefined ? '' : `${role}: `
  const rest = facts.length === 0 ? '' : ` (${facts.join(', ')})`
  // What others sent must not move the cursor or colour the terminal.
  const line = `${subject}${message}${rest}`.replace(/\p{Cc}/gu, '?')
  return `${time.slice(11, 23)} ${level.padEnd(5)} ${line}`
}

/** Who leads a role, for people. */
export function leaderText(
  role: string,
  leader: Leader | null,
  me: string,
  pid: number | null,
): string {
  if (leader === null) return `${role}: nobody is known to lead`
  const { id, term } = leader
  const facts = [...(id === me ? ['this member'] : []), ...(pid === null ? [] : [`pid ${pid}`])]
  const who = facts.length === 0 ? id : `${id} (${facts.join(', ')})`
  return `${role}: ${who} leads, term ${term}`
}

/** The same for programs. */
export function leaderJson(
  role: string,
  leader: Leader | null,
  leads: boolean,
  pid: number | null,
): string {
  const { id = null, term = null } = leader ?? {}
  return JSON.stringify({ event: 'leader', role, leader: id, term, leads, pid })
}
