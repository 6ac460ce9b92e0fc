/*
 * Words and numbers for people, the same in every report, error, diagram and page. Every layer may
 * import this file.
 */

/** A number with its thousands grouped and at most two decimals: `12,345.67`. */
export function grouped(value: number): string {
  return withCommas(Number.isInteger(value) ? value : Number(value.toFixed(2)))
}

/** Rounded to significant digits; with a power of ten only for very small and large numbers. */
export function rounded(value: number, digits: number): string {
  const short = Number(value.toPrecision(digits))
  const fixed = short === 0 || (Math.abs(short) >= 1e-3 && Math.abs(short) < 1e9)
  return fixed ? String(short) : short.toExponential()
}

/** Three significant digits, all digits of integers up to 10^7, else a power of ten. */
export function digits(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e7 || (size > 0 && size < 1e-4))
    return value.toExponential(2).replace(/\.?0*e\+?/, 'e')
  if (size >= 100) return grouped(Math.round(value))
  return String(Number(value.toPrecision(3)))
}

/** A round or a time with four decimals, which hides the noise of binary fractions. */
export function momentText(at: number, decimals = 4): string {
  return withCommas(Number(at < 1 ? at.toPrecision(decimals) : at.toFixed(decimals)))
}

/** A number that stands alone: no part of a list such as 3,1,2, and no id. */
const NUMBER = /(?<![\w.,]|\bids? )\d+(?:\.\d+)?(?![\w.]*\w|,\d| \(position )/g

/** A text whose numbers are rounded and grouped for people; powers of ten stay as they are. */
export function readable(text: string): string {
  return text.replace(NUMBER, (number) => {
    const [whole, fraction = ''] = number.split('.')
    if (fraction.length > 4) return momentText(Number(number), 3)
    return whole.length > 4 ? withCommas(Number(number)) : number
  })
}

/** Without `Intl`, which takes longer to load than many a command to run. */
function withCommas(value: number): string {
  const [whole, fraction] = String(value).split('.')
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? thousands : `${thousands}.${fraction}`
}

/** A number of things: `1 message`, `1,000 messages`. */
export function counted(count: number, what: string, plural = `${what}s`): string {
  return `${grouped(count)} ${count === 1 ? what : plural}`
}

/** `a`, `a and b`, `a, b and c`. */
export function enumerated(words: readonly string[]): string {
  if (words.length < 2) return words.join()
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** Whether two names differ in case, spaces and hyphens at most: `AsFar`, `as-far`. */
export function isSameName(one: string, other: string): boolean {
  return comparableName(one) === comparableName(other)
}

/** A name without what people write in different ways. */
export function comparableName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '')
}

/** Whether something holds: a check mark, a cross, or a question mark where it is not known. */
export function checkMark(holds: boolean | null): '✓' | '✗' | '?' {
  if (holds === null) return '?'
  return holds ? '✓' : '✗'
}

const QUOTE_LENGTH_MAX = 60

/** A value of the user on one line: text in quotation marks, and cut if it is long. */
export function quoted(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cut(value))
  if (typeof value === 'function') return 'a function'
  return cut(literalOf(value))
}

/** Marks numbers that JSON does not have, which are written without quotation marks. */
const MARK = '\0'

/** JSON, but for numbers such as NaN and 3n. */
function literalOf(value: unknown): string {
  const marked = (_: string, part: unknown) => {
    if (typeof part === 'bigint') return `${MARK}${part}n`
    return typeof part === 'number' && !Number.isFinite(part) ? `${MARK}${part}` : part
  }
  try {
    const json = JSON.stringify(value, marked) ?? String(value)
    return json.replace(/"\\u0000([^"]*)"/g, '$1')
  } catch {
    // An object that contains itself.
    return Object.prototype.toString.call(value)
  }
}

function cut(text: string): string {
  return text.length > QUOTE_LENGTH_MAX ? `${text.slice(0, QUOTE_LENGTH_MAX - 3)}...` : text
}

/**
 * Word wrap: lines of at most `width` characters, or of another measure. Pieces of a list are never
 * broken, and a word that is too long stays whole.
 */
export function wrapped(
  text: string | readonly string[],
  width: number,
  measure = (line: string): number => line.length,
): string[] {
  const lines: string[] = []
  for (const piece of typeof text === 'string' ? text.split(/\s+/) : text) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${piece}` : piece
    if (lines.length > 0 && measure(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(piece)
  }
  return lines
}
