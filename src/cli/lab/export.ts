import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenedFile, PAGE, pageFile } from './server.ts'

const ENTRY = /<script type="module"[^>]* src="\.\/assets\/([^"]+)"><\/script>/
const STYLES = /<link rel="stylesheet"[^>]* href="\.\/assets\/([^"]+)">/g

/**
 * The page as one file that works offline. Scripts and styles are inlined; with the editor, scripts
 * are data URLs in an import map, since they import each other.
 */
export function labFile(withEditor: boolean, opened: readonly OpenedFile[] = []): string {
  const html = pageFile('index.html')
  const [tag, entry] = ENTRY.exec(html)!
  const chunks = readdirSync(join(PAGE, 'assets')).filter((name) => name.endsWith('.js'))
  const script = (name: string) => named(pageFile(join('assets', name)), chunks)
  const mapped = withEditor ? chunks : []
  const imports = Object.fromEntries(
    mapped.map((name) => [nameOf(name), `data:text/javascript;base64,${encoded(script(name))}`]),
  )
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`
  const start = withEditor ? `import '${nameOf(entry)}'` : safe(script(entry))
  return (
    html
      .replace(tag, '')
      .replace(STYLES, (_, name: string) => `<style>${pageFile(join('assets', name))}</style>`)
      // A function, since $ in a replacement text has a special meaning.
      .replace('</head>', () => `${map}</head>`)
      .replace('</body>', () => `${embedded(opened)}<script type="module">${start}</script></body>`)
  )
}

/** The files that the page opens at once, as data. */
function embedded(files: readonly OpenedFile[]): string {
  if (files.length === 0) return ''
  // Within a script only the sequence <! or </ could end the data.
  const data = JSON.stringify({ files }).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="opened">${data}</script>`
}

/** Replaces relative imports by the names of the import map. */
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

/** An inlined script must not contain the end tag of a script. */
function safe(script: string): string {
  return script.replaceAll('</script', '<\\/script')
}
