import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { unexpected } from '../../options/reading.ts'
import type { CycleResult, RunResult } from '../../sim/index.ts'
import { isBuiltIn } from './measures.ts'

/** The results that measures read; of an election, nodes have counts of their messages. */
type MeasuredResult = RunResult | CycleResult

/** Written as a method, so that a function of one kind of result is accepted. */
interface OwnMeasureSignature {
  measure(result: MeasuredResult): number | null
}

/** A measure of a document: a function of the result of a run; null if it has no value there. */
export type OwnMeasure = OwnMeasureSignature['measure']

/** Measures of a document, by name. */
export type OwnMeasures = Readonly<Record<string, OwnMeasure>>

const NAME = /^[A-Za-z][\w.-]*$/
/** What a run has besides its measures: the columns of results.csv. */
const FACTS = ['run', 'point', 'n', 'repeat', 'seed', 'ok', 'replay']

/**
 * Reads the measures of a document by name. A list of names stands for measures that were made
 * elsewhere, as in a folder of results.
 */
export function readOwnMeasures(where: string, given: unknown): OwnMeasures {
  if (given === undefined) return {}
  if (Array.isArray(given) && given.every((name) => typeof name === 'string')) {
    return Object.fromEntries(given.map((name) => [name, () => null]))
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw unexpected(
      where,
      'functions by name',
      given,
      'Write for example { perLink: ({ messages, links }) => messages.total / links }.',
    )
  }
  for (const [name, measure] of Object.entries(given)) refuseMeasure(where, name, measure)
  return given as OwnMeasures
}

function refuseMeasure(where: string, name: string, measure: unknown): void {
  if (!NAME.test(name) || isBuiltIn(name) || FACTS.includes(name)) {
    throw new UsageError(
      where,
      NAME.test(name)
        ? `there is a measure ${name} already.`
        : `${quoted(name)} is not a name of letters, digits, dots and dashes.`,
      'Rename it.',
    )
  }
  if (typeof measure === 'function') return
  throw new UsageError(
    where,
    `${name} is not a function but ${quoted(measure)}.`,
    'Write a function of the result, in a TypeScript document.',
  )
}

/** The value of a measure of one's own in one run. */
export function ownValue(name: string, measure: OwnMeasure, result: MeasuredResult): number | null {
  const value: unknown = measure(result)
  if (value === null || value === undefined) return null
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new UsageError(
    'ownMeasures',
    `${name} returned ${quoted(value)}, which is neither a number nor null.`,
    'Return a finite number, or null where there is none.',
  )
}
