import { UsageError } from '../core/index.ts'
import type { Option } from '../options/option.ts'
import { unexpected } from '../options/reading.ts'
import { isObjectLiteral } from '../options/shape.ts'

/*
 * What is refused before the options are read as a scenario. Types say the same, but not everybody
 * checks them. An error speaks of the option as the caller wrote it: `crash[0].at`.
 */

/** What an option is that is no data of a scenario: declared, or one of the library alone. */
type OptionKind = 'function' | 'boolean' | 'list' | Option

const EXAMPLES = { function: '() => {}', boolean: 'true' }

/** Refuses options that are no object, that do not exist, or that have another type. */
export function refuseOptions(
  options: unknown,
  data: readonly string[],
  kinds: Readonly<Record<string, OptionKind>>,
  /** Names that are read, and that no message has. */
  otherNames: readonly string[] = [],
): void {
  if (!isObjectLiteral(options))
    throw unexpected('options', 'an object', options, 'Write for example { n: 8 }.')
  const known = [...data, ...Object.keys(kinds)]
  const unknown = Object.keys(options).find((name) => ![...known, ...otherNames].includes(name))
  if (unknown !== undefined) throw noOption(unknown, unknown, known)
  for (const [name, kind] of Object.entries(kinds)) {
    const type = typeof kind === 'string' ? kind : kind.value === undefined ? 'boolean' : 'list'
    const value = options[name]
    // A list, like other data, is checked where it is read.
    if (type === 'list' || value === undefined || typeof value === type) continue
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
