/** The coordinates of nodes, by position. */
export interface StagePlaces {
  readonly x: Float64Array
  readonly y: Float64Array
}

/** An oval is at most this much longer than it is wide. */
const OVAL_RATIO_MAX = 1.9
const PIECES = 720

/** Nodes clockwise from the top, at equal distances along an oval that fills its surface. */
export function oval(
  n: number,
  middle: number,
  centre: number,
  [across, down]: readonly [number, number],
): StagePlaces {
  const wide = Math.min(across, OVAL_RATIO_MAX * down)
  const high = Math.min(down, OVAL_RATIO_MAX * across)
  const point = (angle: number) => [wide * Math.sin(angle), -high * Math.cos(angle)] as const
  const lengths = new Float64Array(PIECES + 1)
  for (let piece = 1; piece <= PIECES; piece++) {
    const [x1, y1] = point((2 * Math.PI * (piece - 1)) / PIECES)
    const [x2, y2] = point((2 * Math.PI * piece) / PIECES)
    lengths[piece] = lengths[piece - 1] + Math.hypot(x2 - x1, y2 - y1)
  }
  const places = { x: new Float64Array(n), y: new Float64Array(n) }
  let piece = 1
  for (let node = 0; node < n; node++) {
    const wanted = (lengths[PIECES] * node) / n
    while (piece < PIECES && lengths[piece] < wanted) piece++
    const part = (wanted - lengths[piece - 1]) / (lengths[piece] - lengths[piece - 1])
    const [x, y] = point((2 * Math.PI * (piece - 1 + part)) / PIECES)
    places.x[node] = middle + x
    places.y[node] = centre + y
  }
  return places
}

/** Rows of cells; every second row runs backwards, so that neighbours on a ring stay neighbours. */
export interface NodeGrid {
  readonly columns: number
  readonly rows: number
  /** The width and height of a cell. */
  readonly cell: number
  /** The corner of the first cell. */
  readonly left: number
  readonly top: number
}

const GRID_MARGIN = 10

/** The grid with the largest cells in which all nodes have room. */
export function nodeGrid(n: number, width: number, height: number): NodeGrid {
  const wide = Math.max(1, width - 2 * GRID_MARGIN)
  const high = Math.max(1, height - 2 * GRID_MARGIN)
  let columns = Math.max(1, Math.ceil(Math.sqrt((n * wide) / high)))
  const cellFor = (count: number) => Math.min(wide / count, high / Math.ceil(n / count))
  if (cellFor(columns + 1) > cellFor(columns)) columns++
  const rows = Math.ceil(n / columns)
  const cell = cellFor(columns)
  return {
    columns,
    rows,
    cell,
    left: (width - columns * cell) / 2,
    top: (height - rows * cell) / 2,
  }
}

/** The column of a node in its row. */
export function columnOf(node: number, { columns }: NodeGrid): number {
  const along = node % columns
  return Math.floor(node / columns) % 2 === 0 ? along : columns - 1 - along
}

export function gridPlaces(n: number, grid: NodeGrid): StagePlaces {
  const { columns, cell, left, top } = grid
  return {
    x: Float64Array.from({ length: n }, (_, node) => left + (columnOf(node, grid) + 0.5) * cell),
    y: Float64Array.from(
      { length: n },
      (_, node) => top + (Math.floor(node / columns) + 0.5) * cell,
    ),
  }
}
