import {
  FAULT_KINDS,
  type FaultKind,
  type FaultOptions,
  type Mode,
  type ModelOptions,
} from '../check/index.ts'
import { decimal, integer, unexpected, word } from '../options/reading.ts'
import type { FieldLocator, ScenarioInput } from '../scenario/index.ts'

const FAULTS: readonly string[] = [...FAULT_KINDS, 'reappear', 'detect', 'dead', 'oneWay', 'drift']
/** Kinds of faults that a report leaves out where there are none. */
export const UNSAID: readonly FaultKind[] = ['amnesia', 'partitions', 'pauses']

/** The largest number of faults of one kind. */
const MOST_FAULTS = 1000

/** The maximum number of faults of one kind. */
export function faultCount(where: string, value: unknown): number {
  return integer(where, value ?? 0, 0, MOST_FAULTS)
}

export function readMode(where: string, text: unknown): Mode {
  if (text === 'untimed' || text === 'patient') return text
  if (text === 'clocked:any') return { clocked: Number.POSITIVE_INFINITY }
  if (typeof text === 'string' && text.startsWith('clocked:')) {
    return { clocked: integer(where, text.slice('clocked:'.length), 1, 1000, 'the D of clocked:D') }
  }
  throw unexpected(
    where,
    'untimed, patient or clocked:D',
    text,
    'Write clocked:1 for synchronous rounds.',
  ).withCandidates(text, ['untimed', 'patient', 'clocked'])
}

/** The options of the model as a trace file has them. */
export function readModelOptions(given: ScenarioInput, where: FieldLocator): ModelOptions {
  const { mode, order, wake, faults } = given
  return {
    mode: readMode(where('mode'), mode),
    order: word(where('order'), order, ['fifo', 'any', 'lossy']),
    wake: wake === 'any' ? wake : positions(where('wake'), wake),
    ...(faults !== undefined && { faults: readFaultOptions(where('faults'), faults) }),
  }
}

function readFaultOptions(where: string, faults: unknown): FaultOptions {
  const unknown = isRecord(faults) ? Object.keys(faults).find((it) => !FAULTS.includes(it)) : ''
  if (!isRecord(faults) || unknown !== undefined)
    throw unexpected(
      where,
      `an object with ${FAULTS.join(', ')}`,
      unknown || faults,
      'Record the trace again.',
    )
  const { reappear = false, detect = 1, dead = [], oneWay = false, drift } = faults
  const given = FAULT_KINDS.filter((kind) => kind in faults || !UNSAID.includes(kind))
  return {
    ...Object.fromEntries(given.map((kind) => [kind, faultCount(where, faults[kind])])),
    reappear: word(where, String(reappear), ['true', 'false']) === 'true',
    detect: detect === 'off' ? detect : decimal(where, detect, 'a delay', 1, (it) => it >= 0),
    dead: positions(where, dead),
    ...(oneWay !== false && { oneWay: word(where, String(oneWay), ['true']) === 'true' }),
    ...(drift !== undefined && { drift: faultCount(where, drift) }),
  }
}

function positions(where: string, value: unknown): number[] {
  // Whether the network has these positions is checked later.
  const most = Number.MAX_SAFE_INTEGER
  if (Array.isArray(value)) return value.map((it) => integer(where, it, 0, most, 'a position'))
  throw unexpected(where, 'a list of positions', value, 'Record the trace again.')
}

export function isRecord(value: unknown): value is ScenarioInput {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
