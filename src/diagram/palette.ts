/** The colours of diagrams, and the strokes of message types: colour, dashes and head. */

export const INK = '#1f2933'
export const GREY = '#5f6b78'
export const PALE = '#b8c1cb'
export const GRID = '#e9edf1'
export const PAPER = '#ffffff'
const GOLD = '#f5b700'
const DANGER = '#b3261e'
export const BLUSH = '#fbe9e7'

/** The colours of a space-time diagram: paper has its own, the page those of its theme. */
export interface DiagramColours {
  readonly paper: string
  readonly ink: string
  /** Secondary text. */
  readonly grey: string
  /** Edges, and the lines of nodes that sleep or have stopped. */
  readonly pale: string
  readonly grid: string
  /** The line of a node that is awake. */
  readonly lane: string
  readonly gold: string
  readonly danger: string
}

export const ON_PAPER: DiagramColours = {
  paper: PAPER,
  ink: INK,
  grey: GREY,
  pale: PALE,
  grid: GRID,
  lane: INK,
  gold: GOLD,
  danger: DANGER,
}

export interface Stroke {
  readonly colour: string
  /** Lengths of dashes and gaps; empty for an unbroken line. */
  readonly dash: readonly number[]
  readonly head: 'full' | 'open' | 'hollow' | 'blunt' | 'none'
}

/**
 * After Okabe and Ito, darkened for thin lines on white: distinct with every common kind of colour
 * blindness, and without colour by dashes and heads.
 */
const STROKES: readonly Stroke[] = [
  { colour: '#0067a8', dash: [], head: 'full' },
  { colour: '#c94f00', dash: [7, 3], head: 'open' },
  { colour: '#00795b', dash: [2.2, 2.6], head: 'hollow' },
  { colour: '#a23b7f', dash: [9, 3, 2, 3], head: 'blunt' },
  { colour: '#8a6400', dash: [12, 4], head: 'full' },
  { colour: '#3b8fd1', dash: [4, 2], head: 'blunt' },
  { colour: '#454f5b', dash: [9, 3, 2, 3, 2, 3], head: 'open' },
  { colour: '#e07a00', dash: [], head: 'hollow' },
]

/** The colours alone, for figures that distinguish series by shapes. */
export const COLOURS: readonly string[] = STROKES.map(({ colour }) => colour)

/** A stroke for each type, in the order of their first appearance. */
export function strokesOf(types: Iterable<string>): ReadonlyMap<string, Stroke> {
  const strokes = new Map<string, Stroke>()
  for (const type of types)
    if (!strokes.has(type)) strokes.set(type, STROKES[strokes.size % STROKES.length])
  return strokes
}
