import { FAULT_KINDS, type FaultOptions, type Mode, type ModelOptions } from '../check/index.ts'
import { UsageError } from '../core/index.ts'
import { decimal, integer, quoted, word } from '../scenario/fields/reading.ts'
import type { FieldLocator, ScenarioInput } from '../scenario/index.ts'

const FAULTS: readonly string[] = [...FAULT_KINDS, 'reappear', 'detect', 'dead']
/** Of one kind of fault; more than any small world bears. */
const MANY = 1000
/** Positions are looked at in the world; here they are only numbers. */
const FAR = Number.MAX_SAFE_INTEGER

/** The budget of one kind of fault. */
export function faultCount(where: string, value: unknown): number {
  return integer(where, value ?? 0, 0, MANY)
}

export function readMode(where: string, text: unknown): Mode {
  if (text === 'untimed' || text === 'patient') return text
  if (typeof text === 'string' && text.startsWith('clocked:')) {
    return { clocked: integer(where, text.slice('clocked:'.length), 1, 1000, 'the D of clocked:D') }
  }
  throw new UsageError(
    where,
    `untimed, patient or clocked:D is needed, but ${quoted(text)} was given.`,
    'Write clocked:1 for synchronous rounds.',
  ).withCandidates(text, ['untimed', 'patient', 'clocked'])
}

/** The rules of an exploration as a file has them. */
export function readModelOptions(given: ScenarioInput, where: FieldLocator): ModelOptions {
  const { mode, order, wake, faults } = given
  return {
    mode: readMode(where('mode'), mode),
    order: word(where('order'), order, ['fifo', 'any']),
    wake: wake === 'any' ? wake : positions(where('wake'), wake),
    ...(faults !== undefined && { faults: readFaultRules(where('faults'), faults) }),
  }
}

function readFaultRules(where: string, faults: unknown): FaultOptions {
  const strange = isRecord(faults) ? Object.keys(faults).find((it) => !FAULTS.includes(it)) : ''
  if (!isRecord(faults) || strange !== undefined)
    throw new UsageError(
      where,
      `an object of ${FAULTS.join(', ')} is needed, but ${quoted(strange || faults)} was given.`,
      'Make the trace again.',
    )
  const { reappear = false, detect = 1, dead = [] } = faults
  return {
    ...Object.fromEntries(FAULT_KINDS.map((kind) => [kind, faultCount(where, faults[kind])])),
    reappear: word(where, String(reappear), ['true', 'false']) === 'true',
    detect: detect === 'off' ? detect : decimal(where, detect, 'a delay', 1, (it) => it >= 0),
    dead: positions(where, dead),
  }
}

function positions(where: string, value: unknown): number[] {
  if (Array.isArray(value)) return value.map((it) => integer(where, it, 0, FAR, 'a position'))
  throw new UsageError(
    where,
    `a list of positions is needed, but ${quoted(value)} was given.`,
    'Make the trace again.',
  )
}

export function isRecord(value: unknown): value is ScenarioInput {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
