import { electionFor, leased } from '../../algorithms/index.ts'
import { isLoopback } from '../../cluster/mesh/remote.ts'
import { type Address, parseAddress } from '../../cluster/transports/address.ts'
import type { StreamTransport } from '../../cluster/transports/stream-transport.ts'
import { LOG_LEVELS, type LogLevel } from '../../coordinator/operations/log.ts'
import {
  type CoordinatorOptions,
  checkedOptions,
  checkRole,
  type MemberAddress,
  type RoleOptions,
  timingOf,
} from '../../coordinator/options.ts'
import { MEMBERS_ROLE } from '../../coordinator/roles/roles.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { nats } from '../../nats/transport.ts'
import { duration } from '../input/duration.ts'
import { NATS_NAMES, natsOptionsOf } from '../input/nats-flags.ts'
import { readText } from '../input/read-file.ts'
import { referencedDefinition } from '../input/user-algorithm.ts'
import { certificatesIn } from './certificate-folder.ts'
import type { GivenSettings } from './given-settings.ts'

const EXITS = ['resign', 'restart', 'exit'] as const
const LOGS = ['text', 'json', 'off'] as const

/** Everything that `conclave coordinator` needs to know, checked. */
export interface CoordinatorSettings {
  readonly options: CoordinatorOptions
  readonly lease: number
  readonly roles: Readonly<Record<string, RoleOptions>>
  /** The command to run while this member leads; empty for none. */
  readonly command: readonly string[]
  readonly grace: number
  readonly onExit: (typeof EXITS)[number]
  readonly http: Address | null
  readonly log: (typeof LOGS)[number]
  readonly logLevel: LogLevel
}

/** Checks everything that was given as a whole, before anything starts. */
export async function checkedSettings(
  given: GivenSettings,
  words: readonly string[],
  terminal: boolean,
): Promise<CoordinatorSettings> {
  const reader = new SettingsReader(given)
  const command = words.length > 0 ? words : reader.words('command')
  const roles = await rolesOf(reader)
  if (command.length > 0 && Object.keys(roles).length === 0)
    throw new UsageError('--role', 'a command needs a role.', 'Write for example --role cron.')
  const options = optionsOf(reader, command.length > 0)
  const { lease } = reader.located(() => timingOf(options))
  reader.located(() => checkedOptions(options))
  refuseUnprotected(options)
  const grace = reader.duration('grace') ?? lease / 4
  if (grace > lease / 2)
    throw new UsageError(
      reader.origin('grace'),
      `of a lease of ${lease} ms no more than half can be left to the end of the command.`,
      'Shorten it, or lengthen the lease.',
    )
  return {
    options,
    lease,
    roles,
    command,
    grace,
    onExit: reader.oneOf('on-exit', EXITS) ?? 'resign',
    http: reader.address('http'),
    log: reader.oneOf('log', LOGS) ?? (terminal ? 'text' : 'json'),
    logLevel: reader.oneOf('log-level', LOG_LEVELS) ?? 'info',
  }
}

function optionsOf(reader: SettingsReader, hasCommand: boolean): CoordinatorOptions {
  const me = reader.text('me') ?? ''
  const tls = reader.text('tls')
  const file = reader.text('secret-file')
  const given = {
    preset: reader.text('preset') as CoordinatorOptions['preset'],
    lease: reader.duration('lease'),
    limit: reader.duration('limit'),
    drift: reader.number('drift'),
    margin: reader.duration('margin'),
    notice: reader.duration('notice'),
    timeout: reader.duration('timeout'),
    lateness: reader.duration('lateness'),
    drain: reader.duration('drain'),
    storage: reader.text('storage'),
    listen: reader.text('listen'),
    bootstrap: reader.switch('bootstrap'),
    observe: reader.switch('observe'),
    insecure: reader.switch('insecure'),
    tls: tls === undefined ? undefined : certificatesIn(tls, me, reader.origin('tls')),
    secret: file === undefined ? undefined : readText(file, reader.origin('secret-file')).trim(),
    fast: fastOf(reader, hasCommand),
    transport: transportOf(reader),
  }
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  return {
    cluster: reader.required('cluster'),
    me: reader.required('me'),
    members: membersOf(reader),
    ...Object.fromEntries(set),
  }
}

