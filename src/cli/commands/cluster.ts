import { Command } from 'commander'
import { aggregationNamed, algorithmNamed } from '../../algorithms/index.ts'
import type { HeartbeatOptions } from '../../cluster/index.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import { grouped } from '../../core/text-format.ts'
import { integer } from '../../scenario/fields/reading.ts'
import { flagged, type Preparation, prepare, type ScenarioInput } from '../../scenario/index.ts'
import { type LeaderFault, watchLeadership } from '../cluster/failover.ts'
import { clusterAggregation } from '../cluster/gossip-command.ts'
import {
  type ClusterResult,
  finalReports,
  leads,
  MOST,
  MOST_WATCHED,
  outcomeOf,
  withProcesses,
} from '../cluster/spawn.ts'
import {
  addTimingFlags,
  refuseSimulated,
  TIMES,
  type TimingOptions,
  timingOf,
  timingWords,
  unanswered,
} from '../cluster/timing-flags.ts'
import { duration } from '../input/duration.ts'
import { addScenarioFlags, givenOf } from '../input/scenario-flags.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { coloursFor, columns } from '../terminal/format.ts'

interface Options extends Record<string, unknown>, TimingOptions {
  readonly json?: true
  readonly n?: string
  readonly killLeaderAfter?: string
  readonly stopLeaderAfter?: string
  readonly until?: string
  readonly kill?: string
}

const EXAMPLES = `${TIMES}
Such a cluster ends when all its processes have agreed on a leader for twice the timeout; one that
gossips, when each process has begun its exchanges and none is under way.

Examples:
  conclave cluster chang-roberts -n 5
  conclave cluster hirschberg-sinclair --ids 3,2,7,8,5,4,1,6 --json
  conclave cluster bully -n 5 --kill-leader-after 2s
  conclave cluster bully --values 3,9,1,9,2 --elect-by value:min
  conclave cluster gossip-average -n 8 --values index --kill 6@1s,7@1s --set epoch=15
  conclave cluster ring-list -n 5 --stop-leader-after 1s --heartbeat 50ms --timeout 200ms`

export function clusterCommand(io: Io, leave: Leave): Command {
  const command = new Command('cluster')
    .description('several real processes on loopback, and what they elect or compute')
    .argument('<algorithm>', 'a name from conclave list')
  addScenarioFlags(command, ['n', 'ids', 'wake', 'values', 'elect-by', 'until', 'seed', 'set'], {
    wake: 'who starts: all, 0,4 (positions) or rate:0.8 (default: as in run)',
    until: 'gossip: how many exchanges each process begins (default: 30)',
  })
  return addTimingFlags(command)
    .option('--kill-leader-after <duration>', 'kill the leader that all have agreed on for so long')
    .option('--stop-leader-after <duration>', 'stop it, and have it go on after the failover')
    .option('--kill <who>', 'gossip: who is killed and when, such as 3@1s,5@1s')
    .option('--json', 'one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, options: Options) => {
      const aggregation = aggregationNamed(name)
      refuseOthers(options, name, aggregation === undefined ? ONLY.gossip : ONLY.election)
      if (aggregation !== undefined) {
        leave(await clusterAggregation(givenOf(options), aggregation, options, io))
        return
      }
      const algorithm = algorithmNamed(name)
      const { watch } = timingOf(options, algorithm)
      const most = watch === null ? MOST : MOST_WATCHED
      if (options.n !== undefined) integer('-n', options.n, 1, most)
      const given = givenOf(options)
      const preparation = placed(given, algorithm)
      refuseSimulated(preparation)
      const n = integer('-n', preparation.world.topology.n, 1, most)
      const blow = blowOf(options, algorithm, watch, n)
      const words = [...wordsOf(given, preparation, watch), ...timingWords(options)]
      const show = options.json ? () => {} : (line: string) => io.out(`${line}\n`)
      const heading = title(preparation, watch, io)
      if (watch !== null) show(`${heading}\n`)
      const outcome = await withProcesses(
        n,
        words,
        // Where processes come and go, what they say of each other is no news.
        watch === null ? (line) => io.err(`${line}\n`) : () => {},
        async (children) =>
          watch === null
            ? outcomeOf(algorithm.name, await finalReports(children))
            : watchLeadership(algorithm.name, children, 2 * watch.timeout, blow, show),
      )
      if (outcome === null) return leave(EXIT.interrupted)
      if (options.json) io.out(`${JSON.stringify(outcome)}\n`)
      else io.out(`${watch === null ? `${heading}\n` : ''}\n${report(outcome, io)}`)
      leave(outcome.agreed ? EXIT.done : EXIT.violated)
    })
}

