import { type Random, UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { decimal, integer, position, unexpected } from '../../options/reading.ts'
import type { Changes } from '../../sim/index.ts'

/** The values of the nodes: a list, or a pattern: `index`, `peak` or `uniform:A:B`. */
export type ValueField = readonly number[] | string

const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Reads values: a pattern, a text such as `3,1,4`, or an array of numbers. */
export function readValues(where: string, value: unknown): ValueField {
  if (value === 'index' || value === 'peak') return value
  if (typeof value === 'string' && value.includes(';')) {
    throw new UsageError(
      where,
      `values cannot change during an election, but ${quoted(value)} changes them.`,
      'Remove the semicolon and the text after it.',
    )
  }
  if (typeof value === 'string' && value.startsWith('uniform:')) {
    rangeOf(where, value)
    return value
  }
  const entries = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value
  if (!Array.isArray(entries) || entries.length === 0) throw unreadable(where, value)
  return entries.map((entry) => real(where, entry))
}

/** The values of n nodes, by position. */
export function valuesOf(
  where: string,
  values: ValueField,
  n: number,
  random: Random,
): Float64Array {
  if (typeof values !== 'string') return Float64Array.from(values)
  const column = new Float64Array(n)
  if (values === 'peak') column[0] = n
  else if (values === 'index') for (let node = 0; node < n; node++) column[node] = node
  else {
    const [from, to] = rangeOf(where, values)
    for (let node = 0; node < n; node++) column[node] = from + (to - from) * random.unit()
  }
  return column
}

/** Splits `index;3@20=7;drift:0.1` into the initial values and their changes. */
export function readChanges(
  where: string,
  value: unknown,
): { readonly values: ValueField; readonly changes: readonly string[] } {
  if (typeof value !== 'string') return { values: readValues(where, value), changes: [] }
  const [first, ...changes] = value.split(';').map((part) => part.trim())
  return { values: readValues(where, first), changes }
}

/** `3@20=7`: position 3 has 7 from cycle 20 on. `drift:0.1`: values move by up to 0.1 a cycle. */
export function changesOf(where: string, changes: readonly string[], n: number): Changes {
  const drifts = changes.filter((change) => change.startsWith('drift:'))
  const [drift = 0, ...more] = drifts.map((text) =>
    decimal(where, text.slice('drift:'.length), 'a drift of 0 or more', 0.1, (by) => by >= 0),
  )
  if (more.length > 0)
    throw new UsageError(where, 'drift is given twice.', 'Remove one of the two.')
  const steps = changes
    .filter((change) => !drifts.includes(change))
    .map((change) => {
      const [, node, cycle, to] = /^([^@=]+)@([^@=]+)=([^@=]+)$/.exec(change) ?? []
      if (node === undefined) {
        throw unexpected(
          where,
          'a change such as 3@20=7 or drift:0.1 after the semicolon',
          change,
          'Write position@cycle=value.',
        )
      }
      return {
        cycle: integer(where, cycle, 1, Number.MAX_SAFE_INTEGER, 'a cycle'),
        node: position(where, node, n),
        to: real(where, to),
      }
    })
  return { steps: steps.sort((a, b) => a.cycle - b.cycle), drift }
}

/** The ends of `uniform:A:B`. */
function rangeOf(where: string, text: string): [from: number, to: number] {
  const ends = text.slice('uniform:'.length).split(':')
  if (ends.length !== 2) throw unreadable(where, text)
  const [from, to] = ends.map((end) => real(where, end))
  if (from <= to && Number.isFinite(to - from)) return [from, to]
  throw new UsageError(
    where,
    `${quoted(text)} is not a range: the smaller end comes first, and the range must be finite.`,
    'Write for example uniform:0:1.',
  )
}

/** A decimal number, which may be negative. */
function real(where: string, value: unknown): number {
  const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw unreadable(where, value)
}

function unreadable(where: string, value: unknown): UsageError {
  return unexpected(
    where,
    'numbers such as 3,1,4 or one of uniform:A:B, index, peak',
    value,
    'Values are decimal numbers, one for each node.',
  ).withCandidates(value, ['uniform', 'index', 'peak'])
}
