import { type ModelOptions, modeText, type TransitionJson } from '../check/index.ts'
import { UsageError } from '../core/index.ts'
import { quoted } from '../core/text-format.ts'
import type { ScenarioInput } from '../scenario/index.ts'
import { isRecord, readModelOptions } from './check-options-text.ts'
import { readInduction, type TracedInduction } from './given-start.ts'

/**
 * A trace file: JSON lines, of which the first describes the run and the others are its events. A
 * run of the simulator is described by its scenario, which has the seed; a run of the checker also
 * by the options of the model and the transitions taken, which events do not determine. A
 * counterexample to induction is a run of the checker, too, with the state in which it begins.
 */
export interface TraceFile {
  readonly scenario: ScenarioInput & { readonly algorithm: string }
  /** Only in traces of the checker. */
  readonly explored: CheckedTrace | null
  /** The events as normalised JSON. */
  readonly events: readonly string[]
}

export interface CheckedTrace {
  readonly rules: ModelOptions
  /** The property that this run violates; null for a sample run. */
  readonly property: string | null
  readonly moves: readonly TransitionJson[]
  /** Only where the run does not begin in the initial state: a counterexample to induction. */
  readonly induction?: TracedInduction
}

/** The first line of a trace; no event of a run has this name. */
export function traceHead(scenario: ScenarioInput, explored: CheckedTrace | null = null): string {
  const check = explored && {
    ...explored.rules,
    mode: modeText(explored.rules.mode),
    property: explored.property,
    moves: explored.moves,
    ...explored.induction,
  }
  return JSON.stringify({ event: 'scenario', scenario, ...(check && { check }) })
}

/** Reads a trace; errors name the line. */
export function readTraceFile(text: string, path: string): TraceFile {
  const lines = text.replace(/\n$/, '').split('\n')
  if (text.trim() === '') throw notATrace(path, 'is empty')
  const [head, ...events] = lines.map((line, i) => objectOf(line, `${path}, line ${i + 1}`))
  const { event, scenario, check } = head
  if (event !== 'scenario' || !isRecord(scenario))
    throw notATrace(path, 'has no scenario in its first line')
  if (typeof scenario.algorithm !== 'string')
    throw notATrace(path, 'has a scenario without an algorithm in its first line')
  const strange = events.findIndex((it) => typeof it.event !== 'string' || !isMoment(it))
  if (strange >= 0)
    throw new UsageError(
      `${path}, line ${strange + 2}`,
      `expected an event with at and node, got ${quoted(events[strange])}.`,
      'Record the trace again.',
    )
  return {
    scenario: { ...scenario, algorithm: scenario.algorithm },
    explored: check === undefined ? null : exploredOf(check, path),
    events: events.map((it) => JSON.stringify(it)),
  }
}

function exploredOf(check: unknown, path: string): CheckedTrace {
  if (!isRecord(check)) throw notATrace(path, 'has a check in its first line that is not an object')
  const { property = null, moves, start, cti } = check
  if (property !== null && typeof property !== 'string')
    throw notATrace(path, 'has a property in its first line that is not a name')
  const isMove = (move: unknown) => isRecord(move) && typeof move.event === 'string'
  if (!Array.isArray(moves) || !moves.every(isMove))
    throw notATrace(path, 'has no list of moves in its first line')
  const rules = readModelOptions(check, (field) => `${path}, line 1: ${field}`)
  if (start === undefined) return { rules, property, moves }
  if (property === null || moves.length > 1)
    throw notATrace(path, 'has a start in its first line, but no property or several moves')
  return { rules, property, moves, induction: readInduction(start, cti, `${path}, line 1`) }
}

/** A line is nested less deeply; one that is deeper would overflow the stack. */
const DEPTH_MAX = 500

/** Counts brackets outside strings, in lines that are long enough. */
function isNestedDeeply(line: string): boolean {
  if (line.length < 2 * DEPTH_MAX) return false
  let depth = 0
  for (const [token] of line.matchAll(/"(?:[^"\\]|\\.)*"?|[[{\]}]/g)) {
    if (token === '[' || token === '{') depth++
    if (token === ']' || token === '}') depth--
    if (depth > DEPTH_MAX) return true
  }
  return false
}

function objectOf(line: string, where: string): ScenarioInput {
  let value: unknown
  let got = quoted(line)
  try {
    if (isNestedDeeply(line)) throw new Error(`more than ${DEPTH_MAX} brackets are open`)
    value = JSON.parse(line)
  } catch (error) {
    got = `text that does not parse (${(error as Error).message.replace(/\s+/g, ' ')})`
  }
  if (isRecord(value)) return value
  throw new UsageError(where, `expected a JSON object, got ${got}.`, 'Record the trace again.')
}

function isMoment({ at, node }: ScenarioInput): boolean {
  return typeof at === 'number' && Number.isSafeInteger(node)
}

function notATrace(path: string, problem: string): UsageError {
  return new UsageError(
    path,
    `the file is not a trace: it ${problem}.`,
    'Give a trace that run, check or prove has written.',
  )
}
