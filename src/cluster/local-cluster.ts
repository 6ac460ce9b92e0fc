import type { Link } from '../core/language/net.ts'
import { linksOf, type Topology } from '../core/language/topology.ts'
import { constantsOf, uidBits, type World } from '../core/language/world.ts'
import type { Random } from '../core/runtime/random.ts'
import type { State } from '../core/runtime/state.ts'
import { Member } from './member.ts'
import type { MemberOptions } from './member-options.ts'
import type { MessageCounts } from './node/message-counter.ts'
import { worldSettings } from './shared-settings.ts'
import type { Address } from './transports/address.ts'
import { memoryNetwork } from './transports/memory.ts'
import { onwardLink } from './transports/neighbour.ts'
import { type StreamTransport, transportThrough } from './transports/stream-transport.ts'
import { Listener, tcpLinks, tcpTransport } from './transports/tcp.ts'
import type { Transport } from './transports/transport.ts'

/** Options of a cluster in one process. */
export interface LocalClusterOptions {
  /** The positions that start the election; all by default. */
  readonly starters?: readonly number[]
  /** Random choices, and in memory the order of deliveries: the same seed, the same election. */
  readonly random?: Random
  /** The unit of the algorithm's timers in milliseconds. */
  readonly unit?: number
  readonly log?: (line: string) => void
}

/** The result of an election among all members. */
export interface LocalClusterResult {
  /** Positions, in the order in which they became leader. */
  readonly leaders: readonly number[]
  readonly messages: Pick<MessageCounts, 'total' | 'byType'>
  readonly bits: number
  /** By position. */
  readonly states: readonly State[]
}

/** Runs all members of a world in this process until their election terminates, without sockets. */
export function runInMemory(
  world: World,
  options: LocalClusterOptions = {},
): Promise<LocalClusterResult> {
  return runMembers(world, memoryNetwork(world.topology, options.random?.split('order')), options)
}

/** The same over TCP on loopback, at free ports. */
export async function runOnLoopback(
  world: World,
  options: LocalClusterOptions = {},
): Promise<LocalClusterResult> {
  const { topology } = world
  const log = options.log ?? (() => {})
  const free: Address = { host: '127.0.0.1', port: 0 }
  const listeners = await Promise.all(positions(topology).map(() => Listener.at(free)))
  const addresses = listeners.map(({ address }) => address)
  const transports = listeners.map((listener, position) =>
    tcpTransport({ listener, links: tcpLinks(topology, position, addresses), log }),
  )
  return runMembers(world, transports, options)
}

/** The same, where members meet by name; the transport is for this election alone. */
export async function runThrough(
  transport: StreamTransport,
  world: World,
  options: LocalClusterOptions = {},
): Promise<LocalClusterResult> {
  const { topology } = world
  const log = options.log ?? (() => {})
  const transports = positions(topology).map((position) =>
    transportThrough(transport, topology, position, { log }),
  )
  return runMembers(world, await Promise.all(transports), options)
}

async function runMembers(
  world: World,
  transports: readonly Transport[],
  options: LocalClusterOptions,
): Promise<LocalClusterResult> {
  const leaders: number[] = []
  const members: Member[] = []
  try {
    for (const [position, transport] of transports.entries()) {
      const member = new Member({ transport, ...memberOptions(world, position, options) })
      member.on('outcome', ({ status }) => {
        if (status === 'leader' && !leaders.includes(position)) leaders.push(position)
      })
      members.push(member)
    }
    await Promise.all(members.map((member) => member.open()))
    await Promise.all(members.map((member) => member.ended))
  } finally {
    await Promise.all(members.map((member) => member.close()))
    await Promise.all(transports.map((transport) => transport.close()))
  }
  const counts = members.map((member) => member.counts)
  return {
    leaders,
    messages: { total: sum(counts.map(({ total }) => total)), byType: sumByType(counts) },
    bits: sum(counts.map(({ bits }) => bits)),
    states: members.map((member) => member.state),
  }
}

/** The options of a member: those of the world and those of this run. */
function memberOptions(
  world: World,
  position: number,
  { starters, random, unit, log }: LocalClusterOptions,
) {
  const choices = random?.split(`coins of ${position}`)
  return {
    ...memberOptionsOf(world, position),
    starts: starters?.includes(position) ?? true,
    ...(choices && { random: choices }),
    ...(unit !== undefined && { unit }),
    ...(log && { log: (line: string) => log(`position ${position}: ${line}`) }),
  }
}

/** The options of a member that its world determines. */
export function memberOptionsOf(world: World, position: number): Omit<MemberOptions, 'transport'> {
  const { algorithm, topology, ids, names, weights } = world
  const byLink = (value: (link: Link) => number) =>
    new Map(linksOf(topology, position).map((link) => [link, value(link)]))
  return {
    algorithm,
    position,
    n: topology.n,
    id: ids[position],
    params: constantsOf(world, position),
    peers: byLink((link) => ids[topology.neighbor(position, link)]),
    ...(topology.outLinks !== undefined && { outLinks: topology.outLinks }),
    neighbours: byLink((link) => topology.neighbor(position, link)),
    ...(weights && { weights: byLink((link) => weights[topology.channel(position, link)]) }),
    ...(names && { names }),
    uidBits: uidBits(world),
    shared: worldSettings(world),
    onward: onwardLink(topology, position),
  }
}

function positions(topology: Topology): number[] {
  return Array.from({ length: topology.n }, (_, position) => position)
}

function sumByType(counts: readonly MessageCounts[]): Record<string, number> {
  const names = Object.keys(counts[0].byType)
  return Object.fromEntries(
    names.map((name) => [name, sum(counts.map(({ byType }) => byType[name]))]),
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}
