import pc from 'picocolors'
import { rounded } from '../../experiment/statistics/formula.ts'

export type Colours = ReturnType<typeof pc.createColors>

/** Colours for a terminal, and none for anything else. */
export function coloursFor(colours: boolean): Colours {
  return pc.createColors(colours)
}

/** A bar of so many cells, of which a share is filled. */
export function bar(share: number, cells: number): string {
  const eighths = Math.round(Math.max(0, Math.min(1, share)) * cells * 8)
  const full = Math.floor(eighths / 8)
  const rest = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8]
  return '█'.repeat(full) + rest
}

/** A number with its thousands apart. */
export function grouped(value: number): string {
  // Not by toLocaleString, whose first call takes longer than a short run.
  const [whole, fraction] = String(Number(value.toFixed(2))).split('.')
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? parted : `${parted}.${fraction}`
}

/** A number in five digits; a dash for none. */
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

/** Words in lines of at most so many characters. */
export function filled(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}