/** Where members meet by name; undefined where they have addresses. */
function transportOf(reader: SettingsReader): StreamTransport | undefined {
  const url = reader.text('nats')
  const given = NATS_NAMES.map((name) => [name, reader.text(name)] as const)
  const flags = given.filter(([, value]) => value !== undefined)
  if (url !== undefined) {
    const options = natsOptionsOf(url, Object.fromEntries(flags), reader.origin('nats'))
    return nats(options.servers, options)
  }
  const [first] = flags
  if (first === undefined) return undefined
  throw new UsageError(
    reader.origin(first[0]),
    'it says as whom to connect to NATS, and no server is given.',
    'Add --nats nats://host:4222, or leave it out.',
  )
}

/** The job of a process may outlive it: with a command a lease always runs out. */
function fastOf(reader: SettingsReader, hasCommand: boolean): CoordinatorOptions['fast'] {
  const fast = reader.oneOf('fast', ['on', 'off', 'connection'])
  if (fast !== undefined && fast !== 'off' && hasCommand)
    throw new UsageError(
      reader.origin('fast'),
      'the command may outlive this process.',
      'Leave it out.',
    )
  if (fast === 'connection' || (fast === undefined && !hasCommand)) return fast
  return fast === 'on'
}

/** Where others than this machine can connect, they must prove who they are. */
function refuseUnprotected({ me, members, listen, ...options }: CoordinatorOptions): void {
  if (options.tls ?? options.secret ?? (options.insecure || options.observe)) return
  const own = (members as Record<string, MemberAddress>)[me]
  const address = listen ?? own.address
  if (isLoopback(address)) return
  throw new UsageError(
    '--tls',
    `anybody who reaches ${address} could become a member.`,
    'Give --tls or --secret-file, or --insecure if all who can connect are trusted.',
  )
}

async function rolesOf(reader: SettingsReader): Promise<Record<string, RoleOptions>> {
  const names = reader.words('role')
  const nominate = reader.text('nominate')
  const priority = reader.number('priority')
  const hold = reader.duration('hold')
  const options: RoleOptions = {
    ...(nominate !== undefined && { nominate: await nominator(nominate, reader) }),
    ...(priority !== undefined && { priority: () => priority }),
    ...(reader.switch('preempt') && { preempt: true }),
    ...(hold !== undefined && { hold }),
  }
  for (const name of names) {
    reader.located(() => checkRole(name, options))
    refuseBuiltIn(name, reader)
  }
  return Object.fromEntries(names.map((name) => [name, options]))
}

function refuseBuiltIn(role: string, reader: SettingsReader): void {
  if (role !== MEMBERS_ROLE) return
  throw new UsageError(
    reader.origin('role'),
    `every member has the role ${role}, whose leader changes the members.`,
    'Choose another name.',
  )
}

/** The election that proposes who should lead; others than those that can are refused. */
async function nominator(reference: string, reader: SettingsReader): Promise<Algorithm> {
  const where = reader.origin('nominate')
  const found = await referencedDefinition(reference, { where })
  const definition = electionFor('nominate', found, where, reference)
  try {
    leased(definition)
    return definition
  } catch (error) {
    throw error instanceof UsageError ? error.at(where) : error
  }
}

function membersOf(reader: SettingsReader): Record<string, MemberAddress> {
  const witnesses = reader.words('witness')
  const entries = reader.members().map(([name, address]) => {
    const kind = witnesses.includes(name) ? ('witness' as const) : ('voter' as const)
    return [name, { address, kind }] as const
  })
  const members = Object.fromEntries(entries)
  const unknown = witnesses.find((name) => !Object.hasOwn(members, name))
  if (unknown !== undefined)
    throw new UsageError(
      reader.origin('witness'),
      `${quoted(unknown)} is not among the members.`,
      'Give its address too.',
    ).withCandidates(unknown, Object.keys(members))
  return members
}

/** Reads settings by name; errors name the place where the user wrote them. */
class SettingsReader {
  constructor(private readonly given: GivenSettings) {}

