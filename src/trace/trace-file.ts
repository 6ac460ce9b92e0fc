import { type ModelOptions, modeText, type TransitionJson } from '../check/index.ts'
import { UsageError } from '../core/index.ts'
import { quoted } from '../scenario/fields/reading.ts'
import type { ScenarioInput } from '../scenario/index.ts'
import { isRecord, readModelOptions } from './check-options-text.ts'

/**
 * A trace as a file: JSON lines, the first of which says what run this is and all others are its
 * events. A run of the simulator is its scenario, which has the seed. A run of the checker is also
 * the rules of the game and the moves, of which events do not tell everything.
 */
export interface TraceFile {
  readonly scenario: ScenarioInput & { readonly algorithm: string }
  /** Only where it comes from the checker. */
  readonly explored: CheckedTrace | null
  /** Every event as JSON writes it, however it was written in the file. */
  readonly events: readonly string[]
}

export interface CheckedTrace {
  readonly rules: ModelOptions
  /** What this run breaks; null where it is a sample. */
  readonly property: string | null
  readonly moves: readonly TransitionJson[]
}

/** The first line of a trace; its event is none that a node could have. */
export function traceHead(scenario: ScenarioInput, explored: CheckedTrace | null = null): string {
  const check = explored && {
    ...explored.rules,
    mode: modeText(explored.rules.mode),
    property: explored.property,
    moves: explored.moves,
  }
  return JSON.stringify({ event: 'scenario', scenario, ...(check && { check }) })
}

/** Reads the text of a trace, or complains about the line where it is none. */
export function readTrace(text: string, path: string): TraceFile {
  const lines = text.replace(/\n$/, '').split('\n')
  if (text.trim() === '') throw noTrace(path, 'it is empty')
  const [head, ...events] = lines.map((line, i) => objectOf(line, `${path}, line ${i + 1}`))
  const { event, scenario, check } = head
  if (event !== 'scenario' || !isRecord(scenario))
    throw noTrace(path, 'its first line has no scenario')
  if (typeof scenario.algorithm !== 'string')
    throw noTrace(path, 'the scenario in its first line names no algorithm')
  const strange = events.findIndex((it) => typeof it.event !== 'string' || !isMoment(it))
  if (strange >= 0)
    throw new UsageError(
      `${path}, line ${strange + 2}`,
      `an event with its at and its node is needed, but there is ${quoted(events[strange])}.`,
      'Make the trace again.',
    )
  return {
    scenario: { ...scenario, algorithm: scenario.algorithm },
    explored: check === undefined ? null : exploredOf(check, path),
    events: events.map((it) => JSON.stringify(it)),
  }
}

function exploredOf(check: unknown, path: string): CheckedTrace {
  if (!isRecord(check)) throw noTrace(path, 'the check in its first line is no object')
  const { property = null, moves } = check
  if (property !== null && typeof property !== 'string')
    throw noTrace(path, 'the property in its first line is no name')
  const isMove = (move: unknown) => isRecord(move) && typeof move.event === 'string'
  if (!Array.isArray(moves) || !moves.every(isMove))
    throw noTrace(path, 'its first line has no list of moves')
  const rules = readModelOptions(check, (field) => `${path}, line 1: ${field}`)
  return { rules, property, moves }
}

function objectOf(line: string, where: string): ScenarioInput {
  let value: unknown
  let why = 'it is something else'
  try {
    value = JSON.parse(line)
  } catch (error) {
    why = `it does not parse (${(error as Error).message.replace(/\s+/g, ' ')})`
  }
  if (isRecord(value)) return value
  throw new UsageError(where, `a JSON object is needed, but ${why}.`, 'Make the trace again.')
}

function isMoment({ at, node }: ScenarioInput): boolean {
  return typeof at === 'number' && Number.isSafeInteger(node)
}

function noTrace(path: string, given: string): UsageError {
  return new UsageError(
    path,
    `a trace is needed, as run and check write it with --trace, but ${given}.`,
    'Make one.',
  )
}
