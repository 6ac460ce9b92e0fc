import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gunzip, gunzipSync, gzip, constants as zlib } from 'node:zlib'
import { BUILT } from '../../core/built.ts'
import { UsageError } from '../../core/index.ts'
import { CODE_POLICY, PAGE_POLICY, RUNS_CODE } from './single-file.ts'

/** The folder of the built page. */
const PAGE = fileURLToPath(new URL('lab/', BUILT))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

/** The ports to try by default: a browser keeps progress and drafts by address. */
export const LAB_PORTS: readonly number[] = Array.from({ length: 10 }, (_, i) => 7420 + i)

export interface LabServer {
  readonly address: string
  readonly port: number
  close(): Promise<void>
}

/** A file of the user that the page opens. */
export interface OpenedFile {
  readonly name: string
  readonly text: string
}

/** The path under which the page finds the files to open. */
const OPENED = '/opened.json'

/** Files whose names change with their content. */
const HASHED = /-[\w-]{8}\.(js|css)$/
const LASTING = 'public, max-age=31536000, immutable'

const NOT_FOUND = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not found · Conclave lab</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { display: grid; place-content: center; min-height: 90vh; margin: 1rem; text-align: center }
  h1 { font-size: 1.5rem; margin: 0 }
  a { color: light-dark(#175ea8, #86b8f4) }
</style>
<h1>There is no such page</h1>
<p>The lab has one page only: <a href="/">go to it</a>.</p>
`

/**
 * Serves the page to this machine only, with files to open, on the first of the ports that is free;
 * port 0 is any free port.
 */
export async function serveLab(
  ports: readonly number[],
  opened: readonly OpenedFile[] = [],
): Promise<LabServer> {
  const files = pageFiles()
  const compressed = new CompressedFiles()
  const server = createServer(async (request, response) => {
    const answer = answerTo(request, files, opened, actual)
    const accepted = request.headers['accept-encoding']
    const { body, encoding } = await compressed.bodyFor(answer, accepted).catch(() => {
      // The page was built again, and its files have other names now.
      response.statusCode = 503
      return { body: null, encoding: undefined }
    })
    if (body === null) {
      response.end('The page was built again: start the lab once more.\n')
      return
    }
    response.writeHead(answer.status, {
      'content-type': answer.type,
      'cache-control': answer.lasting ? LASTING : 'no-cache',
      'content-security-policy': answer.policy ?? PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      vary: 'accept-encoding',
      ...(encoding && { 'content-encoding': encoding }),
      'content-length': body.length,
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  })
  const actual = await listening(server, ports)
  return {
    port: actual,
    address: `http://127.0.0.1:${actual}/${opened.length > 0 ? '?open' : ''}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answerTo(
  { url = '/', method = 'GET', headers }: IncomingMessage,
  files: ReadonlyMap<string, string>,
  opened: readonly OpenedFile[],
  port: number,
): PageAnswer {
  // Another name for this machine would let another site read the files through a browser.
  if (!hostsOf(port).includes(headers.host ?? ''))
    return words(421, `This is the lab at 127.0.0.1:${port}, and it has no other name.`)
  // Not by URL, which throws at addresses such as //.
  const [pathname] = url.split(/[?#]/)
  const path = pathname === '/' ? '/index.html' : pathname
  if (method !== 'GET' && method !== 'HEAD') return words(405, 'Only GET and HEAD are allowed.')
  if (path === OPENED && opened.length > 0)
    return { status: 200, type: TYPES['.json'], text: JSON.stringify({ files: opened }) }
  const file = files.get(path)
  if (file === undefined) return { status: 404, type: TYPES['.html'], text: NOT_FOUND }
  return {
    status: 200,
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    file,
    lasting: HASHED.test(path),
    ...(RUNS_CODE.test(basename(path)) && { policy: CODE_POLICY }),
  }
}

function hostsOf(port: number): string[] {
  const names = ['127.0.0.1', 'localhost']
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])]
}

