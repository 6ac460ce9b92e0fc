import { coveredIds, PAIRS } from '../../api/arrangements.ts'
import { checkHeadline } from '../../api/check-headline.ts'
import type { CostlyRun, ExactBound, WorstReport } from '../../api/worst-report.ts'
import {
  type CheckResult,
  type CostFigure,
  type ExplainedRun,
  type FaultOptions,
  type Mode,
  neverInWords,
  overallVerdict,
  ringCloses,
} from '../../check/index.ts'
import type { World } from '../../core/language/world.ts'
import { counted, grouped, readable } from '../../core/text-format.ts'
import { type Colours, indentedRemarks, paragraph, verdictLines } from '../terminal/format.ts'
import type { AllReport } from './all-permutations.ts'
import { counterexampleLines, loopInWords, stepLines } from './counterexample-report.ts'
import type { CheckReport } from './explore.ts'
import { INTERRUPTED_REASON } from './interrupted-search.ts'

/** The text report. The first line says what was not explored. */
export function checkReport(report: CheckReport, paint: Colours): string {
  const { states, transitions, depth, speed } = report
  const dimmed = (text: string) => indented(text, paint).map((line) => paint.dim(line))
  const lines = [
    ...headline(report, paint),
    ...dimmed(worldInWords(report)),
    ...indentedRemarks(report.file ?? {}, paint),
    ...indented(
      `${counted(states, 'state')}, ${counted(transitions, 'transition')}, depth ${grouped(depth)}, ${grouped(speed.cpuMs)} ms of CPU`,
      paint,
    ),
    ...dimmed(searchLine(report)),
    ...drawLimitLines(report),
    ...coverageLines(report, paint),
    '',
    ...verdictLines(report.properties, paint),
    ...undecidedLines(report),
    ...neverLines(report, paint),
    ...counterexampleLines(report, paint),
    ...worstLines(report.worst, paint),
  ]
  return `${lines.join('\n')}\n`
}

const ORDERS: Readonly<Record<string, string>> = {
  fifo: 'links keep the order of messages',
  any: 'links may reorder messages',
  lossy: 'links may lose, repeat and reorder messages',
}

/** What was explored: the network, the ids, the model of time and links, and the bounds. */
function worldInWords(report: CheckReport): string {
  const { algorithm, topology, mode, order, wake, explored } = report
  const { draws, timeouts, exchanges, ...bounds } = explored
  return [
    `${algorithm} on ${topology}`,
    ...idsInWords(report),
    ...(mode === PAIRS ? ['nodes meet in pairs'] : [modeInWords(mode), ORDERS[order]]),
    wake === 'any' ? 'any node may start, at any time' : `start: ${wake}`,
    ...(exchanges === undefined ? [] : [`${counted(exchanges, 'exchange')} per node`]),
    ...Object.entries(bounds).map(([field, most]) => `${field} at most ${most}`),
    ...(draws === undefined ? [] : [`at most ${counted(draws, 'random choice')} per node`]),
    ...(timeouts === undefined ? [] : [`${counted(timeouts, 'value')} of each random delay`]),
  ].join('; ')
}

function idsInWords(report: CheckReport): string[] {
  if (!isAll(report)) return report.ids.length === 0 ? [] : [`only with ids ${report.ids}`]
  if (isAnonymous(report)) return []
  const { arrangements, exhausted, coverage } = report
  const { needed, largest } = coverage
  const count = exhausted
    ? 'every permutation'
    : `${grouped(arrangements)} of ${grouped(needed)} permutations`
  return [`${count} of the ids 1 to ${largest.ids.length}`]
}

function modeInWords(mode: string): string {
  if (mode === 'untimed') return 'no clock'
  if (mode === 'patient') return 'timers wait until nothing is in flight'
  const most = mode.slice('clocked:'.length)
  if (most === '1') return 'a message takes 1 unit of time'
  return most === 'any'
    ? 'a message takes 1 unit of time or more'
    : `a message takes 1 to ${most} units of time`
}

/** The reduction, how states were stored, and the random walks. */
function searchLine({ reduction, hash, walk }: CheckReport): string {
  const stored = hash.exact
    ? 'whole states'
    : `64-bit fingerprints, expected hash collisions: ${hash.expectedMisses.toExponential(0)}`
  const walked =
    walk === undefined
      ? ''
      : `; ${grouped(walk.walks)} random walks of up to ${grouped(walk.longest)} steps`
  return `reduction: ${reduction.detail}; ${stored}${walked}`
}

