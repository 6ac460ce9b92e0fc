import { grouped } from '../../core/text-format.ts'
import type { AggregationResult } from '../../scenario/gossip/gossip-run.ts'
import { type CycleEntry, nearWords } from '../../sim/index.ts'
import {
  type Colours,
  columns,
  figure,
  foundLines,
  headingLines,
  paragraph,
  percent,
  remarkLines,
  verdictLines,
} from '../terminal/format.ts'
import type { Speed } from './execute.ts'

/** The number of rows of the table: the first cycles, the last, and some in between. */
const ROWS = 12
/** Values of settings that have no effect and are not shown. */
const QUIET: ReadonlySet<unknown> = new Set([undefined, 0, 'none', 'links', 'drawn', 'all', 'fifo'])
const FAULTS = [
  'order',
  'wake',
  'coins',
  'crash',
  'recover',
  'loss',
  'duplicate',
  'partition',
  'cut',
  'tamper',
] as const
/** More cycles than fit into a line are shown in part. */
const CELLS = 101
const LEVELS = '▁▂▃▄▅▆▇█'

/** The result of an aggregation, and how fast it was. */
export type AggregationReport = AggregationResult & Speed

/** The text report of an aggregation: how the estimates converge, and the cost. */
export function aggregationText(report: AggregationReport, paint: Colours): string {
  const { scenario, cycles, verdict } = report
  const { algorithm, topology, timing, delay, values, set, seed } = scenario
  const faults = FAULTS.map((name): [string, unknown] => [name, scenario[name]])
  const world = [
    topology,
    delay === undefined ? timing : `messages, delay ${delay}`,
    `values ${typeof values === 'string' ? values : values.join()}`,
    ...[...faults, ...Object.entries(set)].flatMap(([name, value]) =>
      QUIET.has(value) ? [] : [`${name} ${value}`],
    ),
    `seed ${seed}`,
  ]
  const [head, ...rows] = columns([
    ['cycle', 'mean', 'variance', 'factor', 'within', 'min', 'max'],
    ...shownOf(cycles).map((entry) => [
      String(entry.cycle),
      figure(entry.mean),
      figure(entry.variance),
      entry.factor === null ? '-' : entry.factor.toFixed(4),
      percent(entry.within),
      figure(entry.min),
      figure(entry.max),
    ]),
  ])
  const lines = [
    ...remarkLines(scenario, paint),
    ...headingLines(algorithm, world, paint),
    '',
    `  ${paint.bold(head)}`,
    ...rows.map((row) => `  ${row}`),
    '',
    ...sparkline(cycles, paint),
    ...conclusion(report, paint),
    ...paragraph(
      `${grouped(report.messages.total)} messages${speedOfConvergence(report)}`,
      paint.width,
    ),
    ...foundLines(report.found, paint.width),
    ...mass(report),
    ...presence(report),
    ...election(report),
    '',
    ...verdictLines(verdict.properties, paint),
  ]
  return `${lines.join('\n')}\n`
}

function shownOf(cycles: readonly CycleEntry[]): CycleEntry[] {
  const step = Math.max(1, Math.ceil((cycles.length - 1) / (ROWS - 2)))
  return cycles.filter(
    ({ cycle }) => cycle % step === 0 || cycle === 1 || cycle + 1 === cycles.length,
  )
}

/** The logarithm of the variance, cycle by cycle, in eight levels. */
function sparkline(cycles: readonly CycleEntry[], paint: Colours): string[] {
  const step = Math.ceil(cycles.length / CELLS)
  const shown = cycles.filter((_, i) => i % step === 0)
  const logs = shown.map(({ variance }) =>
    variance === null || variance <= 0 ? null : Math.log10(variance),
  )
  const known = logs.filter((log) => log !== null)
  if (known.length < 2) return []
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const cells = logs.map((log) => {
    if (log === null) return ' '
    return LEVELS[Math.min(7, Math.floor(((log - low) / (high - low || 1)) * 8))]
  })
  const ends = paint.dim(`log10 variance, ${high.toFixed(1)} to ${low.toFixed(1)}`)
  return [`  ${paint.cyan(cells.join('').trimEnd())}  ${ends}`, '']
}

function conclusion(report: AggregationReport, paint: Colours): string[] {
  const { rounds, truth, cycles } = report
  if (isDeserted(report)) return [`  ${paint.bold('nobody is left: every node has crashed')}`]
  if (rounds === undefined) return [`  ${paint.bold(`truth ${figure(truth)}`)}${outcome(report)}`]
  const { within, cycle } = cycles[cycles.length - 1]
  const spread =
    rounds === null
      ? `${percent(within)} of the nodes know the rumor after ${cycle} rounds`
      : `all nodes know the rumor after ${rounds} rounds`
  return [`  ${paint.bold(spread)}`]
}

function isDeserted({ cycles }: AggregationReport): boolean {
  return cycles[cycles.length - 1].alive === 0
}

function outcome({ time, scenario, cycles }: AggregationReport): string {
  const { within, truth, scale } = cycles[cycles.length - 1]
  const tolerance = Number(scenario.set.tolerance)
  const near = nearWords(percent(tolerance), figure(tolerance * scale), truth, scale)
  if (time.reached !== null) return `; all nodes ${near} since ${time.unit} ${time.reached}`
  return `; ${percent(within)} of the nodes ${near} at the end`
}

/** The error of the sum, which is not exact where messages are in flight or lost. */
function mass({ cycles, scenario }: AggregationReport): string[] {
  const { massError, massScale } = cycles[cycles.length - 1]
  if (scenario.timing === 'cycles' || massError === null) return []
  const relative = massScale === 'spread' ? ' of the spread of its start values,' : ''
  return [`  sum off by ${percent(massError)}${relative} once nothing is in flight`]
}

/** The live nodes and their connectivity, where some nodes have crashed or left. */
function presence({ n, cycles, percolation, scenario }: AggregationReport): string[] {
  const { alive, waiting } = cycles[cycles.length - 1]
  const { components, largest, deadContacts } = percolation
  if (alive === 0) return []
  if (alive === n && components === 1 && (scenario.set.peers ?? 'links') === 'links') return []
  const wait = waiting === 0 ? '' : `, ${grouped(waiting)} of them waiting for the next epoch`
  const parts = components === 1 ? 'all' : `the largest of ${grouped(components)} components has`
  const share = components === 1 ? 'in one component' : `${percent(largest)} of them`
  const dead = `${percent(deadContacts)} of their contacts crashed`
  const lives = `${grouped(alive)} of ${grouped(n)} nodes alive${wait}`
  if (alive === 1) return [`  ${lives}; it has nobody to exchange with`]
  return [`  ${lives}; ${parts} ${share}; ${dead}`]
}

function election({ elected }: AggregationReport): string[] {
  if (elected === undefined) return []
  const { algorithm, leader, messages } = elected
  return [`  ${algorithm} elected position ${leader} first, with ${grouped(messages)} messages`]
}

function speedOfConvergence({ factor, expected }: AggregationReport): string {
  if (factor === null) return ''
  const measured = `; variance factor per cycle ${factor.toFixed(4)}`
  return expected === null
    ? measured
    : `${measured}; theory predicts ${expected.toFixed(4)} on average`
}
