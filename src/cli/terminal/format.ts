import pc from 'picocolors'
import { rounded } from '../../experiment/statistics/formula.ts'

/** Columns of text in reports: two less than the usual terminal has. */
export const WIDTH = 78

export type Colours = ReturnType<typeof pc.createColors>

/** Colours for a terminal, and none for pipes and files. */
export function coloursFor(colours: boolean): Colours {
  return pc.createColors(colours)
}

/** A horizontal bar that fills a share of its cells. */
export function bar(share: number, cells: number): string {
  const eighths = Math.round(Math.max(0, Math.min(1, share)) * cells * 8)
  const full = Math.floor(eighths / 8)
  const rest = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8]
  return '█'.repeat(full) + rest
}

/** A number with five significant digits; a dash for none. */
export function figure(value: number | null): string {
  return value === null ? '-' : rounded(value, 5)
}

export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(4))} %`
}

/** Rows of cells in aligned columns. */
export function columns(rows: readonly (readonly string[])[], gap = 2): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(cell.length, widest[i] ?? 0)),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] + gap))
      .join('')
      .trimEnd(),
  )
}
