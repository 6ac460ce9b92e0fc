import { UsageError } from '../core/index.ts'
import { grouped, quoted } from '../core/text-format.ts'

/** The fields that a user gave, each as text or as a JSON value; `n` is one of them. */
export type ScenarioInput = Readonly<Record<string, unknown>>

/** Where a field was given, for error messages: a flag, or `ring.json: ids`. */
export type FieldLocator = (field: string) => string

const DECIMAL = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** The error for a value that is not what the field expects. */
export function unexpected(
  where: string,
  expected: string,
  value: unknown,
  hint: string,
): UsageError {
  const got = value === undefined ? 'nothing' : quoted(value)
  return new UsageError(where, `expected ${expected}, got ${got}.`, hint)
}

/** A whole number within limits, in decimal digits or as JSON has it. */
export function integer(
  where: string,
  value: unknown,
  least: number,
  most: number,
  what = 'a whole number',
  example = Math.max(least, Math.min(8, most)),
): number {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) {
    return number
  }
  const limit = most === Number.MAX_SAFE_INTEGER ? '2^53 - 1' : grouped(most)
  const hint = `Write a whole number such as ${example}.`
  throw unexpected(where, `${what} from ${least} to ${limit}`, value, hint)
}

/** A decimal number that passes a test. `expected` completes the sentence "expected ...". */
export function decimal(
  where: string,
  value: unknown,
  expected: string,
  example: number,
  accepts: (number: number) => boolean,
): number {
  const number = typeof value === 'string' ? (parsedDecimal(value) ?? value) : value
  if (typeof number === 'number' && Number.isFinite(number) && accepts(number)) return number
  throw unexpected(where, expected, value, `Write a number such as ${example}.`)
}

/** The number that a text stands for, which may be infinite; null if it stands for none. */
export function parsedDecimal(text: string): number | null {
  return DECIMAL.test(text) ? Number(text) : null
}

/** The position of a node, out of n. */
export function position(where: string, value: unknown, n: number): number {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number < n) {
    return number
  }
  throw unexpected(
    where,
    `a position from 0 to ${grouped(n - 1)}`,
    number,
    'Nodes are named by position here, not by id.',
  )
}

/** The text of a field that must be text. */
export function text(where: string, value: unknown, example: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  throw unexpected(where, 'a text', value, `Write something like ${example}.`)
}

/** One of a few words. */
export function word<W extends string>(where: string, value: unknown, words: readonly W[]): W {
  const found = words.find((candidate) => candidate === value)
  if (found !== undefined) return found
  const hint = 'Choose one of them.'
  throw unexpected(where, `one of ${words.join(', ')}`, value, hint).withCandidates(value, words)
}

/** Parameters by name: `patience=3`, a list of such texts, or a JSON object. */
export function settingPairs(value: unknown): [name: string, setting: unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value)
  return (Array.isArray(value) ? value : [value]).map((entry) => {
    const [name, ...rest] = String(entry).split('=')
    return [name, rest.join('=')]
  })
}

/** Rejects `patience` and `patience=`, which set nothing. */
export function refuseEmptySetting(
  where: string,
  name: string,
  setting: unknown,
  example: number | string,
): void {
  if (setting !== '') return
  throw new UsageError(where, `${name} has no value.`, `Write ${name}=${example}.`)
}

/** The error for a parameter that the algorithm does not have. */
export function unknownParameter(
  where: string,
  whose: string,
  name: string,
  known: readonly string[],
  hint = parametersInWords(known),
): UsageError {
  return new UsageError(where, `${whose} has no parameter ${quoted(name)}.`, hint)
}

function parametersInWords(known: readonly string[]): string {
  if (known.length === 0) return 'It has none at all.'
  if (known.length === 1) return `Its only parameter is ${known[0]}.`
  return `Its parameters are ${known.join(', ')}.`
}

/** Rejects unknown fields, and null, which has no meaning in a scenario. */
export function refuseUnknownFields(
  given: ScenarioInput,
  known: readonly string[],
  whose: string,
  where: FieldLocator,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) {
      throw new UsageError(
        where(name),
        `${whose} has no field ${quoted(name)}.`,
        `The fields are ${known.join(', ')}.`,
      ).withCandidates(name, known)
    }
    if (value === null) {
      throw new UsageError(
        where(name),
        'null is not a value.',
        'Leave the field out to use its default.',
      )
    }
  }
}

/** A yes or no; fields of a command line are texts. */
export function trueOrFalse(where: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === 'false') return value === 'true'
  throw unexpected(where, 'true or false', value, 'Write one of them, without quotes.')
}
