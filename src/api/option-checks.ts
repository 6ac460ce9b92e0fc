import { UsageError } from '../core/index.ts'
import { quoted } from '../core/text-format.ts'
import { unexpected } from '../options/reading.ts'
import { isObjectLiteral } from '../options/shape.ts'

/*
 * What is refused before the options are read as a scenario. Types say the same, but not everybody
 * checks them. An error speaks of the option as the caller wrote it: `crash[0].at`.
 */

/** Options that are no data. */
type OptionTypes = Readonly<Record<string, 'function' | 'boolean'>>

const EXAMPLES = { function: '() => {}', boolean: 'true' }

/** Refuses options that are no object, that do not exist, or that have another type. */
export function refuseOptions(
  options: unknown,
  known: readonly string[],
  types: OptionTypes = {},
): void {
  if (!isObjectLiteral(options))
    throw unexpected('options', 'an object', options, 'Write for example { n: 8 }.')
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined) throw noOption(unknown, unknown, known)
  for (const [name, type] of Object.entries(types)) {
    const value = options[name]
    if (value === undefined || typeof value === type) continue
    const expected = type === 'function' ? 'a function' : 'true or false'
    throw unexpected(name, expected, value, `Write for example ${name}: ${EXAMPLES[type]}.`)
  }
}

/** The error for an option that does not exist. */
export function noOption(where: string, name: string, known: readonly string[]): UsageError {
  return new UsageError(
    where,
    'there is no option of this name.',
    `The options are ${known.join(', ')}.`,
  ).withCandidates(name, known)
}

/** A kind of number, and how errors describe it. */
interface NumberKind {
  readonly expected: string
  readonly example: number
  accepts(value: number): boolean
}

function wholeNumber(expected: string, example: number): NumberKind {
  return { expected, example, accepts: (value) => Number.isSafeInteger(value) && value >= 0 }
}

const POSITION = wholeNumber('a position, which is a whole number from 0', 1)
const MESSAGE = wholeNumber('the number of a message, which is a whole number from 0', 17)
const TIME: NumberKind = {
  expected: 'a time of at least 0',
  example: 10,
  accepts: (value) => Number.isFinite(value) && value >= 0,
}

/** The fields of the entries of lists; some hold lists of such numbers. */
const FIELDS: Readonly<Record<string, NumberKind>> = {
  node: POSITION,
  link: POSITION,
  groups: POSITION,
  at: TIME,
  from: TIME,
  to: TIME,
  share: {
    expected: 'a share from 0 to 1',
    example: 0.5,
    accepts: (value) => value >= 0 && value <= 1,
  },
  id: wholeNumber('an id, which is a whole number from 0', 2),
  drop: MESSAGE,
  arrive: MESSAGE,
}

/** The fields of entries that are true or false. */
const FLAGS: readonly string[] = ['amnesia', 'oneWay']

/** Refuses numbers that no text of a flag can express, in an entry of a list or in its fields. */
export function refuseNumbers(where: string, value: unknown, kind = POSITION): void {
  if (Array.isArray(value)) {
    for (const [i, entry] of value.entries()) refuseNumbers(`${where}[${i}]`, entry, kind)
  } else if (isObjectLiteral(value)) {
    for (const [name, part] of Object.entries(value)) {
      const isFlag = typeof part === 'boolean' && FLAGS.includes(name)
      if (part !== undefined && !isFlag) refuseNumbers(`${where}.${name}`, part, FIELDS[name])
    }
    refuseReversed(where, value)
  } else if (typeof value !== 'number' || !kind.accepts(value)) {
    const hint = `Write a number such as ${kind.example}.`
    throw unexpected(where, kind.expected, value, hint)
  }
}

function refuseReversed(where: string, { from, to }: Readonly<Record<string, unknown>>): void {
  if (typeof from !== 'number' || typeof to !== 'number' || to > from) return
  const problem = `expected a time after ${quoted(from)}, at which it begins, got ${quoted(to)}.`
  throw new UsageError(`${where}.to`, problem, 'Swap the two times.')
}
