import { type Aggregation, defaultAlgorithm } from '../../algorithms/index.ts'
import { UsageError } from '../../core/index.ts'
import { grouped } from '../../core/text-format.ts'
import { integer, quoted, position as readPosition } from '../../scenario/fields/reading.ts'
import { flagged, type ScenarioInput } from '../../scenario/index.ts'
import { duration, seconds } from '../input/duration.ts'
import { EXIT, type Io } from '../io.ts'
import { coloursFor, columns, figure, percent } from '../terminal/format.ts'
import { ProgressLine } from '../terminal/progress.ts'
import { verdictLines } from '../terminal/verdicts.ts'
import { gossipWorldOf } from './gossip-node.ts'
import {
  type GossipClusterOptions,
  type GossipClusterResult,
  type Kill,
  watchGossip,
} from './gossip-watch.ts'
import { typesText } from './node-program.ts'
import { MOST_WATCHED, withProcesses } from './spawn.ts'
import { type TimingOptions, timingOf, timingWords } from './timing-flags.ts'

interface Options extends TimingOptions {
  readonly json?: true
  readonly kill?: string
}

/** Real processes that gossip for a while, and what they then take for the result: an exit code. */
export async function clusterAggregation(
  given: ScenarioInput,
  aggregation: Aggregation,
  options: Options,
  io: Io,
): Promise<number> {
  if (given.n !== undefined) integer('-n', given.n, 1, MOST_WATCHED)
  const { unit } = timingOf(options, defaultAlgorithm(aggregation))
  const { world, scenario } = gossipWorldOf(given, aggregation)
  const n = integer('-n', world.topology.n, 1, MOST_WATCHED)
  const { set } = scenario
  const until = Math.min(scenario.until, Number(set.exchanges) || scenario.until)
  const period = unit * Number(set.period)
  const plan: GossipClusterOptions = {
    algorithm: aggregation.name,
    aggregate: world.algorithm.computes!.aggregate,
    until,
    period,
    kills: killsOf(options.kill, n, until * period),
    tolerance: Number(set.tolerance),
    epoch: Number(set.epoch),
    forgets: Number(set.evaporation) > 0,
  }
  const words = wordsOf(given, n, aggregation.name, { ...set, exchanges: until })
  const tell = (line: string) => {
    if (!options.json) io.out(`${line}\n`)
  }
  const line = new ProgressLine(options.json ? { ...io, progress: false } : io, 0)
  tell(`${title(plan, n, io)}\n`)
  const outcome = await withProcesses(
    n,
    [...words, ...timingWords(options)],
    // Where processes come and go, what they say of each other is no news.
    () => {},
    (children) =>
      watchGossip(
        plan,
        children,
        (text) => {
          line.clear()
          tell(text)
        },
        (text) => line.show(text),
      ),
  )
  line.clear()
  if (outcome === null) return EXIT.interrupted
  io.out(options.json ? `${JSON.stringify(outcome)}\n` : report(outcome, plan, io))
  return outcome.verdict.ok ? EXIT.done : EXIT.violated
}

/** What each process is told, besides its position. */
function wordsOf(
  { values, seed, wake }: ScenarioInput,
  n: number,
  name: string,
  set: Readonly<Record<string, number | string>>,
): string[] {
  const flags = Object.entries({ values, seed, wake }).flatMap(([flag, value]) =>
    value === undefined ? [] : [flagged(flag), String(value)],
  )
  const settings = Object.entries(set).flatMap(([key, value]) => ['--set', `${key}=${value}`])
  // All processes are there; one that goes on without the others must not be hasty.
  const general = ['--complete', '-', '-n', String(n), '--json', '--patience', '20']
  return ['--algorithm', name, ...general, ...flags, ...settings]
}

/** Reads `3@2s,5@2s`: positions, and when after the start each is killed. */
function killsOf(text: string | undefined, n: number, lasting: number): Kill[] {
  if (text === undefined) return []
  const kills = text.split(',').map((entry) => {
    const [position, after, ...rest] = entry.trim().split('@')
    if (after === undefined || rest.length > 0) {
      throw new UsageError(
        '--kill',
        `positions with times, such as 3@2s,5@2s, are needed, but ${quoted(entry)} was given.`,
        'Times are counted from the start.',
      )
    }
    return { node: readPosition('--kill', position, n), after: duration('--kill', after) }
  })
  const late = kills.find(({ after }) => after >= lasting)
  if (late !== undefined) {
    throw new UsageError(
      '--kill',
      `a time before the end, ${seconds(lasting)} after the start, is needed, but ${seconds(late.after)} was given.`,
      'Kill earlier, or gossip longer with --until.',
    )
  }
  const nodes = new Set(kills.map(({ node }) => node))
  if (nodes.size < kills.length) {
    throw new UsageError('--kill', `a process dies once, but ${text} was given.`, 'Leave one out.')
  }
  if (nodes.size === n) {
    throw new UsageError(
      '--kill',
      `somebody must be left, but -n is ${n}.`,
      'Start more processes.',
    )
  }
  return kills
}

function title({ algorithm, until, period }: GossipClusterOptions, n: number, io: Io): string {
  const paint = coloursFor(io.colours)
  const times = `${grouped(until)} cycles of ${grouped(period)} ms`
  return `${paint.bold(algorithm)}  ${paint.dim(`${n} processes over TCP on loopback, ${times}`)}`
}

function report(outcome: GossipClusterResult, plan: GossipClusterOptions, io: Io): string {
  const { nodes, truth, within, messages, verdict, killed } = outcome
  const paint = coloursFor(io.colours)
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
  const near = `${percent(within)} of the processes within ${percent(plan.tolerance)} of it`
  return `${[
    ...(killed.length === 0 ? [] : ['']),
    `  ${paint.bold(head)}`,
    ...rows.map((row) => `  ${row}`),
    '',
    `  ${paint.bold(`truth ${figure(truth)}`)}${killed.length === 0 ? '' : ' for the living'}; ${near}`,
    `  ${grouped(messages.total)} messages (${typesText(messages.byType)})`,
    ...losses(outcome, plan),
    '',
    ...verdictLines(verdict.properties, paint),
  ].join('\n')}\n`
}

/** What the dead have left behind and taken along, and whether an epoch has made it good. */
function losses(
  { killed, lost, ...outcome }: GossipClusterResult,
  plan: GossipClusterOptions,
): string[] {
  if (lost === null) return []
  const one = killed.length === 1
  const who = one ? 'the one that was killed' : `the ${killed.length} that were killed`
  return [
    `  what ${who} had given stays, what ${one ? 'it' : 'they'} held is gone: the others were left with`,
    `  ${figure(lost.mean)} on average, at most ${share(lost.error)} off the truth of ${figure(lost.truth)}; ${repair(outcome, plan)}`,
  ]
}

function repair(
  { repaired, error }: Pick<GossipClusterResult, 'repaired' | 'error'>,
  { epoch, forgets }: GossipClusterOptions,
): string {
  if (repaired) return `a new epoch has repaired it, to at most ${share(error)}`
  if (epoch > 0) return 'the next epoch will repair it: gossip longer with --until'
  return forgets ? 'evaporation forgets it little by little' : 'an epoch repairs it: --set epoch=10'
}

/** Hundredths of a per cent are near enough for people. */
function share(error: number | null): string {
  return error === null ? '-' : percent(Number(error.toFixed(4)))
}
