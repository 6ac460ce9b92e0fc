/** A node of the ring as the terminal shows it. */
export interface Bead {
  readonly label: string
  readonly mark?: BeadMark
}

export type BeadMark = 'leader' | 'dead' | 'asleep'

const SIGNS: Record<BeadMark, string> = { leader: '♛', dead: '✗', asleep: '☾' }
const COLUMNS_MAX = 78
const INDENT = 2
/** Columns between two labels on the same row, from the preferred number to the least. */
const GAPS = [9, 8, 7, 6, 5]

/** The number of beads on each edge; both sides have the same number. */
interface Shape {
  readonly top: number
  readonly side: number
  readonly bottom: number
  /** Columns between the two sides. */
  readonly inner: number
}

/**
 * The ring drawn in text, from the top left corner clockwise, at most 78 columns wide for labels of
 * up to 16 digits. `colour` may add escape sequences to the text of a bead, which take no room.
 */
export function ringPicture(
  nodes: readonly Bead[],
  options: { readonly colour?: (text: string, mark: BeadMark | undefined) => string } = {},
): string {
  const beads = nodes.map(({ label, mark }) => ({
    text: mark ? `${SIGNS[mark]} ${label}` : label,
    mark,
  }))
  const widest = beads.reduce((width, { text }) => Math.max(width, columns(text)), 1)
  const { top, side, bottom, inner } = shapeOf(nodes.length, widest)
  const west = INDENT + Math.floor(widest / 2)
  const east = west + inner + 1
  const rows = side === 0 ? 1 : 2 * side + 1
  const sheet = frame(west, east, rows)

  beads.forEach(({ text, mark }, i) => {
    const shown = options.colour ? options.colour(text, mark) : text
    const put = (row: number, middle: number) => {
      const start = middle - Math.floor(columns(text) / 2)
      const covered = Array.from({ length: columns(text) - 1 }, () => '')
      sheet[row].splice(start, columns(text), shown, ...covered)
      return start
    }
    if (i < top) {
      const start = put(0, west + spread(i, top, inner))
      sheet[0].splice(start - 2, 2, '▶', ' ')
      sheet[0][start + columns(text)] = ' '
    } else if (i < top + side) {
      const row = 2 * (i - top) + 2
      put(row, east)
      sheet[row - 1][east] = '▼'
    } else if (i < top + side + bottom) {
      const start = put(rows + 1, east - spread(i - top - side, bottom, inner))
      sheet[rows + 1].splice(start + columns(text), 2, ' ', '◀')
      sheet[rows + 1][start - 1] = ' '
    } else {
      const row = 2 * (nodes.length - 1 - i) + 2
      put(row, west)
      sheet[row + 1][west] = '▲'
    }
  })
  if (bottom === 0) sheet[rows + 1][(west + east) >> 1] = '◀'
  return sheet.map((cells) => cells.join('').trimEnd()).join('\n')
}

/** The roundest shape that fits: about a third of the beads on the sides, more if necessary. */
function shapeOf(n: number, widest: number): Shape {
  for (let side = n < 3 ? 0 : Math.round(n / 6); ; side++) {
    const top = Math.ceil((n - 2 * side) / 2)
    const bottom = n - 2 * side - top
    const room = COLUMNS_MAX - INDENT - widest - 2
    const gap = GAPS.find((gap) => top * (widest + gap) <= room) ?? GAPS[GAPS.length - 1]
    const inner = Math.max(top * (widest + gap), widest + 4)
    if (inner <= room || top <= 1) return { top, side, bottom, inner }
  }
}

/** An empty rounded rectangle, one string per column. */
function frame(west: number, east: number, rows: number): string[][] {
  const edge = (left: string, right: string) => [
    ...Array(west).fill(' '),
    left,
    ...Array(east - west - 1).fill('─'),
    right,
  ]
  const side = () => edge('│', '│').map((cell) => (cell === '─' ? ' ' : cell))
  return [edge('╭', '╮'), ...Array.from({ length: rows }, side), edge('╰', '╯')]
}

/** The middle of the i-th of `count` equal parts of the inner columns. */
function spread(i: number, count: number, inner: number): number {
  return 1 + Math.floor(((i + 0.5) * inner) / count)
}

function columns(text: string): number {
  return [...text].length
}
