import type { StreamTransport } from '../cluster/transports/stream-transport.ts'
import { quoted } from '../core/text-format.ts'
import { UsageError } from '../core/usage-error.ts'
import { checkMemberAddress, isServiceName } from './member-address.ts'
import { checkVoters } from './membership/change-rules.ts'
import type { CoordinatorOptions, MemberAddress } from './options.ts'

const NAME = /^[a-z\d]([\w.-]{0,62})$/i

type MemberAddresses = Readonly<Record<string, MemberAddress>>

/** Members with their addresses, from what a user wrote; each of them is checked. */
export function givenMembers(options: CoordinatorOptions): MemberAddresses {
  refuseMissing(options)
  checkName('cluster', options.cluster)
  checkName('me', options.me)
  const addresses = memberAddresses('members', options)
  checkKinds(addresses, options.bootstrap === true)
  checkMe(options, addresses)
  if (options.transport === undefined) checkListen(options, addresses)
  else refuseForTransport(options)
  return addresses
}

function memberAddresses(
  where: string,
  { members: given, transport }: CoordinatorOptions,
): MemberAddresses {
  const members: unknown = Array.isArray(given) ? byName(where, given, transport) : given
  const example = `Write for example ${where}: { a: '10.0.0.1:7001', b: '10.0.0.2:7001' }.`
  if (typeof members !== 'object' || members === null || Object.keys(members).length === 0)
    throw new UsageError(where, 'the addresses of the members by name are missing.', example)
  const entries = Object.entries(members as MemberEntries).map(([name, entry]) => {
    checkName(where, name)
    const address = typeof entry === 'string' ? entry : entry?.address
    if (typeof address !== 'string' || address === '')
      throw new UsageError(`${where}.${name}`, 'the address is missing.', example)
    checkMemberAddress(`${where}.${name}`, address, transport === undefined ? undefined : name)
    return [name, typeof entry === 'string' ? { address } : entry] as const
  })
  const all = Object.fromEntries(entries)
  refuseEqualAddresses(where, all)
  return all
}

/** What every node needs; the others are asked for later, where they are needed. */
function refuseMissing(given: Partial<CoordinatorOptions>): void {
  const missing = (['cluster', 'me', 'members'] as const).filter(
    (name) => given[name] === undefined,
  )
  if (missing.length === 0) return
  throw new UsageError(
    'coordinator',
    `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
    "Write for example coordinator({ cluster: 'billing', me: 'a', members: { a: '10.0.0.1:7001', " +
      "b: '10.0.0.2:7001', c: '10.0.0.3:7001' }, storage: './state' }).",
  )
}

/** Later the configuration on disk says who votes; but a list of witnesses alone is a mistake. */
function checkKinds(members: MemberAddresses, bootstrap: boolean): void {
  const kinds = Object.values(members).map(({ kind = 'voter' }) => ({ kind }))
  const witnesses = kinds.every(({ kind }) => kind === 'witness')
  if (bootstrap || witnesses) checkVoters(kinds, 'members')
}

/** Members that one SRV record names may share it: who answers says who it is. */
function refuseEqualAddresses(where: string, members: MemberAddresses): void {
  const known = new Map<string, string>()
  for (const [name, { address }] of Object.entries(members)) {
    const other = known.get(address)
    if (other !== undefined && !isServiceName(address))
      throw new UsageError(
        where,
        `${other} and ${name} have the same address, ${address}.`,
        'Give every member an address of its own.',
      )
    known.set(address, name)
  }
}

type MemberEntries = Readonly<Record<string, string | MemberAddress>>

/** Names alone say where members are only if they meet by name. */
function byName(
  where: string,
  names: readonly string[],
  transport: StreamTransport | undefined,
): MemberEntries {
  if (transport === undefined)
    throw new UsageError(
      where,
      'names alone do not say where the members are.',
      "Write for example { a: '10.0.0.1:7001' }, or give a transport.",
    )
  return Object.fromEntries(names.map((name) => [name, name]))
}

function checkMe({ me, observe }: CoordinatorOptions, members: Readonly<Record<string, unknown>>) {
  if (observe || Object.hasOwn(members, me)) return
  const names = Object.keys(members)
  throw new UsageError(
    'me',
    `${quoted(me)} is not among the members ${names.join(', ')}.`,
    'Add its address to the members, or set observe to true.',
  ).withCandidates(me, names)
}

function checkListen({ me, listen, observe }: CoordinatorOptions, members: MemberAddresses): void {
  const own = members[me]?.address ?? ''
  if (listen !== undefined || observe || !isServiceName(own)) return
  throw new UsageError(
    'listen',
    `the SRV record ${own} does not say where ${me} listens.`,
    "Write for example listen: '0.0.0.0:7001'.",
  )
}

/** What has no meaning, or no protection, where members meet by name. */
function refuseForTransport(options: CoordinatorOptions): void {
  const { transport, cluster, listen, tls, fast } = options
  if (typeof transport?.open !== 'function')
    throw new UsageError('transport', 'it is none.', 'Make one with nats(url, options).')
  const refuse = (where: string, problem: string) => {
    throw new UsageError(where, problem, 'Leave it out.')
  }
  if (listen !== undefined) refuse('listen', 'members that meet by name have no addresses.')
  if (tls !== undefined)
    refuse('tls', 'certificates of members need direct connections; those of NATS go to nats().')
  if (fast !== undefined && fast !== false)
    refuse('fast', 'whether a process has ended is not seen through NATS, whose connections break.')
  const named = transport.cluster ?? cluster
  if (named !== cluster)
    refuse('transport', `it is for the cluster ${quoted(named)}, and this one is ${cluster}.`)
  const { secret = transport.secret, insecure = transport.insecure } = options
  if (secret !== undefined || insecure) return
  throw new UsageError(
    'secret',
    'over NATS, whoever may use the subjects could become a member without one.',
    'Give all members the same secret, or permit insecure members.',
  )
}

/** Whether a text may name a cluster, a member or a role. */
export function isName(name: unknown): boolean {
  return typeof name === 'string' && NAME.test(name)
}

export function checkName(where: string, name: unknown): void {
  if (isName(name)) return
  throw new UsageError(
    where,
    `${quoted(String(name))} is not a name: up to 63 letters, digits, dots, hyphens, underscores.`,
    'Choose another one.',
  )
}
