import { isAbsolute, relative } from 'node:path'
import { UsageError } from '../core/usage-error.ts'

/** A place in a file, as people count: lines and columns from 1. */
export interface SourcePlace {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The text of the line. */
  readonly text: string
}

/** What is wrong at a place, and how to fix it: full sentences. */
export interface SourceProblem {
  readonly place: SourcePlace
  readonly problem: string
  readonly hint: string
}

/** More columns of a line than this are not shown. */
const COLUMNS_MAX = 100
/** How much of a long line is shown before the place. */
const BEFORE = 60

/** The place at an offset of a text, as people write it: `mine.ts:14:9`. */
export function placeText(path: string, text: string, offset: number): string {
  const { file, line, column } = placeAt(path, text, offset)
  return `${file}:${line}:${column}`
}

/** The place at an offset of a text. */
export function placeAt(file: string, text: string, offset: number): SourcePlace {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  const column = offset - (before.lastIndexOf('\n') + 1) + 1
  return placeIn(file, text, line, column)
}

/** The place at a line and a column of a text. */
export function placeIn(file: string, text: string, line: number, column: number): SourcePlace {
  return { file: shownPath(file), line, column, text: text.split(/\r?\n/)[line - 1] ?? '' }
}

/** A path as users write it: relative if the file lies in or below the current folder. */
export function shownPath(path: string): string {
  const below = relative(process.cwd(), path)
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below
}

/** `mine.ts:14:9` */
function whereOf({ file, line, column }: SourcePlace): string {
  return `${file}:${line}:${column}`
}

/** The line of the source, and a caret below the column. */
function excerptOf({ line, column, text }: SourcePlace): string {
  const from = column > COLUMNS_MAX - 10 ? Math.max(0, column - 1 - BEFORE) : 0
  const shown = text
    .slice(from, from + COLUMNS_MAX)
    .replaceAll('\t', ' ')
    .trimEnd()
  const margin = `  ${line} | `
  const blank = ' '.repeat(margin.length - 2)
  return `${margin}${shown}\n${blank}| ${' '.repeat(Math.max(0, column - 1 - from))}^`
}

/** One error about a place: the first line says everything, the source line follows. */
export function usageErrorAt(place: SourcePlace, problem: string, hint = ''): UsageError {
  return new UsageError(whereOf(place), problem, `${hint}\n${excerptOf(place)}`)
}

/** At most so many problems are told at once. */
const PROBLEMS_MAX = 5

/** One error about the first few problems, in the order of the files. */
export function usageErrorOf(problems: readonly SourceProblem[]): UsageError {
  const [first, ...others] = problems
  const more = others
    .slice(0, PROBLEMS_MAX - 1)
    .map(({ place, problem, hint }) => usageErrorAt(place, problem, hint).message)
  const left = problems.length - PROBLEMS_MAX
  if (left > 0) more.push(`and ${left} more`)
  const [where, problem, hint] = usageErrorAt(first.place, first.problem, first.hint).parts
  return new UsageError(where, problem, [hint, ...more].join('\n'))
}
