import { UsageError } from '../../core/index.ts'
import { quoted } from '../../scenario/fields/reading.ts'

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }
const FORM = /^(\d+(?:\.\d+)?)(ms|s|m)$/
const LONGEST = 24 * 60 * UNITS.m

/** Reads a duration with its unit, `500ms`, `2s` or `1.5m`: the milliseconds. */
export function duration(where: string, text: string): number {
  const [, digits, unit] = FORM.exec(text) ?? []
  const milliseconds = Number(digits) * UNITS[unit]
  if (milliseconds >= 1 && milliseconds <= LONGEST) return milliseconds
  throw new UsageError(
    where,
    `a duration from 1ms to 1440m is needed, but ${quoted(text)} was given.`,
    'Write it with its unit, such as 500ms or 2s.',
  )
}

/** Milliseconds as people read them: `23 ms`, `0.61 s`. */
export function durationText(milliseconds: number): string {
  return milliseconds < 100 ? `${Math.round(milliseconds)} ms` : seconds(milliseconds)
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
