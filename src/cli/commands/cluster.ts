import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offers } from '../../algorithms/kinds.ts'
import type { HeartbeatOptions } from '../../cluster/index.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import { grouped } from '../../core/text-format.ts'
import { integer } from '../../options/reading.ts'
import { scenarioOptions } from '../../options/scenario.ts'
import { flagWords } from '../../scenario/command-line.ts'
import {
  type FieldLocator,
  type Preparation,
  prepare,
  type ScenarioInput,
} from '../../scenario/index.ts'
import { algorithmWords, type ClusterInput, clusterOf, originIn } from '../cluster/cluster-input.ts'
import { type LeaderFault, watchLeadership } from '../cluster/failover.ts'
import { clusterAggregation } from '../cluster/gossip-command.ts'
import { drawnMeeting, meetingText, meetingWords, type NatsMeeting } from '../cluster/meeting.ts'
import {
  type ClusterResult,
  clusterResultOf,
  finalReports,
  leadershipText,
  MAX_MONITORED,
  MAX_PROCESSES,
  withProcesses,
} from '../cluster/spawn.ts'
import {
  AT_ONCE,
  addTimingFlags,
  detectorTiming,
  noCrashHandling,
  refuseSimulated,
  TIMING_HELP,
  type TimingOptions,
  timingWords,
} from '../cluster/timing-flags.ts'
import { duration } from '../input/duration.ts'
import { NATS, type NatsFlags } from '../input/nats-flags.ts'
import { networkFiles } from '../input/read-file.ts'
import type { FileOrigin } from '../input/scenario-file.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { coloursFor, columns, remarkLines } from '../terminal/format.ts'
import { Verb } from '../verb.ts'

interface Options extends Record<string, unknown>, TimingOptions, NatsFlags {
  readonly nats?: string
  readonly json?: true
  readonly n?: string
  readonly killLeaderAfter?: string
  readonly stopLeaderAfter?: string
  readonly until?: string
  readonly kill?: string
  /** The scenario file that some of the options are from. */
  readonly file?: FileOrigin
}

const WORLD = scenarioOptions(
  ['topology', 'n', 'ids', 'wake', 'values', 'electBy', 'until', 'seed', 'set'],
  {
    wake: { says: AT_ONCE, usual: 'as in run' },
    until: { says: 'gossip: number of exchanges that each process begins', usual: '30' },
  },
)

const EXAMPLES = `${TIMING_HELP}
A cluster with heartbeats ends when all its processes have agreed on a leader for twice the timeout;
a gossip ends when each process has begun its exchanges and none is in progress.

Examples:
  conclave cluster chang-roberts -n 5
  conclave cluster hirschberg-sinclair --ids 3,2,7,8,5,4,1,6 --json
  conclave cluster mine.ts -n 3
  conclave cluster lecture.json
  conclave cluster bully -n 5 --kill-leader-after 2s
  conclave cluster bully -n 5 --nats nats://127.0.0.1:4222
  conclave cluster bully --values 3,9,1,9,2 --elect-by value:min
  conclave cluster gossip-average -n 8 --values index --kill 6@1s,7@1s
  conclave cluster ring-list -n 5 --stop-leader-after 1s --timeout 200ms`

export function clusterCommand(io: Io, leave: Leave): Verb {
  const verb = new Verb('cluster')
    .description('run an election or aggregation between real processes on this machine')
    .argument(
      '<algorithm>',
      'a name from conclave list, your own algorithm (.ts), or a scenario (.json)',
    )
    .declare(WORLD)
  return addTimingFlags(verb)
    .group('members')
    .option('--nats <url>', 'the processes meet on a server of NATS, not over TCP on loopback')
    .declare(NATS)
    .group('faults')
    .option(
      '--kill-leader-after <duration>',
      'kill the leader this long after all have agreed on it',
    )
    .option(
      '--stop-leader-after <duration>',
      'suspend the leader instead, and resume it after the failover',
    )
    .option('--kill <positions>', 'gossip: processes to kill and times after the start: 3@1s,5@1s')
    .group('output')
    .short('nats', 'kill-leader-after', 'json')
    .option('--json', 'print the result as JSON')
    .about(EXAMPLES)
    .action(async (argument: string, flags: Options) => {
      leave(await runCluster(await clusterOf(argument, flags, verb), io))
    })
}