/** What has a meaning only where processes elect, or gossip. */
const ONLY = {
  election: {
    flags: { killLeaderAfter: '--kill-leader-after', stopLeaderAfter: '--stop-leader-after' },
    remedy: 'Use --kill 3@1s.',
  },
  gossip: { flags: { until: '--until', kill: '--kill' }, remedy: 'Leave it out.' },
}

function refuseOthers(
  options: Options,
  name: string,
  { flags, remedy }: (typeof ONLY)[keyof typeof ONLY],
): void {
  const [option, flag] = Object.entries(flags).find(([key]) => options[key] !== undefined) ?? []
  if (option === undefined || flag === undefined) return
  const election = flags === ONLY.election.flags
  throw new UsageError(
    flag,
    `it is for ${election ? 'elections' : 'aggregations'}, but ${name} is none.`,
    remedy,
  )
}

/** Processes form a ring, or else are all linked to each other. */
function placed(given: ScenarioInput, algorithm: Algorithm): Preparation {
  const preparation = prepare(given, algorithm, flagged)
  const { kind, n } = preparation.world.topology
  if (kind !== 'graph') return preparation
  return prepare({ ...given, topology: `complete:${n}` }, algorithm, flagged)
}

/** What each process is told, besides its position. */
function wordsOf(
  given: ScenarioInput,
  { world, scenario }: Preparation,
  watch: HeartbeatOptions | null,
): string[] {
  const { kind, n } = world.topology
  // All processes are there; one that goes on without the others must not be hasty.
  const patient = watch === null ? [] : ['--patience', '20']
  const flags = Object.entries({ ...given, n, wake: scenario.wake }).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => [flagged(name), String(one)]),
  )
  return ['--algorithm', scenario.algorithm, `--${kind}`, '-', '--json', ...patient, ...flags]
}

function blowOf(
  { killLeaderAfter, stopLeaderAfter }: Options,
  algorithm: Algorithm,
  watch: HeartbeatOptions | null,
  n: number,
): LeaderFault | null {
  const kind = killLeaderAfter === undefined ? 'stop' : 'kill'
  const text = killLeaderAfter ?? stopLeaderAfter
  if (text === undefined) return null
  const flag = `--${kind}-leader-after`
  if (watch === null) throw unanswered(flag, algorithm)
  if (killLeaderAfter !== undefined && stopLeaderAfter !== undefined) {
    throw new UsageError(
      flag,
      'the leader is either killed or stopped, but both were asked for.',
      'Leave one of them out.',
    )
  }
  if (n === 1) {
    throw new UsageError(
      flag,
      'somebody must be left, but -n is 1.',
      'Start two or more processes.',
    )
  }
  return { kind, after: duration(flag, text) }
}

function title({ scenario, world }: Preparation, watch: HeartbeatOptions | null, io: Io): string {
  const paint = coloursFor(io.colours)
  const { algorithm, 'elect-by': electBy = 'id' } = scenario
  const means = electBy === 'id' ? '' : `, elected by ${electBy}`
  const processes = `${world.topology.n} processes over TCP on loopback`
  const times =
    watch === null ? '' : `, heartbeat ${watch.heartbeat} ms, timeout ${watch.timeout} ms`
  return `${paint.bold(algorithm)}  ${paint.dim(`${processes}${times}${means}`)}`
}

function report({ leader, messages, nodes }: ClusterResult, io: Io): string {
  const paint = coloursFor(io.colours)
  const valued = nodes.some(({ value }) => value !== undefined)
  const rows = columns([
    ['position', 'process', 'id', ...(valued ? ['value'] : []), 'status', 'leader', 'sent'],
    ...nodes.map(({ node, pid, id, value, status, leader: view, messages: { total } }) => {
      const held = valued ? [value] : []
      return [node, pid, id ?? '-', ...held, status, view ?? '-', grouped(total)].map(String)
    }),
  ])
  const types = Object.entries(messages.byType).map(([type, count]) => `${grouped(count)} ${type}`)
  const who = leader === null ? 'no single leader' : leads(leader)
  return `${[
    ...rows.map((row) => `  ${row}`),
    '',
    `  ${paint.bold(who)}, ${grouped(messages.total)} messages (${types.join(', ')})`,
  ].join('\n')}\n`
}
