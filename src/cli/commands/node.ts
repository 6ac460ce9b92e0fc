import { Command } from 'commander'
import { aggregationNamed, algorithmNamed, defaultAlgorithm } from '../../algorithms/index.ts'
import {
  addressText,
  Listener,
  Member,
  memberOptionsOf,
  tcpLinks,
  tcpTransport,
} from '../../cluster/index.ts'
import { UsageError } from '../../core/index.ts'
import { decimal, integer } from '../../scenario/fields/reading.ts'
import { electionNode } from '../cluster/election-node.ts'
import { gossipNode, type ValueOptions } from '../cluster/gossip-node.ts'
import { ParentPipe, WORDS } from '../cluster/parent-pipe.ts'
import { addTimingFlags, TIMES, type TimingOptions, timingOf } from '../cluster/timing-flags.ts'
import { addressesOf, readAddresses } from '../input/addresses.ts'
import { duration } from '../input/duration.ts'
import { addScenarioFlags, givenOf, WAKE_AT_ONCE } from '../input/scenario-flags.ts'
import { EXIT, type Io, type Leave } from '../io.ts'

interface Options extends Record<string, unknown>, TimingOptions, ValueOptions {
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

const EXAMPLES = `
Every process is started with the same addresses and its own --me: --ring for algorithms on a ring,
--complete for all others. With - the process prints the address it listens at and reads the others
from standard input: one JSON array.
${TIMES}
Such a process goes on until Ctrl-C, or for the time of --for. One that is started again holds an
election; --json is then a line for each change of its view, and one at the end. One that gossips
tells its estimate when that has changed.

Examples, in two terminals:
  conclave node --algorithm lcr --ring 127.0.0.1:7001,127.0.0.1:7002 --me 0
  conclave node --algorithm lcr --ring 127.0.0.1:7001,127.0.0.1:7002 --me 1
  conclave node --algorithm bully --complete 127.0.0.1:7001,127.0.0.1:7002 --me 0 --for 10s
  conclave node --algorithm gossip-max --complete 127.0.0.1:7001,127.0.0.1:7002 --me 0 --value 3`

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
  return addTimingFlags(command)
    .option('--value <number>', 'gossip: what this process brings, in place of --values')
    .option('--value-file <path>', 'gossip: the same out of a file, read anew at every epoch')
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
  const aggregation = aggregationNamed(options.algorithm)
  const algorithm = aggregation
    ? defaultAlgorithm(aggregation)
    : algorithmNamed(options.algorithm, '--algorithm')
  const { watch, unit } = timingOf(options, algorithm)
  const patience = patienceOf(options, watch?.timeout ?? 60_000)
  const limit = options.for === undefined ? null : duration('--for', options.for)
  const given = addressesOf(options, algorithm)
  const n = given.list?.length ?? integer('-n', options.n, 1, 10_000)
  const me = positionOf(options.me, n)
  const scenario = { ...givenOf(options), topology: `${given.network}:${n}` }
  if (aggregation === undefined) refuseValue(options)
  const part = aggregation
    ? gossipNode(scenario, aggregation, me, unit, options)
    : electionNode(scenario, algorithm, me, watch !== null)
  const log = (line: string) => io.err(`position ${me}: ${line}\n`)
  const listener = await Listener.at(given.list?.[me] ?? { host: '127.0.0.1', port: 0 })
  const parent = given.list === null ? new ParentPipe() : null
  const addresses = given.list ?? (await told(parent!, given.flag, listener, n, io))
  const transport = tcpTransport({
    listener,
    links: tcpLinks(part.world.topology, me, addresses),
    patience,
    lasting: watch !== null,
    log,
  })
  // Timers that count delays are fair only once all are there, which the parent alone can see.
  const waits = parent !== null && watch !== null
  const member = new Member({
    ...memberOptionsOf(part.world, me),
    ...(part.brings && { aggregateSource: part.brings }),
    transport,
    starts: part.starter && !waits,
    stay: options.stay === true,
    unit,
    ...(watch && { failureDetector: watch }),
    log,
  })
  const tell = (line: string) => io.out(`${line}\n`)
  const unfollow = part.follow(member, tell, options.json === true)
  let interrupted = false
  const interrupt = () => {
    interrupted = true
    void member.close()
  }
  const expiry = limit === null ? undefined : setTimeout(() => void member.close(), limit)
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  parent?.attend((word) => {
    if (word === WORDS.report) tell(JSON.stringify({ report: part.report(member) }))
    else if (part.starter && member.outcome.status === 'asleep') member.start()
  }, interrupt)
  try {
    await member.open()
    if (waits) tell(JSON.stringify({ standing: true }))
    await member.ended
  } catch (error) {
    if (!interrupted) throw error
  } finally {
    clearTimeout(expiry)
    unfollow()
    await member.close()
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    parent?.release()
  }
  tell(options.json ? JSON.stringify(part.report(member)) : part.ending(member))
  if (interrupted) return EXIT.interrupted
  return part.succeeded(member) ? EXIT.done : EXIT.violated
}

function patienceOf({ patience }: Options, otherwise: number): number {
  if (patience === undefined) return otherwise
  return 1000 * decimal('--patience', patience, 'a number of seconds above 0', 60, (s) => s > 0)
}

function refuseValue({ value, valueFile }: ValueOptions): void {
  if (value === undefined && valueFile === undefined) return
  throw new UsageError(
    value === undefined ? '--value-file' : '--value',
    'a value of its own is for a process that gossips, but an election was asked for.',
    'Use --values, the same for all.',
  )
}

function positionOf(me: string, n: number): number {
  const position = integer('--me', me, 0, Number.MAX_SAFE_INTEGER)
  if (position < n) return position
  throw new UsageError(
    '--me',
    `a position from 0 to ${n - 1} is needed, but ${position} was given.`,
    'Positions are counted from 0.',
  )
}

/** Tells whoever started this process where it listens, and is told the addresses of all. */
async function told(parent: ParentPipe, flag: string, listener: Listener, n: number, io: Io) {
  io.out(`${JSON.stringify({ listening: addressText(listener.address) })}\n`)
  try {
    return readAddresses(flag, (await parent.first()) ?? '', n)
  } catch (error) {
    parent.release()
    await listener.close()
    throw error
  }
}