/** Runs an election or aggregation between processes; returns the exit code. */
async function runCluster(cluster: ClusterInput<Options>, io: Io): Promise<number> {
  const { reference, definition, options, given, where } = cluster
  if (!offers(definition, 'lead')) {
    refuseOthers(options, reference, ONLY.election)
    return clusterAggregation(given, { ...cluster, aggregation: definition }, options, io)
  }
  refuseOthers(options, reference, ONLY.gossip)
  const { detector } = detectorTiming(options, definition)
  const most = detector === null ? MAX_PROCESSES : MAX_MONITORED
  if (options.n !== undefined) integer(where('n'), options.n, 1, most)
  const preparation = prepareNetwork(given, definition, where)
  refuseSimulated(preparation, reference)
  const n = integer('-n', preparation.world.topology.n, 1, most)
  const fault = leaderFaultOf(options, definition, detector, n)
  const meeting = await drawnMeeting(options)
  const folder = temporaryStorage(definition)
  const words = [
    ...meetingWords(meeting, preparation.world.topology, given),
    ...wordsOf(given, reference, preparation, detector),
    ...timingWords(options),
    ...(folder === null ? [] : ['--storage', folder]),
  ]
  const show = options.json ? () => {} : (line: string) => io.out(`${line}\n`)
  const heading = [
    ...remarkLines(options.file ?? {}, coloursFor(io)),
    title(reference, preparation, detector, meeting, io),
  ].join('\n')
  if (detector !== null) show(`${heading}\n`)
  const outcome = await withProcesses(
    n,
    words,
    meeting,
    // Where processes crash, their messages about each other are expected.
    detector === null ? (line) => io.err(`${line}\n`) : () => {},
    async (children) =>
      detector === null
        ? clusterResultOf(reference, await finalReports(children))
        : watchLeadership(reference, children, 2 * detector.timeout, fault, show),
  ).finally(() => folder !== null && rmSync(folder, { recursive: true, force: true }))
  if (outcome === null) return EXIT.interrupted
  if (options.json) io.out(`${JSON.stringify({ ...outcome, ...originIn(options) })}\n`)
  else io.out(`${detector === null ? `${heading}\n` : ''}\n${report(outcome, io)}`)
  return outcome.agreed ? EXIT.done : EXIT.violated
}

/** Flags for elections only, or for aggregations only. */
const ONLY = {
  election: {
    flags: { killLeaderAfter: '--kill-leader-after', stopLeaderAfter: '--stop-leader-after' },
    hint: 'Use --kill 3@1s.',
  },
  gossip: { flags: { until: '--until', kill: '--kill' }, hint: 'Leave it out.' },
}

function refuseOthers(
  options: Options,
  name: string,
  { flags, hint }: (typeof ONLY)[keyof typeof ONLY],
): void {
  const [option, flag] = Object.entries(flags).find(([key]) => options[key] !== undefined) ?? []
  if (option === undefined || flag === undefined) return
  const election = flags === ONLY.election.flags
  throw new UsageError(
    flag,
    `works only with ${election ? 'elections' : 'aggregations'}; ${name} is ${election ? 'an aggregation' : 'an election'}.`,
    hint,
  )
}

/** Where nothing else is given or needed, processes form a complete network. */
function prepareNetwork(
  given: ScenarioInput,
  algorithm: Algorithm,
  where: FieldLocator,
): Preparation {
  const files = networkFiles(where)
  const preparation = prepare(given, algorithm, where, files)
  const { kind, n } = preparation.world.topology
  const chosen = given.topology !== undefined || algorithm.needs.topology !== 'any'
  if (kind !== 'graph' || chosen) return preparation
  return prepare({ ...given, topology: `complete:${n}` }, algorithm, where, files)
}