export function headline(report: CheckReport, paint: Colours): string[] {
  const { text, holds } = checkHeadline(
    report,
    isAll(report) && isAnonymous(report) ? '' : coveredIds(report),
  )
  const colour = holds ? paint.green : holds === false ? paint.red : paint.yellow
  return paragraph(readable(text), paint.width, '', '  ').map((line) => colour(paint.bold(line)))
}

/** What the exit code says, where something is undecided. */
function undecidedLines(report: CheckReport): string[] {
  if (overallVerdict(report) !== null) return []
  if (report.reason === INTERRUPTED_REASON)
    return ['', '  Nothing is violated so far, and what is marked ? is undecided (exit code 130).']
  const { reason = '' } = report
  const limit = /limit of \d+ states/.test(reason)
    ? ['  --states explores further; docs/checking.md says which smaller worlds are exhausted.']
    : []
  return ['', '  Nothing is violated, but what is marked ? is undecided (exit code 3).', ...limit]
}

/** What did not happen. Before a violation little has, and nobody takes that for a proof. */
function neverLines({ never, exhausted, violated }: CheckReport, paint: Colours): string[] {
  const texts = violated === null ? neverInWords(never) : []
  if (texts.length === 0) return []
  const title = exhausted ? 'Never happened in this exploration:' : 'Not seen so far:'
  return [
    '',
    `  ${title}`,
    ...texts.flatMap((text) => paragraph(text, paint.width, '    - ', '      ')),
  ]
}

/** The effect of the limit of random choices. */
function drawLimitLines({ draws }: CheckReport): string[] {
  if (draws === undefined || draws.enough === null) return []
  const { most, enough, cut } = draws
  if (enough) return [`  no node makes more than ${counted(most, 'random choice')} in any run`]
  const states = counted(cut, 'state')
  return [`  runs with more random choices are cut: ${states} without another continuation`]
}

/** The coverage of all permutations, in lines; none for a single permutation. */
function coverageLines(report: CheckReport, paint: Colours): string[] {
  if (!isAll(report)) return []
  const { arrangements, coverage, exhausted, violated } = report
  const { needed, all, proves, largest } = coverage
  const represent = needed === 1 ? 'it represents' : 'they represent'
  const symmetry = needed === all ? '' : `; by symmetry ${represent} all ${grouped(all)}`
  const explored =
    arrangements === needed ? grouped(needed) : `${grouped(arrangements)} of ${grouped(needed)}`
  const tried = [
    `${explored} ${explored === '1' ? 'permutation' : 'permutations'} of the ids${symmetry}`,
    `most states: ${grouped(largest.states)}, with ids ${largest.ids}`,
  ]
  return [
    ...(isAnonymous(report) ? ['nodes have no ids: there is nothing to permute'] : tried),
    ...(exhausted && violated === null
      ? [`${overallVerdict(report) ? '' : 'what is decided '}holds for ${proves}`]
      : []),
    ...(violated !== null && coverage.ids ? [coverage.ids.detail] : []),
  ]
    .flatMap((text) => indented(text, paint))
    .concat(violated === null ? [] : [`  reproduce: ${violated.command}`])
}

function isAnonymous({ coverage }: AllReport): boolean {
  return coverage.largest.ids.length === 0
}

function isAll(report: CheckReport): report is AllReport {
  return 'coverage' in report
}

function indented(text: string, { width }: Colours): string[] {
  return paragraph(text, width, '  ', '    ')
}

const UNIT = {
  messages: [],
  chains: [
    '  in message delays: the longest chain of messages, each sent by the receiver',
    '  of the one before; timers take no time',
  ],
  clock: ['  by the clock, from the first start'],
}

/** The worst and best case over all schedules, with a run of each. */
function worstLines(worst: WorstReport | undefined, paint: Colours): string[] {
  if (worst === undefined) return []
  const { of, unit, figures, samples, reason } = worst
  const title = of === 'messages' ? 'Messages' : 'Time'
  if (reason !== undefined)
    return ['', `${title} over all schedules: ${paint.yellow(`unknown because ${reason}`)}`]
  const same = figures.every(({ most, least }) => most === least)
  return [
    '',
    `${title} over all schedules, exactly:`,
    ...UNIT[unit].map((line) => paint.dim(line)),
    ...figures.map((figure) => `  ${figure.name.padEnd(25)}${rangeOf(figure)}`),
    ...worst.bounds.map((bound) => `  ${boundInWords(bound, worst)}`),
    ...(samples === null ? [] : sampleLines(samples, same, figures[0], paint)),
  ]
}