function words(status: number, text: string): PageAnswer {
  return { status, type: 'text/plain; charset=utf-8', text: `${text}\n` }
}

/** The text of one of its files. */
export function pageFile(path: string): string {
  const file = pageFiles().get(`/${path}`)
  if (file === undefined) throw notBuilt()
  const bytes = readFileSync(file)
  return (file.endsWith(PACKED) ? gunzipSync(bytes) : bytes).toString('utf8')
}

/** The names of its scripts and styles. */
export function assetNames(): string[] {
  return [...pageFiles().keys()]
    .filter((path) => path.startsWith('/assets/'))
    .map((p) => basename(p))
}

function notBuilt(): UsageError {
  return new UsageError('lab', 'the page is not built.', 'Run npm run build.')
}

/** The files of the page by their paths; no other file is served. */
function pageFiles(): Map<string, string> {
  try {
    const entries = readdirSync(PAGE, { withFileTypes: true, recursive: true })
    return new Map(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [pathOf(file), file]),
    )
  } catch {
    throw notBuilt()
  }
}

/** The path of a file on the server: that of what is compressed in it. */
function pathOf(file: string): string {
  const path = `/${relative(PAGE, file).split(sep).join('/')}`
  return path.endsWith(PACKED) ? path.slice(0, -PACKED.length) : path
}

/** Listens on the first of the ports that is free; returns its number. */
async function listening(server: Server, ports: readonly number[]): Promise<number> {
  let why = ''
  for (const port of ports) {
    const failure = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      server.once('error', resolve)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', resolve)
        resolve(null)
      })
    })
    if (failure === null) return (server.address() as AddressInfo).port
    const { code } = failure
    why = code === 'EADDRINUSE' ? 'in use' : `not available (${code})`
  }
  const [first] = ports
  const named =
    ports.length === 1 ? `port ${first} is` : `the ports ${first} to ${ports.at(-1)} are`
  throw new UsageError('--port', `${named} ${why}.`, 'Choose another one, or 0.')
}

/** An answer of the server: a text, or a file. */
export interface PageAnswer {
  readonly status: number
  readonly type: string
  readonly text?: string
  readonly file?: string
  /** Whether a browser may keep it for ever. */
  readonly lasting?: boolean
  /** Its content security policy, where it is not that of the page. */
  readonly policy?: string
}

interface EncodedBody {
  readonly body: Buffer
  readonly encoding?: string
}

/** The ending of files that the build has compressed. */
const PACKED = '.gz'

/** In the order of preference: most files come compressed by gzip. */
const ENCODERS: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  gzip: (body) => promisify(gzip)(body, { level: 9 }),
  // A higher quality takes seconds for the largest file.
  br: (body) => promisify(brotliCompress)(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: 7 } }),
}

/** Files that the build has not compressed are compressed when they are first asked for. */
class CompressedFiles {
  private readonly encoded = new Map<string, Promise<Buffer>>()

  async bodyFor({ text = '', file }: PageAnswer, accepted = ''): Promise<EncodedBody> {
    if (file === undefined) return { body: Buffer.from(text) }
    const words = accepted.split(',').map((word) => word.trim().split(';')[0])
    const encoding = Object.keys(ENCODERS).find((name) => words.includes(name))
    if (encoding === undefined) return { body: await wholeBytes(file) }
    const key = `${encoding} ${file}`
    const body = this.encoded.get(key) ?? encodedBytes(file, encoding)
    this.encoded.set(key, body)
    return { body: await body, encoding }
  }
}

async function encodedBytes(file: string, encoding: string): Promise<Buffer> {
  if (encoding === 'gzip' && file.endsWith(PACKED)) return readFile(file)
  return ENCODERS[encoding](await wholeBytes(file))
}

async function wholeBytes(file: string): Promise<Buffer> {
  const bytes = await readFile(file)
  return file.endsWith(PACKED) ? promisify(gunzip)(bytes) : bytes
}
