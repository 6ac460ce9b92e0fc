import type { Option } from 'commander'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { readJsonObject } from '../input/json-file.ts'
import { NATS } from '../input/nats-flags.ts'
import { Verb } from '../verb.ts'

/** Each is a flag, a variable of the environment and a field of the configuration file. */
export function addSettings(verb: Verb): Verb {
  return verb
    .short('config', 'cluster', 'me', 'members', 'role', 'storage', 'bootstrap', 'nats', 'preset')
    .group('members')
    .option('--config <file>', 'file with settings, JSON with the names of these flags')
    .option('--cluster <name>', 'name of the cluster; members of others are refused')
    .option('--me <name>', 'name of this member')
    .option('--members <list>', 'all members as name=host:port,name=host:port,...')
    .option('--witness <names>', 'members of the list that vote and never lead')
    .option('--storage <folder>', 'folder for what must survive a restart')
    .option('--bootstrap', 'found the cluster once all members answer with empty folders')
    .option('--observe', 'only watch who leads; neither vote nor lead')
    .option('--listen <address>', 'where to listen, if not at the own address')
    .option('--tls <folder>', 'certificates: ca.crt, and .crt and .key of each member')
    .option('--secret-file <file>', 'file with a secret of all members, in place of certificates')
    .option('--insecure', 'permit other machines without TLS and without a secret')
    .option('--nats <url>', 'meet on a server of NATS; the members are a,b,c then')
    .declare(NATS)
    .group('roles')
    .option(
      '--role <names>',
      'roles for which this member stands',
      (one: string, all: string[] = []) => [...all, one],
    )
    .option('--nominate <algorithm>', 'the election that proposes who should lead (default: bully)')
    .option('--priority <number>', 'the member with the largest one should lead')
    .option('--preempt', 'a better candidate takes over from a leader')
    .option('--hold <duration>', 'how long a leader stays before that')
    .group('time')
    .option('--preset <local|lan|wan>', 'leases of 0.3 s, 1 s or 5 s (default: lan)')
    .option('--lease <duration>', 'how long a leader may act without a majority')
    .option('--limit <duration>', 'longest lease that this member grants')
    .option('--drift <ratio>', 'bound on how clocks run apart (default: 0.05)')
    .option('--margin <duration>', 'taken off every lease (default: lease/50)')
    .option('--notice <duration>', 'work is aborted so long before the end (default: lease/8)')
    .option('--timeout <duration>', 'silence until a link is dropped (default: lease/2)')
    .option('--lateness <duration>', 'a process this late resigns (default: lease/2)')
    .option('--drain <duration>', 'time for work to end before a lease is released')
    .option(
      '--fast <on|off|connection>',
      'follow a process that is gone at once: one of this machine, or any whose connection ends (default: on; off with a command)',
    )
    .option('--grace <duration>', 'time from SIGTERM to SIGKILL for the command')
    .group('output')
    .option('--http <address>', 'serve /metrics, /healthz, /status and /leader/ROLE')
    .option(
      '--on-exit <resign|restart|exit>',
      'what follows when the command ends by itself (default: resign)',
    )
    .option(
      '--log <text|json|off>',
      'log on standard error (default: text on a terminal, else json)',
    )
    .option('--log-level <debug|info|warn|error>', 'least level (default: info)')
}

export const SETTINGS: readonly Option[] = addSettings(new Verb('coordinator')).options.filter(
  (flag) => flag.name() !== 'config',
)

/** A value with the place where the user wrote it. */
export interface GivenValue {
  readonly value: unknown
  readonly origin: string
}
export type GivenSettings = ReadonlyMap<string, GivenValue>

/** The field of the file that has the command. */
const COMMAND = 'command'

const variableOf = (name: string) =>
  `CONCLAVE_${(name === 'role' ? 'roles' : name).replaceAll('-', '_').toUpperCase()}`

/** Everything that was given: flags before the environment before the file. */
export function givenSettings(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): GivenSettings {
  const file = flags.config ?? environment[variableOf('config')]
  const given = new Map(typeof file === 'string' ? fromFile(file) : [])
  for (const setting of SETTINGS) {
    const name = setting.name()
    const variable = variableOf(name)
    const text = environment[variable]
    if (text !== undefined && text !== '')
      given.set(name, {
        value: setting.isBoolean() ? switchOf(variable, text) : text,
        origin: variable,
      })
    const flag = flags[setting.attributeName()]
    if (flag !== undefined) given.set(name, { value: flag, origin: `--${name}` })
  }
  return given
}

function fromFile(path: string): (readonly [string, GivenValue])[] {
  const known = [...SETTINGS.map((setting) => setting.name()), COMMAND]
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
