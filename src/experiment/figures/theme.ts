import { COLOURS, GREY, GRID, INK, PALE, PAPER } from '../../diagram/palette.ts'

/** The colours of the light and the dark theme. */
export interface FigureTheme {
  readonly paper: string
  readonly ink: string
  readonly grey: string
  readonly pale: string
  readonly grid: string
  /** Distinguishable with every common colour blindness, and readable as text. */
  readonly colours: readonly string[]
}

export const THEMES: Readonly<Record<'light' | 'dark', FigureTheme>> = {
  light: { paper: PAPER, ink: INK, grey: GREY, pale: PALE, grid: GRID, colours: COLOURS },
  dark: {
    paper: '#14191f',
    ink: '#f2f5f8',
    grey: '#b3bdc8',
    pale: '#5f6b78',
    grid: '#29313a',
    colours: [
      '#6cbcf0',
      '#ff9d5c',
      '#3fd0a4',
      '#e699c4',
      '#e8c34a',
      '#a9b8ff',
      '#c3ccd6',
      '#ff7f7f',
    ],
  },
}

/** The marks of a series. Shapes and colours repeat with different periods. */
export interface FigureLook {
  readonly colour: string
  readonly symbol: (typeof SYMBOLS)[number]
  /** Hollow: an outline in its colour. */
  readonly hollow: boolean
}

const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'cross', 'star', 'wye'] as const

export function lookOf(series: number, { colours }: FigureTheme): FigureLook {
  return {
    colour: colours[series % colours.length],
    symbol: SYMBOLS[series % SYMBOLS.length],
    hollow: Math.floor(series / SYMBOLS.length) % 2 === 1,
  }
}
