import { randomBytes } from 'node:crypto'
import {
  type Address,
  addressText,
  Listener,
  memberNetwork,
  parseAddresses,
  type Transport,
  tcpLinks,
  tcpTransport,
  transportThrough,
} from '../../cluster/index.ts'
import { type Algorithm, type Topology, UsageError } from '../../core/index.ts'
import { type NatsOptions, parseNatsAddresses } from '../../nats/options.ts'
import { integer } from '../../options/reading.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import { addressesOf, readAddresses } from '../input/addresses.ts'
import { NATS, type NatsFlags, natsOptionsOf, refuseNatsFlags } from '../input/nats-flags.ts'
import { readText } from '../input/read-file.ts'
import type { Io } from '../io.ts'
import type { Verb } from '../verb.ts'
import { ParentPipe } from './parent-pipe.ts'

/** The flags that say where the processes are. */
export interface MeetingOptions extends NatsFlags {
  readonly ring?: string
  readonly complete?: string
  /** Any other network between the processes that the command `cluster` starts. */
  readonly links?: string
  readonly listen?: string
  readonly n?: string
  readonly nats?: string
  readonly cluster?: string
  readonly secretFile?: string
  readonly insecure?: true
}

/** Where the processes of an election meet. */
export interface Meeting {
  readonly n: number
  readonly network: 'ring' | 'complete'
  open(topology: Topology, me: number, io: Io, limits: Limits): Promise<OpenedMeeting>
}

type Limits = Parameters<typeof transportThrough>[3]

interface OpenedMeeting {
  readonly transport: Transport
  /** The process that has started this one, and has told it where the others are. */
  readonly parent: ParentPipe | null
}

/** The cluster of a server of NATS, as the process that starts all others tells it. */
export interface NatsMeeting extends NatsOptions {
  readonly cluster: string
  readonly secret?: string
  readonly insecure?: boolean
}

/**
 * The cluster of processes that are started together on a server of NATS: its name and its secret
 * are drawn. Null where they use TCP. Rejects if the server does not answer.
 */
export async function drawnMeeting(
  options: NatsFlags & { readonly nats?: string },
): Promise<NatsMeeting | null> {
  if (options.nats === undefined) {
    refuseWithoutNats(options)
    return null
  }
  const draw = (bytes: number) => randomBytes(bytes).toString('hex')
  const connection = natsOptionsOf(options.nats, options, '--nats')
  const { connectNats } = await import('../../nats/connection.ts')
  await (await connectNats(connection)).close()
  return { ...connection, cluster: `processes-${draw(8)}`, secret: draw(32) }
}

/** How each of these processes is told where the others are: on standard input. */
export function meetingWords(
  meeting: NatsMeeting | null,
  { kind, name }: Topology,
  given: ScenarioInput,
): string[] {
  const links = kind === 'graph' ? ['--links', String(given.topology ?? name)] : []
  const network = kind === 'ring' ? '--ring' : '--complete'
  return [meeting === null ? network : '--nats', FROM_PARENT, ...links]
}

/** What connects them, for headings. */
export function meetingText(meeting: NatsMeeting | null): string {
  if (meeting === null) return 'over TCP on loopback'
  return `over ${parseNatsAddresses(meeting.servers, '--nats').shown}`
}

/** In place of an address: it is on standard input. */
const FROM_PARENT = '-'

export function addMeetingFlags(verb: Verb): Verb {
  return verb
    .group('members')
    .option('--cluster <name>', 'NATS: name of the cluster; others on the server do not see it')
    .option('--secret-file <file>', 'file with a secret of all processes, which encrypts by TLS')
    .option('--insecure', 'NATS: permit processes without a secret')
    .declare(NATS)
}

