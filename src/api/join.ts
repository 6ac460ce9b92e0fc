import type { Address, Member, StreamTransport, Transport } from '../cluster/index.ts'
import { type Algorithm, type Topology, UsageError } from '../core/index.ts'
import { electingLargest } from '../core/runtime/election-keys.ts'
import { IN_NODE } from '../jobs/this-thread.ts'
import { integer, unexpected, word } from '../options/reading.ts'
import { optionNamed, scenarioInput } from '../options/scenario.ts'
import type { ScenarioOptions } from '../options/scenario-options.ts'
import { isObjectLiteral } from '../options/shape.ts'
import { prepare } from '../scenario/index.ts'
import { refuseOptions } from './option-checks.ts'
import type { SettingsOf } from './simulate.ts'
import { type AlgorithmOf, algorithmOf, type ElectionTarget, runnable } from './targets.ts'

/** Where the members of a cluster listen, which of them this process is, and how it behaves. */
export interface JoinOptions<A extends Algorithm = Algorithm>
  extends Pick<ScenarioOptions, 'ids' | 'values' | 'electBy' | 'weights' | 'seed'> {
  /** The position of this member, from 0. */
  readonly me: number
  /** The addresses of all members by position, such as `'127.0.0.1:7001'`. */
  readonly addresses?: readonly (string | Address)[]
  /** In place of addresses: where members meet by name, such as `nats` of conclave/coordinator. */
  readonly transport?: StreamTransport
  /** A secret of at least 16 characters that all members share: TLS with a key made of it. */
  readonly secret?: string
  /** The number of members, where they have no addresses. */
  readonly n?: number
  /** Where this member listens, if others reach it by another address. */
  readonly listen?: string | Address
  /** How members are linked; by default what the algorithm needs, or `'complete'`. */
  readonly topology?: 'ring' | 'complete'
  /** Parameters of the algorithm, by name. */
  readonly set?: SettingsOf<A>
  /** The member with the largest priority wins; read at the start of an election. */
  readonly priority?: () => number
  /** Milliseconds between two heartbeats, 100 by default. */
  readonly heartbeat?: number
  /** Milliseconds of silence after which a neighbour is taken for crashed, 500 by default. */
  readonly timeout?: number
  /** Milliseconds that a message may take, the unit of timers; 100 by default. */
  readonly delayBound?: number
  /** Milliseconds to wait for the neighbours: 60,000, or the timeout where they may come later. */
  readonly patience?: number
  /** Whether it starts an election when it is connected; by default as the algorithm says. */
  readonly start?: boolean
  /** Whether it stays when the election has ended, until it is closed. */
  readonly stay?: boolean
  /** A folder for what it must remember after a restart; algorithms that make promises need one. */
  readonly storage?: string
  /** Called with a line for every link that comes or goes. */
  readonly log?: (line: string) => void
  /** Runs own definitions without checking what their handlers do: faster, for very large runs. */
  readonly unchecked?: boolean
}

const WORLD = ['ids', 'values', 'electBy', 'weights', 'seed', 'set'] as const
const TIMES = ['heartbeat', 'timeout', 'delayBound', 'patience'] as const
const PLACE = [
  'me',
  'addresses',
  'transport',
  'secret',
  'n',
  'listen',
  'topology',
  'storage',
] as const

const KINDS = {
  priority: 'function',
  log: 'function',
  start: 'boolean',
  stay: 'boolean',
  unchecked: 'boolean',
} as const

/** More could not be connected to each other. */
const MOST_MEMBERS = 10_000

/** A day: longer times are a slip of the pen. */
const LONGEST_MS = 86_400_000

/**
 * Makes this process a member of a cluster, over TCP or NATS. All members need the same options but
 * for `me`, `listen`, `priority` and `log`. It resolves when all neighbours are connected or, where
 * the algorithm goes on after crashes, when `patience` has passed: neighbours that have not come by
 * then count as crashed. An election that this member is to start has started then.
 *
 * `const member = await join(bully, { me: 0, addresses: ['10.0.0.1:7001', '10.0.0.2:7001'] })`
 */
