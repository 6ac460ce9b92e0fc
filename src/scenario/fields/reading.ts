import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'

export { quoted }

/** A whole number in decimal digits within limits, or a complaint that calls it by its name. */
export function integer(
  where: string,
  value: unknown,
  least: number,
  most: number,
  what = 'a whole number',
): number {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) {
    return number
  }
  const limit = most === Number.MAX_SAFE_INTEGER ? '2^53 - 1' : most
  throw new UsageError(
    where,
    `${what} from ${least} to ${limit} is needed, but ${value === undefined ? 'there is none' : `${quoted(value)} was given`}.`,
    `Write a whole number such as ${Math.max(least, Math.min(8, most))}.`,
  )
}

/** A decimal number that a test accepts, or a complaint that says what is needed. */
export function decimal(
  where: string,
  value: unknown,
  needed: string,
  example: number,
  accepts: (number: number) => boolean,
): number {
  const number =
    typeof value === 'string' && /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)
      ? Number(value)
      : value
  if (typeof number === 'number' && Number.isFinite(number) && accepts(number)) return number
  throw new UsageError(
    where,
    `${needed} is needed, but ${quoted(value)} was given.`,
    `Write a number such as ${example}.`,
  )
}

/** The text of a field that must be text. */
export function text(where: string, value: unknown, example: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  throw new UsageError(
    where,
    `a text is needed, but ${quoted(value)} was given.`,
    `Write something like ${example}.`,
  )
}

/** One of a few words, or a complaint that lists them. */
export function word<W extends string>(where: string, value: unknown, words: readonly W[]): W {
  const found = words.find((candidate) => candidate === value)
  if (found !== undefined) return found
  throw new UsageError(
    where,
    `one of ${words.join(', ')} is needed, but ${quoted(value)} was given.`,
    'Choose one of them.',
  ).withCandidates(value, words)
}
