/** Numbers and formulas as a reader wants them: three digits, signs between terms, no zeros. */

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

/** So many digits, plainly where that can be read, else with a power of ten. */
export function rounded(value: number, digits: number): string {
  const short = Number(value.toPrecision(digits))
  const plain = short === 0 || (Math.abs(short) >= 1e-3 && Math.abs(short) < 1e9)
  return plain ? String(short) : short.toExponential()
}

/** Three digits that count, more of whole numbers, powers of ten only where they must be. */
export function digits(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e7 || (size > 0 && size < 1e-4))
    return value.toExponential(2).replace(/\.?0*e\+?/, 'e')
  if (size >= 100) return String(Math.round(value))
  return String(Number(value.toPrecision(3)))
}
