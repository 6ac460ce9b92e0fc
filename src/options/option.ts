import type { UsageError } from '../core/index.ts'
import { text as readText, unexpected } from './reading.ts'
import { type DataShape, entriesOf } from './shape.ts'

/** The headings of the help, in its order. */
export const OPTION_GROUPS = [
  'sweep',
  'members',
  'roles',
  'network',
  'start',
  'faults',
  'time',
  'search',
  'filters',
  'rules',
  'output',
  'workers',
  'NATS',
  'own code',
  'other',
] as const

export type OptionGroup = (typeof OPTION_GROUPS)[number]

/**
 * An option, declared once. Flags and their help, the reference, the completion of shells, the
 * fields of the lab, and the reading of scenario files and library options are derived from it.
 */
export interface Option {
  /** The heading under which it stands in the help. */
  readonly group: OptionGroup
  /** What its value is called in a usage line, or its words: `text|json`. A switch has none. */
  readonly value?: string
  /** Whether the flag may stand alone, and whether it takes all words that follow it. */
  readonly arity?: 'at most one' | 'several'
  readonly says: string
  /** The default, in words. */
  readonly usual?: string
  /** The text that a flag which is left out stands for. */
  readonly initial?: string
  /** Other names, which are read, and which help does not show. */
  readonly aliases?: readonly string[]
  /** The letter of a short flag. */
  readonly short?: string
  readonly repeatable?: true
  /** Whether the short help has it, too. */
  readonly common?: true
  /** Words with which its value may begin, for completion. */
  readonly words?: readonly string[]
  /** The label and the hint of its field in the lab. */
  readonly label?: string
  readonly hint?: string
  /** How a scenario has data that is given in place of the text of a flag: mostly as that text. */
  text?(where: string, value: object): unknown
}

/** An option that is a list, whose text is read and printed here alone. */
export interface ListOption<T> extends Option {
  /** What an entry does, between its node and its times; without it the lab has no rows for it. */
  readonly happens?: string
  /** The text of a list: data is printed, and text is left as it is. */
  text(where: string, value: unknown): string
  parse(where: string, text: string): T[]
  print(entries: readonly T[]): string
  /** The members of an entry; without one, of the usual kind of entry. */
  membersOf(entry?: T): Readonly<Record<string, { readonly optional?: true }>>
}

/** How the entries of a list are written. */
interface ListNotation<T, W> {
  /** As data, with shorthands such as a position in place of `{ node }`. */
  readonly shape: DataShape<W>
  readonly dataExample: string
  /** What the data stands for, without shorthands. */
  whole?(written: W): T
  readonly separator?: ',' | ';'
  readonly textExample: string
  readonly textHint: string
  /** Words with which an entry may begin. */
  readonly words?: readonly string[]
  /** Null if the text is malformed. */
  parse(entry: string): T | null
  print(entry: T): string
}

/** The text of an empty list. */
const NONE = 'none'

/** A list of faults, each of which is data and has a short text. */
export function faultList<T, W = T>(
  name: string,
  declaration: Pick<ListOption<T>, 'value' | 'says' | 'happens' | 'common'>,
  notation: ListNotation<T, W>,
): ListOption<T> {
  const { shape, dataExample, separator = ',', textExample, textHint, words = [] } = notation
  const { whole = (written: W) => written as unknown as T } = notation
  const print = (entries: readonly T[]) =>
    entries.length === 0 ? NONE : entries.map(notation.print).join(separator)
  const malformed = (where: string, entry: string): UsageError =>
    unexpected(where, `something like ${textExample}`, entry, textHint).withCandidates(entry, words)
  return {
    ...declaration,
    group: 'faults',
    label: `${name[0].toUpperCase()}${name.slice(1)}`,
    hint: declaration.says,
    print,
    membersOf: (entry) => shape.membersOf!(entry),
    text(where, value) {
      if (typeof value !== 'object' || value === null) return readText(where, value, textExample)
      return print(entriesOf(where, value, shape, `${name}: ${dataExample}`).map(whole))
    },
    parse(where, text) {
      if (text === NONE) return []
      return text.split(separator).map((part) => {
        const entry = part.trim()
        const parsed = notation.parse(entry)
        if (parsed === null) throw malformed(where, entry)
        return parsed
      })
    },
  }
}
