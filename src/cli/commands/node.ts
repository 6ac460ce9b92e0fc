import { Option as Flag } from 'commander'
import { byMessages, offers } from '../../algorithms/kinds.ts'
import { Member, memberOptionsOf, stableStorage } from '../../cluster/index.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import { decimal, integer } from '../../options/reading.ts'
import { scenarioInput, scenarioOptions } from '../../options/scenario.ts'
import { electionNode } from '../cluster/election-node.ts'
import { gossipNode, type ValueOptions } from '../cluster/gossip-node.ts'
import { addMeetingFlags, type MeetingOptions, meetingOf } from '../cluster/meeting.ts'
import type { NodeProgram } from '../cluster/node-program.ts'
import { PARENT_COMMANDS, type ParentPipe } from '../cluster/parent-pipe.ts'
import {
  AT_ONCE,
  addTimingFlags,
  detectorTiming,
  TIMING_HELP,
  type TimingOptions,
} from '../cluster/timing-flags.ts'
import { duration } from '../input/duration.ts'
import { isCode, referencedDefinition } from '../input/user-algorithm.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { Verb } from '../verb.ts'

interface Options extends Record<string, unknown>, TimingOptions, ValueOptions, MeetingOptions {
  readonly algorithm: string
  readonly me: string
  readonly patience?: string
  readonly stay?: true
  readonly storage?: string
  readonly for?: string
  readonly json?: true
}

const WORLD = scenarioOptions(['n', 'ids', 'wake', 'values', 'electBy', 'seed', 'set'], {
  n: { says: 'number of processes; required with - and --nats', usual: '' },
  wake: { says: AT_ONCE, usual: 'all' },
})

const EXAMPLES = `
Start every process with the same addresses and its own --me: --ring for algorithms on a ring,
--complete for all others. With - the process prints the address on which it listens, and reads the
addresses of all processes from standard input, as one line with a JSON array. With --nats the
processes need no addresses: they meet on a server of NATS, by --cluster and -n, the same for all.
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
    --complete 127.0.0.1:7001,127.0.0.1:7002
  conclave node --algorithm bully --nats nats://10.0.0.1:4222 \\
    --cluster lecture --me 0 -n 3 --secret-file secret`

export function nodeCommand(io: Io, leave: Leave): Verb {
  const verb = new Verb('node')
    .description('run one real process of a ring or of a complete network')
    .group('members')
    .requiredOption('--algorithm <name>', 'a name from conclave list, or your own algorithm (.ts)')
    .option('--ring <addresses>', 'addresses of all processes in order of position, or -')
    .option('--complete <addresses>', 'the same for a complete network')
    .option('--nats <url>', 'meet on a server of NATS, in place of addresses')
    .requiredOption('--me <position>', 'position of this process, from 0')
    .declare(WORLD)
  return addMeetingFlags(addTimingFlags(verb))
    .group('members')
    .short('algorithm', 'ring', 'complete', 'nats', 'me', 'for', 'json')
    .option(
      '--listen <address>',
      'where this process listens, if others reach it by another address',
    )
    .addOption(new Flag('--links <network>', 'set by the command cluster').hideHelp())
    .option('--storage <folder>', 'folder for what the process must remember after a restart')
    .group('start')
    .option('--value <number>', 'gossip: value of this process, in place of --values')
    .option('--value-file <path>', 'gossip: file with the value, read at every epoch')
    .group('time')
    .option(
      '--patience <seconds>',
      'how long to wait for the neighbours (default: 60; with heartbeats the timeout)',
    )
    .option('--stay', 'keep running after the election, until interrupted')
    .option('--for <duration>', 'stop after this time in any case')
    .group('output')
    .option('--json', 'print the result as JSON')
    .about(EXAMPLES)
    .action(async (options: Options) => leave(await runNode(options, io)))
}

