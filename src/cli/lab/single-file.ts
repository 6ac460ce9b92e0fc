/** The built page: its HTML, and its other files by their names. */
export interface BuiltPage {
  readonly html: string
  readonly files: ReadonlyMap<string, string>
}

const ENTRY = /<script type="module"[^>]* src="\.\/assets\/([^"]+)"><\/script>/
const STYLES = /<link rel="stylesheet"[^>]* href="\.\/assets\/([^"]+)">/g
/** Names of files as scripts have them: in imports, and in the addresses of workers. */
const NAMES = /[\w.-]+-[\w-]{8}\.js\b|\btypescript\.js\b/g
/** How a script finds a file beside it. */
const ADDRESS = /new URL\(([`'"])([\w.-]+\.js)\1,import\.meta\.url\)/g

/** What only the editor needs. */
export const EDITOR_FILES = /^((editor|compile|compiler-worker)-[\w-]{8}|typescript)\.js$/
/** The part of the engine for the first picture: in one file nothing is fetched. */
export const SERVED_ONLY = /^ring-worker-/

/** The names of all files that the page may load, from those that it names itself. */
export async function namedFiles(
  html: string,
  read: (name: string) => Promise<string | null>,
  wanted: (name: string) => boolean,
): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  const names = [entryOf(html), ...Array.from(html.matchAll(STYLES), ([, name]) => name)]
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (files.has(name) || !wanted(name)) continue
    const text = await read(name)
    if (text === null) continue
    files.set(name, text)
    if (name.endsWith('.js') && !/worker|typescript/.test(name))
      names.push(...(text.match(NAMES) ?? []))
  }
  return files
}

function entryOf(html: string): string {
  return ENTRY.exec(html)![1]
}

/**
 * The page as one file that works offline. Styles are inlined; scripts and workers are data URLs in
 * an import map, since they name each other. `opened` is what the page opens at once, as JSON.
 */
export async function singleFile(
  { html, files }: BuiltPage,
  opened: string | null,
): Promise<string> {
  const scripts = [...files].filter(([name]) => name.endsWith('.js'))
  const names = scripts.map(([name]) => name)
  const imports = Object.fromEntries(
    scripts.map(([name, text]) => [nameOf(name), dataOf(named(text, names))]),
  )
  const map = JSON.stringify({ imports })
  const start = `import '${nameOf(entryOf(html))}'`
  const policy = filePolicy([await hashOf(map), await hashOf(start)])
  return (
    html
      .replace(ENTRY, '')
      .replace(STYLES, (_, name: string) => `<style data-page>${files.get(name)}</style>`)
      .replace(
        '<meta charset="utf-8" />',
        (charset) => `${charset}<meta http-equiv="Content-Security-Policy" content="${policy}">`,
      )
      // A function, since $ in a replacement text has a special meaning.
      .replace('</head>', () => `<script type="importmap">${map}</script></head>`)
      .replace(
        '</body>',
        () => `${openedElement(opened)}<script type="module">${start}</script></body>`,
      )
  )
}

/** The element of what the page opens at once: data, not a script. */
function openedElement(opened: string | null): string {
  const data = opened === null ? '' : asData(opened)
  return `<script type="application/json" id="opened">${data}</script>`
}

/** JSON within a script element: only the sequences <! and </ could end it. */
export function asData(json: string): string {
  return json.replaceAll('<', '\\u003c')
}

/** A script that names the others as the import map does. */
function named(script: string, names: readonly string[]): string {
  const addressed = script.replaceAll(
    ADDRESS,
    (_, _quote, name: string) => `new URL(import.meta.resolve('${nameOf(name)}'))`,
  )
  return names.reduce((text, name) => text.replaceAll(`./${name}`, nameOf(name)), addressed)
}

function nameOf(file: string): string {
  return `lab/${file}`
}

function dataOf(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return `data:text/javascript;base64,${base64(bytes)}`
}

async function hashOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  return base64(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

function base64(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let from = 0; from < bytes.length; from += 0x8000)
    pieces.push(String.fromCharCode(...bytes.subarray(from, from + 0x8000)))
  return btoa(pieces.join(''))
}

/*
 * The content security policies of the page. Nothing is loaded from elsewhere, and code of a user
 * runs only in workers that reach nothing: see docs/lab.md, "Code of others".
 */

const COMMON = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  'media-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
]

/** The policy of the page on its server. */
export const PAGE_POLICY = [
  ...COMMON,
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
].join('; ')

/** That of workers which run definitions: they evaluate code, and load and reach nothing. */
export const CODE_POLICY = "default-src 'none'; script-src 'unsafe-eval'"

/** Workers that run definitions, by their files. */
export const RUNS_CODE = /^((ring|checker)-)?worker-[\w-]+\.js$/

/**
 * The policy of the page in one file, whose scripts are data. Its workers inherit it, so the whole
 * page may evaluate code; none of it reaches a network.
 */
function filePolicy(hashes: readonly string[]): string {
  const scripts = hashes.map((hash) => `'sha256-${hash}'`).join(' ')
  return [
    ...COMMON,
    `script-src ${scripts} data: 'unsafe-eval'`,
    'worker-src data:',
    "connect-src 'none'",
  ].join('; ')
}
