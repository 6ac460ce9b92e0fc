import { marked } from 'marked'
import type { DrawnFigure } from '../figures/figures.ts'

/** A report as one self-contained page, with figures for light and dark themes. */
export function htmlReport(
  markdown: string,
  title: string,
  figures: readonly DrawnFigure[],
): string {
  const body = marked
    .parse(markdown, { async: false })
    .replace(/<img src="figures\/([^"]+)\.svg"[^>]*>/g, (_, name: string) => {
      const figure = figures.find((one) => one.name === name)!
      const themed = (theme: 'light' | 'dark') =>
        `<span class="${theme}">${figure.draw(theme)}</span>`
      return `${themed('light')}${themed('dark')}`
    })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<main>
${body}</main>
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
td, th { padding: .2rem .8rem; border-bottom: 1px solid #8884; text-align: right }
svg { max-width: 100%; height: auto }
.dark { display: none }
@media (prefers-color-scheme: dark) { .dark { display: inline } .light { display: none } }
pre { overflow-x: auto; padding: 1rem; background: #8882 }
`

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