async function runNode(options: Options, io: Io): Promise<number> {
  const definition = await referencedDefinition(options.algorithm, { where: '--algorithm' })
  const aggregation = offers(definition, 'lead') ? null : definition
  const algorithm = byMessages(definition)
  const { detector, unit } = detectorTiming(options, algorithm)
  const patience = patienceOf(options, detector?.timeout ?? 60_000)
  const limit = options.for === undefined ? null : duration('--for', options.for)
  const meeting = meetingOf(options, algorithm)
  const { n, network } = meeting
  const me = positionOf(options.me, n)
  const scenario = { ...scenarioInput(options), topology: options.links ?? `${network}:${n}` }
  if (aggregation === null) refuseValue(options)
  const program = aggregation
    ? gossipNode(scenario, aggregation, me, unit, options)
    : electionNode(scenario, algorithm, me, detector !== null)
  const remembered = stableStorage('--storage', options.storage, { algorithm, position: me, n })
  const log = (line: string) => io.err(`position ${me}: ${line}\n`)
  const unguarded = unguardedNote(algorithm, detector !== null && aggregation === null)
  const { transport, parent } = await meeting.open(program.world.topology, me, io, {
    patience,
    lasting: detector !== null,
    ...(detector && { connectWithin: detector.timeout }),
    log,
  })
  if (parent === null && unguarded !== null) log(unguarded)
  // Timers are exact only when all processes are connected, which the parent alone can see.
  const waits = parent !== null && detector !== null
  const member = new Member({
    ...memberOptionsOf(program.world, me),
    ...(program.aggregateSource && { aggregateSource: program.aggregateSource }),
    ...remembered,
    transport,
    starts: program.starts && !waits,
    stay: options.stay === true,
    unit,
    ...(detector && { failureDetector: detector }),
    // Own code may be wrong, and is to be told so. Between machines a stranger may be at fault.
    ...(isCode(options.algorithm) && (parent || !detector) && { handlerErrors: 'end' as const }),
    log,
  })
  const node: RunningProgram = { program, member, parent, waits, json: options.json === true }
  const { interrupted, text, succeeded } = await untilEnded(node, limit, (line) =>
    io.out(`${line}\n`),
  )
  io.out(`${text}\n`)
  if (interrupted) return EXIT.interrupted
  if (succeeded) return EXIT.done
  log(program.failure)
  return EXIT.violated
}

/** A member with its program, and the process that started it. */
interface RunningProgram {
  readonly program: NodeProgram
  readonly member: Member
  readonly parent: ParentPipe | null
  /** Whether the parent says when it starts. */
  readonly waits: boolean
  readonly json: boolean
}

/** Runs a member until it ends, its time is over, or it is interrupted. */
async function untilEnded(
  { program, member, parent, waits, json }: RunningProgram,
  limit: number | null,
  print: (line: string) => void,
) {
  const stopReporting = program.reportChanges(member, print, json)
  // Closed, it leads no more: its report is that of the moment before.
  const summary = () => ({
    succeeded: program.succeeded(member),
    text: json ? JSON.stringify(program.report(member)) : program.finalLine(member),
  })
  let last: ReturnType<typeof summary> | null = null
  const finish = () => {
    last ??= summary()
    stopReporting()
    void member.close()
  }
  let interrupted = false
  const interrupt = () => {
    interrupted = true
    finish()
  }
  const expiry = limit === null ? undefined : setTimeout(finish, limit)
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
  return { interrupted, ...(last ?? summary()) }
}

function patienceOf({ patience }: Options, byDefault: number): number {
  if (patience === undefined) return byDefault
  return 1000 * decimal('--patience', patience, 'a number of seconds above 0', 60, (s) => s > 0)
}

/** What an election without a quorum does not promise; null where there is nothing to say. */
function unguardedNote({ name, problem }: Algorithm, lasting: boolean): string | null {
  if (!lasting || problem?.terms === true) return null
  const dangers =
    'in a partition each side has a leader, and one that was suspended takes itself for it'
  const remedy = 'for a leader to rely on see conclave coordinator --help'
  return `${name} elects without a quorum: ${dangers}; ${remedy}`
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
