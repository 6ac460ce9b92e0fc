/*
 * Source maps, read by hand: a place in compiled code, and where it came from. The lab's editor and
 * the command line use it alike.
 */

/** A piece of compiled code: from this column on, it came from a place of a source. All from 0. */
export interface MapSegment {
  readonly column: number
  readonly source: number
  readonly line: number
  readonly sourceColumn: number
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The segments of each line of the compiled code. */
export function segmentsOf(mappings: string): MapSegment[][] {
  let source = 0
  let line = 0
  let sourceColumn = 0
  return mappings.split(';').map((text) => {
    let column = 0
    const segments: MapSegment[] = []
    for (const segment of text.split(',')) {
      const fields = decoded(segment)
      column += fields[0] ?? 0
      if (fields.length < 4) continue
      source += fields[1]
      line += fields[2]
      sourceColumn += fields[3]
      segments.push({ column, source, line, sourceColumn })
    }
    return segments
  })
}

/** Where a place of the compiled code came from; null for code that the compiler added. */
export function originOf(
  segments: readonly (readonly MapSegment[])[],
  line: number,
  column: number,
): MapSegment | null {
  return segments[line]?.findLast((segment) => segment.column <= column) ?? null
}

/** The numbers of a segment (VLQ): base 64, lowest bits first, the sign in the lowest bit. */
function decoded(segment: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const digitText of segment) {
    const digit = DIGITS.indexOf(digitText)
    value |= (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}
