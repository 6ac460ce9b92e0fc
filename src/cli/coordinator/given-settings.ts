import type { Command } from 'commander'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { readJsonObject } from '../input/json-file.ts'
import { NATS_FLAGS } from '../input/nats-flags.ts'

/** One setting: a flag, a variable of the environment and a field of the configuration file. */
interface Setting {
  readonly name: string
  /** What follows the flag; none: a switch. */
  readonly takes?: string
  readonly says: string
  /** The flag may be given several times. */
  readonly several?: true
}

export const SETTINGS: readonly Setting[] = [
  { name: 'cluster', takes: 'name', says: 'name of the cluster; members of others are refused' },
  { name: 'me', takes: 'name', says: 'name of this member' },
  { name: 'members', takes: 'list', says: 'all members as name=host:port,name=host:port,...' },
  { name: 'witness', takes: 'names', says: 'members of the list that vote and never lead' },
  { name: 'role', takes: 'names', says: 'roles for which this member stands', several: true },
  {
    name: 'nominate',
    takes: 'algorithm',
    says: 'the election that proposes who should lead (default: bully)',
  },
  { name: 'priority', takes: 'number', says: 'the member with the largest one should lead' },
  { name: 'preempt', says: 'a better candidate takes over from a leader' },
  { name: 'hold', takes: 'duration', says: 'how long a leader stays before that' },
  { name: 'preset', takes: 'local|lan|wan', says: 'leases of 0.3 s, 1 s or 5 s (default: lan)' },
  { name: 'lease', takes: 'duration', says: 'how long a leader may act without a majority' },
  { name: 'limit', takes: 'duration', says: 'longest lease that this member grants' },
  { name: 'drift', takes: 'ratio', says: 'bound on how clocks run apart (default: 0.05)' },
  { name: 'margin', takes: 'duration', says: 'taken off every lease (default: lease/50)' },
  {
    name: 'notice',
    takes: 'duration',
    says: 'work is aborted so long before the end (default: lease/8)',
  },
  {
    name: 'timeout',
    takes: 'duration',
    says: 'silence until a link is dropped (default: lease/2)',
  },
  { name: 'lateness', takes: 'duration', says: 'a process this late resigns (default: lease/2)' },
  { name: 'drain', takes: 'duration', says: 'time for work to end before a lease is released' },
  { name: 'storage', takes: 'folder', says: 'folder for what must survive a restart' },
  { name: 'bootstrap', says: 'found the cluster once all members answer with empty folders' },
  { name: 'observe', says: 'only watch who leads; neither vote nor lead' },
  { name: 'listen', takes: 'address', says: 'where to listen, if not at the own address' },
  { name: 'tls', takes: 'folder', says: 'certificates: ca.crt, and .crt and .key of each member' },
  { name: 'secret-file', takes: 'file', says: 'file with a secret of all members, without TLS' },
  { name: 'insecure', says: 'permit other machines without TLS and without a secret' },
  {
    name: 'fast',
    takes: 'on|off|connection',
    says: 'follow a process that is gone at once: one of this machine, or any whose connection ends (default: on; off with a command)',
  },
  { name: 'nats', takes: 'url', says: 'meet on a server of NATS; the members are a,b,c then' },
  ...NATS_FLAGS,
  { name: 'http', takes: 'address', says: 'serve /metrics, /healthz, /status and /leader/ROLE' },
  { name: 'grace', takes: 'duration', says: 'time from SIGTERM to SIGKILL for the command' },
  {
    name: 'on-exit',
    takes: 'resign|restart|exit',
    says: 'what follows when the command ends by itself (default: resign)',
  },
  {
    name: 'log',
    takes: 'text|json|off',
    says: 'log on standard error (default: text on a terminal, else json)',
  },
  { name: 'log-level', takes: 'debug|info|warn|error', says: 'least level (default: info)' },
]

/** A value with the place where the user wrote it. */
export interface GivenValue {
  readonly value: unknown
  readonly origin: string
}
export type GivenSettings = ReadonlyMap<string, GivenValue>

/** The field of the file that has the command. */
const COMMAND = 'command'

export function addSettingFlags(command: Command): void {
  command.option('--config <file>', 'file with settings, JSON with the names of these flags')
  for (const { name, takes, says, several } of SETTINGS) {
    const flag = `--${name}${takes === undefined ? '' : ` <${takes}>`}`
    if (several) command.option(flag, says, (one: string, all: string[] = []) => [...all, one])
    else command.option(flag, says)
  }
}

const variableOf = (name: string) =>
  `CONCLAVE_${(name === 'role' ? 'roles' : name).replaceAll('-', '_').toUpperCase()}`
const optionOf = (name: string) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())

/** Everything that was given: flags before the environment before the file. */
export function givenSettings(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): GivenSettings {
  const file = flags.config ?? environment[variableOf('config')]
  const given = new Map(typeof file === 'string' ? fromFile(file) : [])
  for (const { name, takes } of SETTINGS) {
    const variable = variableOf(name)
    const text = environment[variable]
    if (text !== undefined && text !== '')
      given.set(name, {
        value: takes === undefined ? switchOf(variable, text) : text,
        origin: variable,
      })
    const flag = flags[optionOf(name)]
    if (flag !== undefined) given.set(name, { value: flag, origin: `--${name}` })
  }
  return given
}

function fromFile(path: string): (readonly [string, GivenValue])[] {
  const known = [...SETTINGS.map(({ name }) => name), COMMAND]
  return Object.entries(readJsonObject(path)).map(([name, value]) => {
    const origin = `${path}: ${name}`
    if (known.includes(name)) return [name, { value, origin }] as const
    throw new UsageError(
      path,
      `there is no setting ${quoted(name)}.`,
      `There are ${known.join(', ')}.`,
    ).withCandidates(name, known)
  })
}

function switchOf(variable: string, text: string): boolean {
  if (['1', 'true', 'yes'].includes(text)) return true
  if (['0', 'false', 'no'].includes(text)) return false
  throw new UsageError(variable, `${quoted(text)} is neither true nor false.`, 'Write true.')
}
