import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILT } from '../../core/built.ts'
import { UsageError } from '../../core/index.ts'

/** The folder of the built page. */
export const PAGE = fileURLToPath(new URL('lab/', BUILT))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

export interface LabServer {
  readonly address: string
  close(): Promise<void>
}

/** A file of the user that the page opens. */
export interface OpenedFile {
  readonly name: string
  readonly text: string
}

/** The path under which the page finds the files to open. */
const OPENED = '/opened.json'

/** Serves the page to this machine only, with files to open; port 0 is any free port. */
export async function serveLab(
  port: number,
  opened: readonly OpenedFile[] = [],
): Promise<LabServer> {
  const files = pageFiles()
  const server = createServer(({ url = '/', method }, response) => {
    // Not by URL, which throws at addresses such as //.
    const [pathname] = url.split(/[?#]/)
    const path = pathname === '/' ? '/index.html' : pathname
    if (path === OPENED && opened.length > 0 && method === 'GET') {
      response.writeHead(200, { 'content-type': TYPES['.json'], 'cache-control': 'no-cache' })
      response.end(JSON.stringify({ files: opened }))
      return
    }
    const file = files.get(path)
    if (file === undefined || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(file === undefined ? 404 : 405, { 'content-type': 'text/plain' })
      response.end(file === undefined ? 'Not found.\n' : 'Only GET and HEAD are allowed.\n')
      return
    }
    const type = TYPES[extname(path)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' })
    response.end(method === 'HEAD' ? undefined : readFileSync(file))
  })
  const actual = await listening(server, port)
  return {
    address: `http://127.0.0.1:${actual}/${opened.length > 0 ? '?open' : ''}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The text of one of its files. */
export function pageFile(path: string): string {
  try {
    return readFileSync(join(PAGE, path), 'utf8')
  } catch {
    throw notBuilt()
  }
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
        .map((file) => [`/${relative(PAGE, file).split(sep).join('/')}`, file]),
    )
  } catch {
    throw notBuilt()
  }
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `is not available (${error.code})`
      reject(new UsageError('--port', `port ${port} ${why}.`, 'Choose another one, or 0.'))
    })
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
