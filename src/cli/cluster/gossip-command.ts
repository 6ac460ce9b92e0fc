import type { Aggregation } from '../../algorithms/aggregation.ts'
import { byMessages } from '../../algorithms/kinds.ts'
import { UsageError } from '../../core/index.ts'
import { grouped, quoted } from '../../core/text-format.ts'
import { integer, position as readPosition } from '../../options/reading.ts'
import { type FieldLocator, flagged, type ScenarioInput } from '../../scenario/index.ts'
import { nearWords } from '../../sim/index.ts'
import { duration, seconds } from '../input/duration.ts'
import type { NatsFlags } from '../input/nats-flags.ts'
import type { FileOrigin } from '../input/scenario-file.ts'
import { EXIT, type Io } from '../io.ts'
import {
  coloursFor,
  columns,
  figure,
  foundLines,
  percent,
  remarkLines,
  verdictLines,
} from '../terminal/format.ts'
import { ProgressLine } from '../terminal/progress.ts'
import { algorithmWords, originIn } from './cluster-input.ts'
import { gossipWorldOf } from './gossip-node.ts'
import {
  type EstimateSummary,
  type GossipClusterOptions,
  type GossipClusterResult,
  type ProcessKill,
  watchGossip,
} from './gossip-watch.ts'
import { drawnMeeting, meetingText, meetingWords, type NatsMeeting } from './meeting.ts'
import { messageTypesText } from './node-program.ts'
import { MAX_MONITORED, withProcesses } from './spawn.ts'
import { detectorTiming, type TimingOptions, timingWords } from './timing-flags.ts'

interface Options extends TimingOptions, NatsFlags {
  readonly nats?: string
  readonly json?: true
  readonly kill?: string
  readonly file?: FileOrigin
}

/** The aggregation, how it was written, and where its fields were. */
interface GossipInput {
  readonly aggregation: Aggregation
  readonly reference: string
  readonly where: FieldLocator
}

/** Runs an aggregation between real processes and reports their estimates: an exit code. */
export async function clusterAggregation(
  given: ScenarioInput,
  { aggregation, reference, where }: GossipInput,
  options: Options,
  io: Io,
): Promise<number> {
  if (given.n !== undefined) integer(where('n'), given.n, 1, MAX_MONITORED)
  const { unit } = detectorTiming(options, byMessages(aggregation))
  const { world, scenario } = gossipWorldOf(given, aggregation, where)
  const n = integer('-n', world.topology.n, 1, MAX_MONITORED)
  const { set } = scenario
  const until = Math.min(scenario.until, Number(set.exchanges) || scenario.until)
  const period = unit * Number(set.period)
  const cluster: GossipClusterOptions = {
    algorithm: reference,
    aggregate: world.algorithm.computes!.aggregate,
    until,
    period,
    kills: killsOf(options.kill, n, until * period),
    tolerance: Number(set.tolerance),
    epoch: Number(set.epoch ?? 0),
    evaporates: Number(set.evaporation ?? 0) > 0,
  }
  const meeting = await drawnMeeting(options)
  const exchanges = 'exchanges' in set && { exchanges: until }
  const words = wordsOf(given, n, reference, { ...set, ...exchanges })
  const print = (line: string) => {
    if (!options.json) io.out(`${line}\n`)
  }
  const line = new ProgressLine(options.json ? { ...io, progress: false } : io, 0)
  const remarks = remarkLines(options.file ?? {}, coloursFor(io))
  print(`${[...remarks, title(cluster, n, meeting, io)].join('\n')}\n`)
  const outcome = await withProcesses(
    n,
    [...meetingWords(meeting, world.topology, given), ...words, ...timingWords(options)],
    meeting,
    // Where processes crash, their messages about each other are expected.
    () => {},
    (children) =>
      watchGossip(
        cluster,
        children,
        (text) => {
          line.clear()
          print(text)
        },
        (text) => line.show(text),
      ),
  )
  line.clear()
  if (outcome === null) return EXIT.interrupted
  io.out(
    options.json
      ? `${JSON.stringify({ ...outcome, ...originIn(options) })}\n`
      : report(outcome, cluster, io),
  )
  return outcome.verdict.ok ? EXIT.done : EXIT.violated
}

/** The arguments of each process, besides its position. */
function wordsOf(
  { values, seed, wake }: ScenarioInput,
  n: number,
  reference: string,
  set: Readonly<Record<string, number | string>>,
): string[] {
  const flags = Object.entries({ values, seed, wake }).flatMap(([flag, value]) =>
    value === undefined ? [] : [flagged(flag), String(value)],
  )
  const settings = Object.entries(set).flatMap(([key, value]) => ['--set', `${key}=${value}`])
  // All processes are started: none should continue without the others too early.
  const general = ['-n', String(n), '--json', '--patience', '20']
  return [...algorithmWords(reference), ...general, ...flags, ...settings]
}

