import {
  type CheckResult,
  type CostFigure,
  defaultMode,
  type ExplainedRun,
  FAULT_KINDS,
  type FaultKind,
  type FaultOptions,
  type Mode,
  modeText,
  ringCloses,
} from '../../check/index.ts'
import type { World } from '../../core/language/world.ts'
import { enumerated, grouped, wrapped } from '../../core/text-format.ts'
import { type Colours, WIDTH } from '../terminal/format.ts'
import { verdictLines } from '../terminal/verdicts.ts'
import type { AllReport } from './all-permutations.ts'
import type { CheckReport } from './explore.ts'
import type { CostlyRun, ExactBound, WorstReport } from './worst-case.ts'

/** The result of an exploration for people. What was not covered is said first. */
export function checkReport(report: CheckReport, paint: Colours): string {
  const { algorithm, topology, mode, order, wake, states, transitions, depth, speed } = report
  const lines = [
    headline(report, paint),
    paint.dim(
      `  ${algorithm} on ${topology}, ${mode}, ${order}; ${
        wake === 'any' ? 'any non-empty set of nodes wakes, at any moment' : `wake ${wake}`
      }`,
    ),
    `  ${grouped(states)} states, ${grouped(transitions)} transitions, depth ${grouped(depth)}, ${grouped(speed.cpuMs)} ms of CPU`,
    paint.dim(`  ${effort(report)}`),
    ...drawsLines(report),
    ...coverageLines(report),
    '',
    ...verdictLines(report.properties, paint),
    ...counterexample(report),
    ...worstLines(report.worst, paint),
  ]
  return `${lines.join('\n')}\n`
}

/** What was left out, how states were told apart, and what was done beyond a limit. */
function effort({ reduction, hash, walk }: CheckReport): string {
  const told = hash.exact
    ? 'every state kept whole'
    : `hashes of 64 bits, ${hash.expectedMisses.toExponential(0)} states expected to be missed`
  const walked =
    walk === undefined
      ? ''
      : `; ${grouped(walk.walks)} random walks of up to ${grouped(walk.longest)} steps`
  return `reduction: ${reduction.detail}; ${told}${walked}`
}

export function headline(report: CheckReport, paint: Colours): string {
  const { exhausted, reason, violated, faults } = report
  const inWords = faults === undefined ? '' : ` (${faultsInWords(faults)})`
  const covered = `${exhausted || violated ? coverageInShort(report) : ''}${inWords}`
  if (violated !== null) return paint.red(paint.bold(`Violated: ${violated.property}${covered}`))
  if (!exhausted) return paint.yellow(paint.bold(`Not exhausted: ${reason}${covered}`))
  return paint.green(paint.bold(`${reach(report)} explored${covered}`))
}

/** What is known of draws, where they were limited. */
function drawsLines({ draws }: CheckReport): string[] {
  if (draws === undefined || draws.enough === null) return []
  const { most, enough, cut } = draws
  if (enough) return [`  no node draws more than ${grouped(most)} times in any run`]
  return [`  runs with more draws are cut: ${grouped(cut)} states where nothing else can happen`]
}

/** What was explored: coins that fall alike for ever make runs of which no search sees the end. */
function reach({ draws }: CheckReport): string {
  if (draws === undefined || draws.enough) return 'Every interleaving'
  return `Every run with at most ${draws.most} ${draws.most === 1 ? 'draw' : 'draws'} of each node`
}

const ONE: Readonly<Record<FaultKind, string>> = {
  crashes: 'crash',
  losses: 'loss',
  duplicates: 'duplicate',
  cuts: 'cut',
  recoveries: 'recovery',
}