export async function join<const T extends ElectionTarget>(
  algorithm: T,
  options: JoinOptions<AlgorithmOf<T>>,
): Promise<Member> {
  if (!IN_NODE) throw new UsageError('join', 'a browser cannot be a member.', 'Use Node.js.')
  refuseOptions(options === undefined ? {} : options, [...PLACE, ...WORLD, ...TIMES], KINDS)
  const definition = runnable(algorithmOf(algorithm), options?.unchecked)
  const cluster = await import('../cluster/index.ts')
  const { Member: Node, memberNetwork, memberOptionsOf, memberTiming } = cluster
  const way = options?.transport === undefined ? overTcp(options, cluster) : overStreams(options)
  const { n } = way
  const me = integer('me', options.me, 0, n - 1, 'a position')
  const times = timesIn(options)
  const { failureDetector, unit } = memberTiming(definition, times, optionNamed)
  const given = scenarioInput(pick(options as ScenarioOptions, WORLD))
  const network = networkFor(definition, memberNetwork(definition), options.topology)
  const topology = `${network}:${n}`
  // One that is started again must hold an election, whichever was the first to start.
  const wake = failureDetector !== null && { wake: 'all' }
  const { world, conditions } = prepare({ ...given, ...wake, topology }, definition, optionNamed)
  const { priority, start = conditions.starts.nodes.includes(me), stay, log } = options
  if (options.storage !== undefined && typeof options.storage !== 'string')
    throw unexpected('storage', 'the path of a folder', options.storage, "Write './state'.")
  const node = { algorithm: world.algorithm, position: me, n }
  const remembered = cluster.stableStorage('storage', options.storage, node)
  const transport = await way.open(world.topology, me, {
    patience: times.patience ?? failureDetector?.timeout ?? 60_000,
    lasting: failureDetector !== null,
    ...(failureDetector && { connectWithin: failureDetector.timeout }),
    ...(log && { log }),
  })
  try {
    const member = new Node({
      ...memberOptionsOf(world, me),
      ...(priority && { algorithm: electingLargest('priority', world.algorithm) }),
      ...(priority && { priority }),
      ...remembered,
      transport,
      starts: start,
      stay: stay === true,
      unit,
      ...(failureDetector && { failureDetector }),
      ...(log && { log }),
    })
    await member.open()
    return member
  } catch (error) {
    await transport.close()
    throw error
  }
}

type Cluster = typeof import('../cluster/index.ts')

/** The limits of a transport, which depend on the algorithm. */
type Limits = Parameters<Cluster['transportThrough']>[3]

/** How many members there are, and how one of them is connected to the others. */
interface WayToOthers {
  readonly n: number
  open(topology: Topology, me: number, limits: Limits): Promise<Transport>
}

function overTcp(options: JoinOptions, cluster: Cluster): WayToOthers {
  const { secret } = options ?? {}
  if (secret !== undefined && typeof secret !== 'string')
    throw unexpected('secret', 'a text', secret, 'Read it from a file.')
  const { Listener, addressText, parseAddresses, tcpLinks, tcpTransport } = cluster
  const addresses = parseAddresses(addressTexts(options, addressText), 'addresses')
  if (options.n !== undefined) integer('n', options.n, addresses.length, addresses.length)
  return {
    n: addresses.length,
    async open(topology, me, limits) {
      const { listen = addresses[me] } = options
      const [place] = parseAddresses([addressIn('listen', listen, addressText)], 'listen')
      const listener = await Listener.at(place, secret)
      return tcpTransport({ ...limits, listener, links: tcpLinks(topology, me, addresses) })
    },
  }
}

function overStreams(options: JoinOptions): WayToOthers {
  const { transport, addresses, listen, secret, n } = options
  if (typeof transport?.open !== 'function')
    throw unexpected('transport', 'a transport', transport, 'Make one with nats(url, options).')
  if (addresses !== undefined || listen !== undefined)
    throw new UsageError(
      addresses === undefined ? 'listen' : 'addresses',
      'members that meet by name have no addresses.',
      'Leave it out, or leave the transport out.',
    )
  if (secret !== undefined)
    throw new UsageError(
      'secret',
      'members that meet by name get it from their transport.',
      'Write nats(url, { secret }).',
    )
  return {
    n: integer('n', n, 1, MOST_MEMBERS, 'the number of members'),
    async open(topology, me, limits) {
      const { transportThrough } = await import('../cluster/index.ts')
      return transportThrough(transport, topology, me, limits)
    },
  }
}

function addressTexts(
  options: JoinOptions | undefined,
  text: (address: Address) => string,
): readonly string[] {
  const addresses: unknown = options?.addresses
  if (!Array.isArray(addresses) || addresses.length === 0)
    throw unexpected('addresses', 'the addresses of all members', addresses, EXAMPLE)
  return addresses.map((address: unknown, i) => addressIn(`addresses[${i}]`, address, text))
}

const EXAMPLE = "Write for example addresses: ['127.0.0.1:7001', '127.0.0.1:7002']."

function addressIn(where: string, address: unknown, text: (address: Address) => string): string {
  if (typeof address === 'string') return address
  const { host, port } = isObjectLiteral(address) ? address : {}
  if (typeof host === 'string' && typeof port === 'number') return text({ host, port })
  throw unexpected(where, 'an address', address, EXAMPLE)
}

function timesIn(options: JoinOptions): Partial<Record<(typeof TIMES)[number], number>> {
  const given = TIMES.filter((name) => options[name] !== undefined)
  return Object.fromEntries(
    given.map((name) => [name, integer(name, options[name], 1, LONGEST_MS, 'milliseconds')]),
  )
}

function networkFor(
  { name, needs: { topology: needed } }: Algorithm,
  usual: 'ring' | 'complete',
  given: JoinOptions['topology'],
): string {
  if (given === undefined) return usual
  const network = word('topology', given, ['ring', 'complete'])
  if (needed === 'any' || needed === network) return network
  throw new UsageError('topology', `${name} needs a ${needed} network.`, 'Leave the option out.')
}

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  const given = names.filter((name) => from[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, from[name]])) as Pick<T, K>
}
