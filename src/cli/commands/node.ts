import { Command } from 'commander'
import {
  addressText,
  Listener,
  Member,
  seatOf,
  tcpLinks,
  tcpTransport,
} from '../../cluster/index.ts'
import { type Algorithm, Complaint, type World } from '../../core/index.ts'
import { idOf } from '../../core/world.ts'
import { flagged, type Preparation, prepare } from '../../scenario/index.ts'
import { decimal, integer } from '../../scenario/reading.ts'
import { type Addresses, addressesOf, readAddresses } from '../addresses.ts'
import { duration } from '../duration.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { algorithmNamed } from '../lookup.ts'
import { Parent, WORDS } from '../parent.ts'
import {
  addTimeFlags,
  refuseSimulated,
  TIMES,
  type TimeOptions,
  timesOf,
} from '../real-processes.ts'
import { addScenarioFlags, givenOf, WAKE_AT_ONCE } from '../scenario-flags.ts'

interface Options extends Record<string, unknown>, TimeOptions {
  readonly algorithm: string
  readonly ring?: string
  readonly complete?: string
  readonly me: string
  readonly n?: string
  readonly patience?: string
  readonly stay?: true
  readonly for?: string
  readonly json?: true
}

/** What one process says of itself: when its part is over, or whenever its view has changed. */
export interface NodeReport {
  readonly node: number
  /** null where nodes have no ids. */
  readonly id: number | null
  /** What it holds, where processes hold something. */
  readonly value?: number
  readonly status: string
  readonly leader: number | null
  readonly messages: {
    readonly total: number
    readonly byType: Readonly<Record<string, number>>
    /** Sent over links that were down; only where processes watch each other. */
    readonly toDead?: number
  }
}

const EXAMPLES = `
Every process is started with the same addresses and its own --me: --ring for algorithms on a ring,
--complete for all others. With - the process prints the address it listens at and reads the others
from standard input: one JSON array.
${TIMES}
Such a process goes on until Ctrl-C, or for the time of --for. One that is started again holds an
election; --json is then a line for each change of its view, and one at the end.

Examples, in two terminals:
  conclave node --algorithm lcr --ring 127.0.0.1:7001,127.0.0.1:7002 --me 0
  conclave node --algorithm lcr --ring 127.0.0.1:7001,127.0.0.1:7002 --me 1
  conclave node --algorithm bully --complete 127.0.0.1:7001,127.0.0.1:7002 --me 0 --for 10s`