/** Processes that make promises keep them on disk, for as long as the cluster runs. */
function temporaryStorage({ needs }: Algorithm): string | null {
  return needs.time === 'clocks' ? mkdtempSync(join(tmpdir(), 'conclave-cluster-')) : null
}

/** The arguments of each process, besides its position. */
function wordsOf(
  { topology: _, ...given }: ScenarioInput,
  reference: string,
  { world, scenario }: Preparation,
  detector: HeartbeatOptions | null,
): string[] {
  const { n } = world.topology
  // All processes are started: none should continue without the others too early.
  const patient = detector === null ? [] : ['--patience', '20']
  const flags = flagWords({ ...given, n, wake: scenario.wake })
  return [...algorithmWords(reference), '--json', ...patient, ...flags]
}

function leaderFaultOf(
  { killLeaderAfter, stopLeaderAfter }: Options,
  algorithm: Algorithm,
  detector: HeartbeatOptions | null,
  n: number,
): LeaderFault | null {
  const kind = killLeaderAfter === undefined ? 'stop' : 'kill'
  const text = killLeaderAfter ?? stopLeaderAfter
  if (text === undefined) return null
  const flag = `--${kind}-leader-after`
  if (kind === 'stop' && process.platform === 'win32') throw noStopping(flag)
  if (detector === null) throw noCrashHandling(flag, algorithm)
  if (killLeaderAfter !== undefined && stopLeaderAfter !== undefined) {
    throw new UsageError(
      flag,
      'the leader can be killed or stopped, but not both.',
      'Leave one of them out.',
    )
  }
  if (n === 1) {
    throw new UsageError(
      flag,
      'no process would be left, since -n is 1.',
      'Start two or more processes.',
    )
  }
  return { kind, after: duration(flag, text) }
}

function title(
  reference: string,
  { scenario, world }: Preparation,
  detector: HeartbeatOptions | null,
  meeting: NatsMeeting | null,
  io: Io,
): string {
  const paint = coloursFor(io)
  const { 'elect-by': electBy = 'id' } = scenario
  const elected = electBy === 'id' ? '' : `, elected by ${electBy}`
  const processes = `${world.topology.n} processes ${meetingText(meeting)}`
  const times =
    detector === null ? '' : `, heartbeat ${detector.heartbeat} ms, timeout ${detector.timeout} ms`
  return `${paint.bold(reference)}  ${paint.dim(`${processes}${times}${elected}`)}`
}

function report({ leader, messages, nodes, disagreement }: ClusterResult, io: Io): string {
  const paint = coloursFor(io)
  const valued = nodes.some(({ value }) => value !== undefined)
  const rows = columns([
    ['position', 'process', 'id', ...(valued ? ['value'] : []), 'status', 'leader', 'sent'],
    ...nodes.map(({ node, pid, id, value, status, leader: followed, messages: { total } }) => {
      const values = valued ? [value] : []
      return [node, pid, id ?? '-', ...values, status, followed ?? '-', grouped(total)].map(String)
    }),
  ])
  const types = Object.entries(messages.byType).map(([type, count]) => `${grouped(count)} ${type}`)
  const headline = leader === null ? 'no single leader' : leadershipText(leader)
  return `${[
    ...rows.map((row) => `  ${row}`),
    '',
    `  ${paint.bold(headline)}, ${grouped(messages.total)} messages (${types.join(', ')})`,
    ...(disagreement === undefined ? [] : [`  they have not agreed: ${disagreement}`]),
  ].join('\n')}\n`
}

/** Windows has no signals that stop a process and let it continue. */
function noStopping(flag: string): UsageError {
  return new UsageError(
    flag,
    'processes cannot be stopped and continued on Windows.',
    'Kill the leader with --kill-leader-after.',
  )
}
