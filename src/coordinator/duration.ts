import { UsageError } from '../core/usage-error.ts'

/** A span of time: milliseconds, or a number with a unit such as `'300ms'`, `'1s'` or `'2m'`. */
export type Duration = number | string

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const FORM = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/

/** A day: longer times are a slip of the pen. */
const LONGEST_MS = 86_400_000

/** The whole milliseconds of a duration, from `least` up to a day. */
export function milliseconds(where: string, given: unknown, least = 0): number {
  const [, digits, unit] = typeof given === 'string' ? (FORM.exec(given) ?? []) : []
  const value = typeof given === 'number' ? given : Number(digits) * UNITS[unit ?? '']
  if (value >= least && value <= LONGEST_MS) return Math.round(value)
  const wrong = typeof given === 'string' ? `"${given}"` : String(given)
  throw new UsageError(
    where,
    `a time from ${durationText(least)} to a day is needed, but ${wrong} was given.`,
    "Write it like '500ms' or '2s', or as a number of milliseconds.",
  )
}

/** A duration as people write it: `300ms`, `1.5s`. */
export function durationText(ms: number): string {
  return ms < 1000 ? `${Number(ms.toFixed(1))}ms` : `${Number((ms / 1000).toFixed(3))}s`
}
