import {
  type ExplainedRun,
  FAULT_KINDS,
  type FaultKind,
  type FaultOptions,
} from '../../check/index.ts'
import type { Verdict } from '../../core/index.ts'
import { type Colours, grouped } from '../terminal/format.ts'
import { coverageInShort, coverageLines } from './coverage-report.ts'
import type { CheckReport } from './explore.ts'
import { worstLines } from './worst-case-report.ts'

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

export function verdictLines(properties: readonly Verdict[], paint: Colours): string[] {
  return properties.map(({ name, holds, detail }) => {
    const mark = holds === null ? paint.yellow('?') : holds ? paint.green('✓') : paint.red('✗')
    return `  ${mark} ${name}${holds ? '' : `: ${detail}`}`
  })
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
    ...(counts.length > 0 ? [`up to ${listed(counts)}${reappear ? ' under another id' : ''}`] : []),
    ...(dead.length > 0 ? [`${listed(dead.map(String))} never up`] : []),
    ...(detect === 'off' ? ['detector off'] : []),
  ].join(', ')
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
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
