import type { DiagramColours } from '../../../src/diagram/palette.ts'
import type { PageTheme } from '../view/theme.ts'

/** The theme of the page as the colours of a diagram. */
export function coloursOf(theme: PageTheme): DiagramColours {
  const { surface: paper, ink, soft: grey, line, quiet: pale, leader: gold, danger } = theme
  return { paper, ink, grey, pale, grid: line, lane: grey, gold, danger }
}
