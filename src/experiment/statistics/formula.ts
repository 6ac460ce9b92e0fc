import { digits } from '../../core/text-format.ts'

/** Readable formulas: three significant digits, no zero terms. */

interface Part {
  /** `1` for the constant. */
  readonly name: string
  readonly value: number
}

/** `5.96 n - 15.2` */
export function formulaOf(parts: readonly Part[]): string {
  const shown = parts.filter(({ value }) => value !== 0)
  if (shown.length === 0) return '0'
  return shown
    .map(({ name, value }, i) => {
      const sign = value < 0 ? '- ' : '+ '
      const size = digits(Math.abs(value))
      const term = name === '1' ? size : size === '1' ? name : `${size} ${name}`
      return i > 0 ? sign + term : value < 0 ? `-${term}` : term
    })
    .join(' ')
}

/** A coefficient with its interval; null where there is none. */
interface IntervalPart extends Part {
  readonly low: number | null
  readonly high: number | null
}

/** `n 5.8 to 6.14, constant -24.7 to -6.1`; empty for an exact fit and where there are none. */
export function intervalsText(parts: readonly IntervalPart[]): string {
  const wide = ({ low, high, value }: IntervalPart) =>
    low !== null && high !== null && high - low > EXACT * Math.max(Math.abs(value), Math.abs(high))
  return parts
    .filter(wide)
    .map(({ name, low, high }) => {
      return `${name === '1' ? 'constant' : name} ${digits(low!)} to ${digits(high!)}`
    })
    .join(', ')
}

/** Narrower intervals are those of an exact fit. */
const EXACT = 1e-9