export function meetingOf(options: MeetingOptions, algorithm: Algorithm): Meeting {
  if (options.nats === undefined) {
    refuseWithoutNats(options)
    return overTcp(options, algorithm)
  }
  refuseAddresses(options)
  const given = options.nats === FROM_PARENT ? null : natsMeeting(options, options.nats)
  return {
    n: integer('-n', options.n, 1, 10_000),
    network: options.links === undefined ? memberNetwork(algorithm) : 'complete',
    async open(network, me, io, limits) {
      const parent = given === null ? new ParentPipe() : null
      try {
        const { servers, ...rest } = given ?? readNatsMeeting((await parent!.firstLine()) ?? '')
        const { nats } = await import('../../nats/transport.ts')
        const transport = await transportThrough(nats(servers, rest), network, me, limits)
        if (parent !== null) await askParent(parent, 'NATS', io, () => {})
        return { parent, transport }
      } catch (error) {
        parent?.close()
        throw error instanceof UsageError ? located(error) : error
      }
    },
  }
}

function overTcp(options: MeetingOptions, algorithm: Algorithm): Meeting {
  const { flag, network, list } = addressesOf(options, algorithm)
  const n = list?.length ?? integer('-n', options.n, 1, 10_000)
  return {
    n,
    network,
    async open(topology, me, io, limits) {
      const place = listenAddress(options, list?.[me] ?? null)
      const listener = await Listener.at(place, secretIn(options)).catch((error) => {
        throw error instanceof UsageError ? located(error) : error
      })
      const parent = list === null ? new ParentPipe() : null
      const own = addressText(listener.address)
      try {
        const addresses =
          list ?? (await askParent(parent!, own, io, (line) => readAddresses(flag, line, n)))
        const links = tcpLinks(topology, me, addresses)
        return { parent, transport: tcpTransport({ ...limits, listener, links }) }
      } catch (error) {
        await listener.close()
        throw error
      }
    },
  }
}

/** Says where this process is found, and reads where the others are. */
async function askParent<T>(
  parent: ParentPipe,
  own: string,
  io: Io,
  read: (line: string) => T,
): Promise<T> {
  io.out(`${JSON.stringify({ listening: own })}\n`)
  try {
    return read((await parent.firstLine()) ?? '')
  } catch (error) {
    parent.close()
    throw error
  }
}

/** Where a process listens: at its address in the list, unless it is told otherwise. */
function listenAddress({ listen }: MeetingOptions, own: Address | null): Address {
  if (listen === undefined) return own ?? { host: '127.0.0.1', port: 0 }
  if (own !== null) return parseAddresses([listen], '--listen')[0]
  throw new UsageError(
    '--listen',
    'a process that reads the addresses from standard input listens on loopback.',
    'Give the addresses of all processes.',
  )
}

function natsMeeting(options: MeetingOptions, url: string): NatsMeeting {
  const { cluster, insecure } = options
  const secret = secretIn(options)
  if (cluster === undefined)
    throw new UsageError(
      '--cluster',
      'processes on a server of NATS need the name of their cluster.',
      'Write for example --cluster lecture, the same for all.',
    )
  return {
    ...natsOptionsOf(url, options, '--nats'),
    cluster,
    ...(secret !== undefined && { secret }),
    ...(insecure && { insecure }),
  }
}

function secretIn({ secretFile }: MeetingOptions): string | undefined {
  return secretFile === undefined ? undefined : readText(secretFile, '--secret-file').trim()
}

function readNatsMeeting(line: string): NatsMeeting {
  try {
    return JSON.parse(line)
  } catch {
    throw new UsageError(
      '--nats',
      'the first line of standard input is not JSON.',
      'Give the address of a server of NATS.',
    )
  }
}

/** Errors of the library name options, which users know as flags. */
function located(error: UsageError): UsageError {
  if (error.where === 'cluster') return error.at('--cluster')
  return error.where === 'secret' ? error.at('--secret-file') : error
}

function refuseAddresses({ ring, complete, listen }: MeetingOptions): void {
  const given = { '--ring': ring, '--complete': complete, '--listen': listen }
  refuseGiven(given, 'processes that meet on a server of NATS have no addresses.')
}

function refuseWithoutNats(options: MeetingOptions): void {
  const { cluster, insecure } = options
  const own = { '--cluster': cluster, '--insecure': insecure }
  refuseGiven(own, 'it is for --nats only.')
  refuseNatsFlags(options, '--nats')
}

function refuseGiven(given: Readonly<Record<string, unknown>>, problem: string): void {
  const [flag] = Object.keys(given).filter((name) => given[name] !== undefined)
  if (flag !== undefined) throw new UsageError(flag, problem, 'Leave it out.')
}
