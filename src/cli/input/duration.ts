import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }
const FORM = /^(\d+(?:\.\d+)?)(ms|s|m)$/
const DURATION_MAX = 24 * 60 * UNITS.m

/** The milliseconds of a duration with its unit: `500ms`, `2s` or `1.5m`. */
export function duration(where: string, text: string): number {
  const [, digits, unit] = FORM.exec(text) ?? []
  const milliseconds = Number(digits) * UNITS[unit]
  if (milliseconds >= 1 && milliseconds <= DURATION_MAX) return milliseconds
  throw new UsageError(
    where,
    `${quoted(text)} is not a duration from 1ms to 1440m.`,
    'Write a number with its unit, such as 500ms or 2s.',
  )
}

/** Milliseconds for people: `23 ms`, `0.61 s`. */
export function elapsedText(milliseconds: number): string {
  return milliseconds < 100 ? `${Math.round(milliseconds)} ms` : seconds(milliseconds)
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
