import { digits } from '../../core/text-format.ts'
import type { Coefficient, Fit } from './fit.ts'

/** Readable formulas: three significant digits, no zero terms. */

/** `5.96 n - 15.2` */
export function formulaOf(parts: readonly Pick<Coefficient, 'name' | 'value'>[]): string {
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

/** `n 5.8 to 6.14, constant -24.7 to -6.1`; empty for an exact fit and where there are none. */
export function intervalsText({
  exact,
  coefficients,
}: Pick<Fit, 'exact' | 'coefficients'>): string {
  return coefficients
    .flatMap(({ name, low, high }) => {
      if (exact || low === null || high === null) return []
      return `${name === '1' ? 'constant' : name} ${digits(low)} to ${digits(high)}`
    })
    .join(', ')
}
