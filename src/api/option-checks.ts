import { UsageError } from '../core/index.ts'
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
  /** Names that are read, and that no message has. */
  otherNames: readonly string[] = [],
): void {
  if (!isObjectLiteral(options))
    throw unexpected('options', 'an object', options, 'Write for example { n: 8 }.')
  const unknown = Object.keys(options).find((name) => ![...known, ...otherNames].includes(name))
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