export function nodeCommand(io: Io, leave: Leave): Command {
  const command = new Command('node')
    .description('one real process of a ring or of a complete network')
    .requiredOption('--algorithm <name>', 'a name from conclave list')
    .option('--ring <addresses>', 'the addresses of all processes, by position, or -')
    .option('--complete <addresses>', 'the same, each linked to every other')
    .requiredOption('--me <position>', 'the position of this process, from 0')
  addScenarioFlags(command, ['n', 'ids', 'wake', 'values', 'elect-by', 'seed', 'set'], {
    n: 'how many processes there are; needed with -',
    wake: WAKE_AT_ONCE,
  })
  return addTimeFlags(command)
    .option(
      '--patience <seconds>',
      'how long to wait for the neighbours (default: 60; the timeout where it goes on without them)',
    )
    .option('--stay', 'stay after the election, until interrupted')
    .option('--for <duration>', 'leave after so long, whatever happens')
    .option('--json', 'one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => leave(await takePart(options, io)))
}

async function takePart(options: Options, io: Io): Promise<number> {
  const algorithm = algorithmNamed(options.algorithm, '--algorithm')
  const { watch, unit } = timesOf(options, algorithm)
  const patience = patienceOf(options, watch?.timeout ?? 60_000)
  const limit = options.for === undefined ? null : duration('--for', options.for)
  const given = addressesOf(options, algorithm)
  const n = given.list?.length ?? integer('-n', options.n, 1, 10_000)
  const me = positionOf(options.me, n)
  const { world, conditions } = preparationOf(options, algorithm, given, n, watch !== null)
  const log = (line: string) => io.err(`position ${me}: ${line}\n`)
  const listener = await Listener.at(given.list?.[me] ?? { host: '127.0.0.1', port: 0 })
  const parent = given.list === null ? new Parent() : null
  const addresses = given.list ?? (await told(parent!, given.flag, listener, n, io))
  const transport = tcpTransport({
    listener,
    links: tcpLinks(world.topology, me, addresses),
    patience,
    lasting: watch !== null,
    log,
  })
  const starter = conditions.starts.nodes.includes(me)
  // Timers that count delays are fair only once all are there, which the parent alone can see.
  const waits = parent !== null && watch !== null
  const member = new Member({
    ...seatOf(world, me),
    transport,
    starts: starter && !waits,
    stay: options.stay === true,
    unit,
    ...(watch && { watch }),
    log,
  })
  const report = () => reportOf(member, me, world, watch !== null)
  if (!options.json) tellViews(member, me, io)
  else if (watch !== null) member.on('outcome', () => io.out(`${JSON.stringify(report())}\n`))
  let interrupted = false
  const interrupt = () => {
    interrupted = true
    void member.close()
  }
  const expiry = limit === null ? undefined : setTimeout(() => void member.close(), limit)
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  parent?.attend((word) => {
    if (word === WORDS.report) io.out(`${JSON.stringify({ report: report() })}\n`)
    else if (starter && member.outcome.status === 'asleep') member.start()
  }, interrupt)
  try {
    await member.open()
    if (waits) io.out(`${JSON.stringify({ standing: true })}\n`)
    await member.ended
  } catch (error) {
    if (!interrupted) throw error
  } finally {
    clearTimeout(expiry)
    await member.close()
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    parent?.release()
  }
  io.out(reportText(report(), options.json === true))
  if (interrupted) return EXIT.interrupted
  return member.outcome.leader === null ? EXIT.violated : EXIT.done
}

function patienceOf({ patience }: Options, otherwise: number): number {
  if (patience === undefined) return otherwise
  return 1000 * decimal('--patience', patience, 'a number of seconds above 0', 60, (s) => s > 0)
}

function preparationOf(
  options: Options,
  algorithm: Algorithm,
  { network }: Addresses,
  n: number,
  lasting: boolean,
): Preparation {
  // One that is started again must hold an election, whoever was the first to start.
  const wake = lasting ? { wake: 'all' } : {}
  const given = { ...wake, ...givenOf(options), topology: `${network}:${n}` }
  const preparation = prepare(given, algorithm, flagged)
  refuseSimulated(preparation)
  return preparation
}

function tellViews(member: Member, me: number, io: Io): void {
  let known: number | null = null
  member.on('outcome', ({ status, leader }) => {
    if (leader === known) return
    known = leader
    const self = status === 'leader' ? ' (this process)' : ''
    io.out(`position ${me}: ${leader === null ? 'nobody' : `id ${leader}`} leads${self}\n`)
  })
}

function reportOf(member: Member, node: number, world: World, watched: boolean): NodeReport {
  const { status, leader } = member.outcome
  const { total, byType, toDead } = member.counts
  return {
    node,
    id: world.algorithm.needs.ids === undefined ? null : idOf(world, world.ids[node]),
    ...(world.values && { value: world.values[node] }),
    status,
    leader,
    messages: { total, byType, ...(watched && { toDead }) },
  }
}

function reportText(report: NodeReport, json: boolean): string {
  if (json) return `${JSON.stringify(report)}\n`
  const { node, messages } = report
  const types = Object.entries(messages.byType).map(([type, count]) => `${count} ${type}`)
  return `position ${node}: sent ${messages.total} messages (${types.join(', ')})\n`
}

function positionOf(me: string, n: number): number {
  const position = integer('--me', me, 0, Number.MAX_SAFE_INTEGER)
  if (position < n) return position
  throw new Complaint(
    '--me',
    `a position from 0 to ${n - 1} is needed`,
    `${position} was given`,
    'Positions are counted from 0.',
  )
}

/** Tells whoever started this process where it listens, and is told the addresses of all. */
async function told(parent: Parent, flag: string, listener: Listener, n: number, io: Io) {
  io.out(`${JSON.stringify({ listening: addressText(listener.address) })}\n`)
  try {
    return readAddresses(flag, (await parent.first()) ?? '', n)
  } catch (error) {
    parent.release()
    await listener.close()
    throw error
  }
}