/** How much may go wrong: `up to 1 crash and 2 losses, detector off`. */
function faultsInWords({ dead = [], reappear, detect, ...budget }: FaultOptions): string {
  const counts = FAULT_KINDS.map((kind) => ({ kind, count: budget[kind] ?? 0 }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${count === 1 ? ONE[kind] : kind}`)
  return [
    ...(counts.length > 0
      ? [`up to ${enumerated(counts)}${reappear ? ' under another id' : ''}`]
      : []),
    ...(dead.length > 0 ? [`${enumerated(dead.map(String))} never up`] : []),
    ...(detect === 'off' ? ['detector off'] : []),
  ].join(', ')
}

function counterexample({ violated }: CheckReport): string[] {
  if (violated === null) return []
  const { property, trace, loop, shortest } = violated
  if (loop !== undefined) {
    const round =
      loop === trace.length
        ? `step ${loop} follows itself`
        : `steps ${loop} to ${trace.length} repeat`
    return ['', `A way to break "${property}": ${round} for ever:`, ...stepLines(violated)]
  }
  const title = shortest
    ? `A shortest way to break "${property}":`
    : `A way to break "${property}", not proven to be a shortest:`
  return ['', title, ...stepLines(violated)]
}

/** The steps of a run, numbered, each a sentence. */
export function stepLines({ trace }: Pick<ExplainedRun, 'trace'>): string[] {
  const width = String(trace.length).length
  return trace.map(({ text }, i) => `  ${String(i + 1).padStart(width)}. ${text}`)
}

/** What a check of all arrangements covers, in lines; none for one of a single arrangement. */
function coverageLines(report: CheckReport): string[] {
  if (!isAll(report)) return []
  const { arrangements, coverage, exhausted, violated } = report
  const { needed, all, proves, largest } = coverage
  const standing =
    needed === all ? '' : `; they stand for all ${grouped(all)}, since the network can be turned`
  const explored =
    arrangements === needed ? grouped(needed) : `${grouped(arrangements)} of ${grouped(needed)}`
  const tried = [
    `${explored} ${explored === '1' ? 'permutation' : 'permutations'} of the ids${standing}`,
    `most states: ${grouped(largest.states)}, with ids ${largest.ids}`,
  ]
  return [
    ...(isNameless(report) ? ['nodes have no ids: there is nothing to permute'] : tried),
    ...(exhausted && violated === null ? [`holds for ${proves}`] : []),
  ]
    .flatMap(indented)
    .concat(violated === null ? [] : [`  to see it alone: ${violated.command}`])
}

/** What the first line says more than that of a single arrangement. */
function coverageInShort(report: CheckReport): string {
  if (!isAll(report) || isNameless(report)) return ''
  return report.violated === null
    ? ', for every permutation of the ids'
    : `, ids ${report.violated.ids}`
}

function isNameless({ coverage }: AllReport): boolean {
  return coverage.largest.ids.length === 0
}

function isAll(report: CheckReport): report is AllReport {
  return 'coverage' in report
}

function indented(text: string): string[] {
  return wrapped(text, WIDTH - 4).map((line, i) => `${i === 0 ? '  ' : '    '}${line}`)
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
    return ['', `${title} over all schedules: ${paint.yellow(`not known, since ${reason}`)}`]
  const same = figures.every(({ most, least }) => most === least)
  return [
    '',
    `${title} over all schedules, exactly:`,
    ...UNIT[unit].map((line) => paint.dim(line)),
    ...figures.map((figure) => `  ${figure.name.padEnd(25)}${rangeOf(figure)}`),
    ...worst.bounds.map((bound) => `  ${boundInWords(bound, worst)}`),
    ...(samples === null ? [] : sampleLines(samples, same, figures[0])),
  ]
}

function rangeOf({ most, least }: CostFigure): string {
  if (most === null && least === null) return 'in no run'
  if (most === least) return `${shown(most)} whatever the schedule`
  return `${shown(least)} at best, ${shown(most)} at worst`
}

function shown(cost: CostFigure['most']): string {
  if (cost === null) return 'none'
  return cost === 'unbounded' ? 'unbounded' : grouped(cost)
}

/** What is proven is of the last figure: without the announcement, or until somebody leads. */
function boundInWords(bound: ExactBound, { unit }: WorstReport): string {
  const { kind, formula, value, within, reached } = bound
  const failing =
    unit === 'chains' ? 'not for chains, which may be longer than the time' : 'EXCEEDED'
  const verdict = within ? (reached ? 'reached' : 'kept') : failing
  const limit = kind === 'worst' ? 'at most' : 'at least'
  return `${limit} ${formula} = ${grouped(value)} is proven: ${verdict}`
}

function sampleLines(
  { most, least }: NonNullable<WorstReport['samples']>,
  same: boolean,
  figure: CostFigure,
): string[] {
  if (same) return ['', `A run${withIds(most)}:`, ...steps(most)]
  return [
    '',
    `A run with the most (${shown(figure.most)})${withIds(most)}:`,
    ...steps(most),
    '',
    `A run with the least (${shown(figure.least)})${withIds(least)}:`,
    ...steps(least),
  ]
}

function withIds({ ids = [] }: CostlyRun): string {
  return ids.length === 0 ? '' : `, with ids ${ids}`
}

function steps(run: CostlyRun): string[] {
  const { loop } = run
  const again = loop === undefined ? [] : [`  and again and again from step ${loop} on`]
  return [...stepLines(run), ...again]
}

/** What a reader of a result, or of a counterexample, might not think of. */
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
    notes.push('the ring closes: all nodes are told of the same deaths and returns, in one order')
  if (violated === null) return notes
  if (mode === 'untimed' && needs.time === 'bounded delay')
    notes.push(
      `untimed: delays have no bound here; ${name} needs one: try --mode ${modeText(defaultMode(algorithm))}`,
    )
  if (names !== undefined)
    notes.push('ids in messages stand for what is compared: the value or the like, then the id')
  return notes
}

export function notesReport(notes: readonly string[] = []): string {
  return notes.map((note) => `\n  ${note}\n`).join('')
}
