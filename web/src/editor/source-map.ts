const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * From which line of the source each line of the output comes, both from 0: the first segment of
 * each line in the `mappings` of a source map. Lines of their own have that of the one before.
 */
export function lineTable(mappings: string): number[] {
  const table: number[] = []
  let source = 0
  for (const line of mappings.split(';')) {
    let first: number | null = null
    for (const segment of line.split(',')) {
      const fields = numbersIn(segment)
      if (fields.length < 4) continue
      source += fields[2]
      first ??= source
    }
    table.push(first ?? table.at(-1) ?? 0)
  }
  return table
}

/** The numbers of a segment: base 64, the lowest bits first, the sign in the lowest of all. */
function numbersIn(segment: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const letter of segment) {
    const digit = DIGITS.indexOf(letter)
    value |= (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}