function rangeOf({ most, least }: CostFigure): string {
  if (most === null && least === null) return 'in no run'
  if (most === least) return `${shown(most)} under every schedule`
  return `${shown(least)} at best, ${shown(most)} at worst`
}

function shown(cost: CostFigure['most']): string {
  if (cost === null) return 'none'
  return cost === 'unbounded' ? 'unbounded' : grouped(cost)
}

/** The bound is for the last figure: without the announcement, or until a node is elected. */
function boundInWords(bound: ExactBound, { unit, largestDelay = 1 }: WorstReport): string {
  const { kind, value, within, reached } = bound
  const formula = largestDelay === 1 ? bound.formula : `${largestDelay} (${bound.formula})`
  const failing =
    unit === 'chains' ? 'does not apply to chains, which may exceed the time' : 'EXCEEDED'
  const verdict = within ? (reached ? 'reached' : 'holds') : failing
  const limit = kind === 'worst' ? 'at most' : 'at least'
  return `proven bound: ${limit} ${formula} = ${grouped(largestDelay * value)} (${verdict})`
}

function sampleLines(
  { most, least }: NonNullable<WorstReport['samples']>,
  same: boolean,
  figure: CostFigure,
  paint: Colours,
): string[] {
  if (same) return ['', `A run${withIds(most)}:`, ...steps(most, paint)]
  return [
    '',
    `A worst-case run (${shown(figure.most)})${withIds(most)}:`,
    ...steps(most, paint),
    '',
    `A best-case run (${shown(figure.least)})${withIds(least)}:`,
    ...steps(least, paint),
  ]
}

function withIds({ ids = [] }: CostlyRun): string {
  return ids.length === 0 ? '' : `, with ids ${ids}`
}

function steps(run: CostlyRun, paint: Colours): string[] {
  const { loop, trace } = run
  const cycle = loop === undefined ? [] : [`  ${loopInWords(loop, trace.length)}`]
  return [...stepLines(run, paint), ...cycle]
}

/** Hints for reading a result or a counterexample. */
export function notesOn(
  { violated }: CheckResult,
  world: World,
  mode: Mode,
  faults: FaultOptions,
): string[] {
  const { algorithm, names } = world
  const { name, needs } = algorithm
  const notes: string[] = []
  if (ringCloses(world, faults) && algorithm.restarts)
    notes.push(
      'the ring closes: all nodes are notified of all crashes and recoveries, in one order',
    )
  if (violated === null) return notes
  if (mode === 'untimed' && needs.time === 'bounded delay')
    notes.push(
      `untimed: delays are unbounded here, but ${name} needs a bound; leave --mode out to have one`,
    )
  if (names !== undefined)
    notes.push('ids in messages stand for election keys: the elected value, then the id')
  return notes
}

export function notesReport(notes: readonly string[] = []): string {
  return notes.map((note) => `\n  ${note}\n`).join('')
}

/** What `--json` prints: without the events, which only diagrams need. */
export function checkJson(report: CheckReport) {
  const { violated, worst, ...rest } = report
  const samples = worst?.samples
  return {
    ...rest,
    ...decisionJson(report),
    ...(worst && {
      worst: {
        ...worst,
        samples: samples && { most: runJson(samples.most), least: runJson(samples.least) },
      },
    }),
    violated: runJson(violated),
  }
}

/** Whether everything holds, and else what is not decided and why. */
export function decisionJson(result: Parameters<typeof overallVerdict>[0]) {
  const holds = overallVerdict(result)
  return { holds, ...(holds === null && { undecided: undecidedIn(result) }) }
}

function undecidedIn({ properties }: Pick<CheckResult, 'properties'>) {
  return properties
    .filter(({ holds }) => holds === null)
    .map(({ name, detail }) => ({ property: name, reason: detail }))
}

function runJson<T extends ExplainedRun>(story: T | null) {
  if (story === null) return null
  const { events: _, eventCounts: __, transitions: ___, unit: ____, ...rest } = story
  return rest
}
