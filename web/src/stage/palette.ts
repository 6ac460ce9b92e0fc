/** The colours of the page, for what is painted on a canvas. */
export interface Palette {
  readonly ink: string
  readonly paper: string
  readonly line: string
  readonly accent: string
  readonly leader: string
  readonly message: string
  readonly quiet: string
  readonly danger: string
}

const NAMES = ['ink', 'paper', 'line', 'accent', 'leader', 'message', 'quiet', 'danger'] as const

/** As the style sheet has them now: they differ by light and dark. */
export function palette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const colours = NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])
  return Object.fromEntries(colours) as never
}
