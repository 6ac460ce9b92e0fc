import { Command } from 'commander'
import { defaultAlgorithm, isAggregation } from '../../algorithms/index.ts'
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
import { PARENT_COMMANDS, ParentPipe } from '../cluster/parent-pipe.ts'
import {
  addTimingFlags,
  TIMING_HELP,
  type TimingOptions,
  timingOf,
} from '../cluster/timing-flags.ts'
import { addressesOf, readAddresses } from '../input/addresses.ts'
import { duration } from '../input/duration.ts'
import { addScenarioFlags, givenOf, WAKE_AT_ONCE } from '../input/scenario-flags.ts'
import { definitionOf } from '../input/user-algorithm.ts'
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
Start every process with the same addresses and its own --me: --ring for algorithms on a ring,
--complete for all others. With - the process prints the address on which it listens, and reads the
addresses of all processes from standard input, as one line with a JSON array.
${TIMING_HELP}
With heartbeats a process runs until Ctrl-C, or for the time of --for; a restarted process starts an
election. --json then prints a line whenever the leader changes, and one at the end. In a gossip a
process prints its estimate whenever it changes.

Examples, in two terminals:
  conclave node --algorithm lcr --ring 127.0.0.1:7001,127.0.0.1:7002 --me 0
  conclave node --algorithm lcr --ring 127.0.0.1:7001,127.0.0.1:7002 --me 1
  conclave node --algorithm bully --complete 127.0.0.1:7001,127.0.0.1:7002 \\
    --me 0 --for 10s
  conclave node --algorithm gossip-max --me 0 --value 3 \\
    --complete 127.0.0.1:7001,127.0.0.1:7002`

export function nodeCommand(io: Io, leave: Leave): Command {
  const command = new Command('node')
    .description('run one real process of a ring or of a complete network')
    .requiredOption('--algorithm <name>', 'a name from conclave list, or your own algorithm (.ts)')
    .option('--ring <addresses>', 'addresses of all processes in order of position, or -')
    .option('--complete <addresses>', 'the same for a complete network')
    .requiredOption('--me <position>', 'position of this process, from 0')
  addScenarioFlags(command, ['n', 'ids', 'wake', 'values', 'elect-by', 'seed', 'set'], {
    n: 'number of processes; required with -',
    wake: WAKE_AT_ONCE,
  })
  return addTimingFlags(command)
    .option('--value <number>', 'gossip: value of this process, in place of --values')
    .option('--value-file <path>', 'gossip: file with the value, read at every epoch')
    .option(
      '--patience <seconds>',
      'how long to wait for the neighbours (default: 60; with heartbeats the timeout)',
    )
    .option('--stay', 'keep running after the election, until interrupted')
    .option('--for <duration>', 'stop after this time in any case')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => leave(await runNode(options, io)))
}

async function runNode(options: Options, io: Io): Promise<number> {
  const definition = await definitionOf(options.algorithm, { where: '--algorithm' })
  const aggregation = isAggregation(definition) ? definition : null
  const algorithm = isAggregation(definition) ? defaultAlgorithm(definition) : definition
  const { detector, unit } = timingOf(options, algorithm)
  const patience = patienceOf(options, detector?.timeout ?? 60_000)
  const limit = options.for === undefined ? null : duration('--for', options.for)
  const given = addressesOf(options, algorithm)
  const n = given.list?.length ?? integer('-n', options.n, 1, 10_000)
  const me = positionOf(options.me, n)
  const scenario = { ...givenOf(options), topology: `${given.network}:${n}` }
  if (aggregation === null) refuseValue(options)
  const program = aggregation
    ? gossipNode(scenario, aggregation, me, unit, options)
    : electionNode(scenario, algorithm, me, detector !== null)
  const log = (line: string) => io.err(`position ${me}: ${line}\n`)
  const listener = await Listener.at(given.list?.[me] ?? { host: '127.0.0.1', port: 0 })
  const parent = given.list === null ? new ParentPipe() : null
  const addresses = given.list ?? (await exchangeAddresses(parent!, given.flag, listener, n, io))
  const transport = tcpTransport({
    listener,
    links: tcpLinks(program.world.topology, me, addresses),
    patience,
    lasting: detector !== null,
    log,
  })
  // Timers are exact only when all processes are connected, which the parent alone can see.
  const waits = parent !== null && detector !== null
  const member = new Member({
    ...memberOptionsOf(program.world, me),
    ...(program.aggregateSource && { aggregateSource: program.aggregateSource }),
    transport,
    starts: program.starts && !waits,
    stay: options.stay === true,
    unit,
    ...(detector && { failureDetector: detector }),
    log,
  })
  const print = (line: string) => io.out(`${line}\n`)
  const stopReporting = program.reportChanges(member, print, options.json === true)
  let interrupted = false
  const interrupt = () => {
    interrupted = true
    void member.close()
  }
  const expiry = limit === null ? undefined : setTimeout(() => void member.close(), limit)
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  parent?.onCommand((command) => {
    if (command === PARENT_COMMANDS.report)
      print(JSON.stringify({ report: program.report(member) }))
    else if (program.starts && member.outcome.status === 'asleep') member.start()
  }, interrupt)
  try {
    await member.open()
    if (waits) print(JSON.stringify({ connected: true }))
    await member.ended
  } catch (error) {
    if (!interrupted) throw error
  } finally {
    clearTimeout(expiry)
    stopReporting()
    await member.close()
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    parent?.close()
  }
  print(options.json ? JSON.stringify(program.report(member)) : program.finalLine(member))
  if (interrupted) return EXIT.interrupted
  return program.succeeded(member) ? EXIT.done : EXIT.violated
}

function patienceOf({ patience }: Options, byDefault: number): number {
  if (patience === undefined) return byDefault
  return 1000 * decimal('--patience', patience, 'a number of seconds above 0', 60, (s) => s > 0)
}

function refuseValue({ value, valueFile }: ValueOptions): void {
  if (value === undefined && valueFile === undefined) return
  throw new UsageError(
    value === undefined ? '--value-file' : '--value',
    'works only with aggregations.',
    'Use --values, with the values of all processes.',
  )
}

function positionOf(me: string, n: number): number {
  const position = integer('--me', me, 0, Number.MAX_SAFE_INTEGER)
  if (position < n) return position
  throw new UsageError(
    '--me',
    `${position} is not a position: there ${n === 1 ? 'is one process' : `are ${n} processes`}.`,
    n === 1 ? 'Write --me 0.' : `Choose a position from 0 to ${n - 1}.`,
  )
}

/** Prints the address on which this process listens, and reads the addresses of all. */
async function exchangeAddresses(
  parent: ParentPipe,
  flag: string,
  listener: Listener,
  n: number,
  io: Io,
) {
  io.out(`${JSON.stringify({ listening: addressText(listener.address) })}\n`)
  try {
    return readAddresses(flag, (await parent.firstLine()) ?? '', n)
  } catch (error) {
    parent.close()
    await listener.close()
    throw error
  }
}