/** Reads `3@2s,5@2s`: positions, and the times after the start at which they are killed. */
function killsOf(text: string | undefined, n: number, lasting: number): ProcessKill[] {
  if (text === undefined) return []
  const kills = text.split(',').map((entry) => {
    const [position, after, ...rest] = entry.trim().split('@')
    if (after === undefined || rest.length > 0) {
      throw new UsageError(
        '--kill',
        `${quoted(entry)} is not a position with a time.`,
        'Write for example 3@2s,5@2s; times are counted from the start.',
      )
    }
    return { node: readPosition('--kill', position, n), after: duration('--kill', after) }
  })
  const late = kills.find(({ after }) => after >= lasting)
  if (late !== undefined) {
    throw new UsageError(
      '--kill',
      `the gossip ends ${seconds(lasting)} after the start, before ${seconds(late.after)}.`,
      'Kill earlier, or gossip longer with --until.',
    )
  }
  const nodes = new Set(kills.map(({ node }) => node))
  if (nodes.size < kills.length) {
    throw new UsageError('--kill', 'a process can be killed only once.', 'Leave one entry out.')
  }
  if (nodes.size === n) {
    throw new UsageError('--kill', `all ${n} processes would be killed.`, 'Start more processes.')
  }
  return kills
}

function title(
  { algorithm, until, period }: GossipClusterOptions,
  n: number,
  meeting: NatsMeeting | null,
  io: Io,
): string {
  const paint = coloursFor(io)
  const times = `${grouped(until)} cycles of ${grouped(period)} ms`
  const processes = `${n} processes ${meetingText(meeting)}`
  return `${paint.bold(algorithm)}  ${paint.dim(`${processes}, ${times}`)}`
}

function report(outcome: GossipClusterResult, cluster: GossipClusterOptions, io: Io): string {
  const { nodes, truth, scale, within, messages, verdict, killed } = outcome
  const paint = coloursFor(io)
  const [head, ...rows] = columns([
    ['position', 'process', 'value', 'estimate', 'error', 'sent'],
    ...nodes.map(({ node, pid, status, value, estimate, error, messages: { total } }) => [
      String(node),
      String(pid),
      figure(value),
      status === 'dead' ? 'killed' : figure(estimate),
      share(error),
      grouped(total),
    ]),
  ])
  const { tolerance } = cluster
  const limit = nearWords(percent(tolerance), figure(tolerance * scale), truth, scale)
  const near = `${percent(within)} of the processes ${limit}`
  return `${[
    ...(killed.length === 0 ? [] : ['']),
    `  ${paint.bold(head)}`,
    ...rows.map((row) => `  ${row}`),
    '',
    `  ${paint.bold(`truth ${figure(truth)}`)}${killed.length === 0 ? '' : ' for the live processes'}; ${near}`,
    `  ${grouped(messages.total)} messages (${messageTypesText(messages.byType)})`,
    ...foundLines(nodes.find(({ status }) => status === 'alive')?.found, paint.width),
    ...losses(outcome, cluster),
    '',
    ...verdictLines(verdict.properties, paint),
  ].join('\n')}\n`
}

/** The error that the killed processes caused, and whether a later epoch repaired it. */
function losses(
  { killed, lost, ...outcome }: GossipClusterResult,
  cluster: GossipClusterOptions,
): string[] {
  if (lost === null) return []
  const { length } = killed
  const shares =
    length === 1
      ? 'the share of the killed process is'
      : `the shares of the ${length} killed processes are`
  return [
    `  ${shares} lost: the others were left with`,
    `  ${figure(lost.mean)} on average, at most ${distance(lost)} off the truth of ${figure(lost.truth)}; ${repair(outcome, cluster)}`,
  ]
}

/** The largest error, and what it is relative to unless that is the truth. */
function distance({ error, truth, scale }: EstimateSummary): string {
  return scale === Math.abs(truth) ? share(error) : `${share(error)} of the spread of the values`
}

function repair(
  { repaired, error }: Pick<GossipClusterResult, 'repaired' | 'error'>,
  { epoch, evaporates }: GossipClusterOptions,
): string {
  if (repaired) return `a new epoch has repaired it, to at most ${share(error)}`
  if (epoch > 0) return 'the next epoch repairs it: gossip longer with --until'
  return evaporates ? 'evaporation reduces it gradually' : 'epochs repair it: --set epoch=10'
}

/** A relative error in per cent, with two decimals. */
function share(error: number | null): string {
  return error === null ? '-' : percent(Number(error.toFixed(4)))
}
