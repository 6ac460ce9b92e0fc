import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PAGE, pageFile } from './server.ts'

const ENTRY = /<script type="module"[^>]* src="\.\/assets\/([^"]+)"><\/script>/
const STYLES = /<link rel="stylesheet"[^>]* href="\.\/assets\/([^"]+)">/g

/**
 * The page as one file that needs no server and no network. Scripts and styles stand in it; with
 * the editor all scripts become data that an import map names, since parts import from each other.
 */
export function labFile(withEditor: boolean): string {
  const html = pageFile('index.html')
  const [tag, entry] = ENTRY.exec(html)!
  const chunks = readdirSync(join(PAGE, 'assets')).filter((name) => name.endsWith('.js'))
  const script = (name: string) => named(pageFile(join('assets', name)), chunks)
  const parts = withEditor ? chunks : []
  const imports = Object.fromEntries(
    parts.map((name) => [nameOf(name), `data:text/javascript;base64,${encoded(script(name))}`]),
  )
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`
  const start = withEditor ? `import '${nameOf(entry)}'` : safe(script(entry))
  return (
    html
      .replace(tag, '')
      .replace(STYLES, (_, name: string) => `<style>${pageFile(join('assets', name))}</style>`)
      // A function, since a text with $ in it would be taken for a pattern.
      .replace('</head>', () => `${map}</head>`)
      .replace('</body>', () => `<script type="module">${start}</script></body>`)
  )
}

/** Files that import each other by their place do so by a name that the map has. */
function named(script: string, chunks: readonly string[]): string {
  return chunks.reduce(
    (text, name) =>
      text.replaceAll(`./${name}`, nameOf(name)).replaceAll(`assets/${name}`, nameOf(name)),
    script,
  )
}

function nameOf(chunk: string): string {
  return `lab/${chunk}`
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** A script that stands in a page must not seem to end there. */
function safe(script: string): string {
  return script.replaceAll('</script', '<\\/script')
}
