/** Text that was added to a line of a source; line and column are those of the source, from 0. */
export interface Insertion {
  readonly line: number
  readonly column: number
  readonly length: number
}

/** The column of the source for a column of the text with its insertions; both from 0. */
export function sourceColumn(
  insertions: readonly Insertion[],
  line: number,
  column: number,
): number {
  let before = 0
  for (const one of insertions) {
    if (one.line !== line || one.column + before >= column) continue
    // A place inside of the added text stands for the place where it was added.
    if (one.column + before + one.length > column) return one.column
    before += one.length
  }
  return column - before
}