  /** Where a setting was given, or would be. */
  origin(name: string): string {
    return this.given.get(name)?.origin ?? `--${name}`
  }

  /** Runs a check of the library; its errors name options, which users know as settings. */
  located<T>(check: () => T): T {
    try {
      return check()
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      const [name] = error.where.split('.')
      const known = name === 'secret' ? 'secret-file' : name
      throw this.given.has(known) ? error.at(this.origin(known)) : error.at(`--${known}`)
    }
  }

  text(name: string): string | undefined {
    const value = this.given.get(name)?.value
    if (value === undefined || (typeof value === 'string' && value !== '')) return value
    if (typeof value === 'number') return String(value)
    throw this.wrong(name, value, 'a text')
  }

  required(name: string): string {
    const text = this.text(name)
    if (text !== undefined) return text
    throw new UsageError(
      'conclave coordinator',
      `the option --${name} is required.`,
      'See conclave coordinator --help.',
    )
  }

  switch(name: string): boolean | undefined {
    const value = this.given.get(name)?.value
    if (value === undefined || typeof value === 'boolean') return value
    throw this.wrong(name, value, 'true or false')
  }

  number(name: string): number | undefined {
    const value = this.given.get(name)?.value
    if (value === undefined) return undefined
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number === 'number' && Number.isFinite(number)) return number
    throw this.wrong(name, value, 'a number')
  }

  duration(name: string): number | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : duration(this.origin(name), text)
  }

  oneOf<T extends string>(name: string, words: readonly T[]): T | undefined {
    const text = this.text(name)
    const found = words.find((word) => word === text)
    if (text === undefined || found !== undefined) return found
    throw this.wrong(name, text, `one of ${words.join(', ')}`).withCandidates(text, words)
  }

  address(name: string): Address | null {
    const text = this.text(name)
    if (text === undefined) return null
    try {
      return parseAddress(text)
    } catch (error) {
      throw error instanceof UsageError ? error.at(this.origin(name)) : error
    }
  }

  /** Words between commas, or an array of them. */
  words(name: string): string[] {
    const value = this.given.get(name)?.value
    if (value === undefined) return []
    const texts: unknown[] = Array.isArray(value) ? value : [value]
    if (!texts.every((text) => typeof text === 'string')) throw this.wrong(name, value, 'names')
    if (name === 'command') return texts as string[]
    return texts.flatMap((text) => (text as string).split(',')).filter((word) => word !== '')
  }

  /** Names with addresses; names alone where members meet by name. */
  members(): (readonly [string, string])[] {
    const named = this.given.has('nats')
    const names = named && isList(this.given.get('members')?.value) ? this.words('members') : []
    if (names.length === 0 || names.some((name) => name.includes('='))) return this.pairs('members')
    return this.unequal(
      'members',
      names.map((name) => [name, name]),
    )
  }

  /** `a=1,b=2`, or an object. */
  pairs(name: string): (readonly [string, string])[] {
    const value = this.given.get(name)?.value ?? this.required(name)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return Object.entries(value).map(([key, text]) => [key, String(text)] as const)
    }
    const pairs = this.words(name).map((word) => {
      const at = word.indexOf('=')
      if (at < 1 || at === word.length - 1)
        throw new UsageError(
          this.origin(name),
          `${quoted(word)} is not a name and an address.`,
          'Write for example a=10.0.0.1:7001,b=10.0.0.2:7001.',
        )
      return [word.slice(0, at), word.slice(at + 1)] as const
    })
    return this.unequal(name, pairs)
  }

  private unequal(
    name: string,
    pairs: readonly (readonly [string, string])[],
  ): (readonly [string, string])[] {
    const names = pairs.map(([key]) => key)
    const twice = names.find((key, i) => names.indexOf(key) < i)
    if (twice === undefined) return [...pairs]
    throw new UsageError(this.origin(name), `${twice} is given twice.`, 'Remove one of them.')
  }

  private wrong(name: string, value: unknown, wanted: string): UsageError {
    return new UsageError(
      this.origin(name),
      `${wanted} is needed, but ${quoted(value)} was given.`,
      'Correct it.',
    )
  }
}

const isList = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value)
