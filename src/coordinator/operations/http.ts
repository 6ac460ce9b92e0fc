import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { type Address, addressText } from '../../cluster/transports/address.ts'
import { UsageError } from '../../core/usage-error.ts'
import { type MetricFamily, openMetrics } from './metrics.ts'
import type { CoordinatorStatus } from './status.ts'

/** What the server reads; a node has it. */
export interface ServedNode {
  status(): CoordinatorStatus
  metrics(): readonly MetricFamily[]
}

export interface HttpServer {
  readonly address: Address
  close(): Promise<void>
}

/** An answer: its status, its type and its text. */
type HttpAnswer = readonly [code: number, type: string, body: string]

const TEXT = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json'
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/** More connections than that are closed at once. */
const MOST_CONNECTIONS = 100
/** Slower requests are given up, in milliseconds. */
const REQUEST_MS_MAX = 5000

/** Serves what can be read of a node: /metrics, /healthz, /status and /leader/ROLE. */
export async function httpServer(
  /** Null while it is being started. */
  node: () => ServedNode | null,
  address: Address,
): Promise<HttpServer> {
  const limits = {
    headersTimeout: REQUEST_MS_MAX,
    requestTimeout: REQUEST_MS_MAX,
    connectionsCheckingInterval: REQUEST_MS_MAX / 2,
    maxHeaderSize: 8192,
  }
  const server = createServer(limits, (request, response) =>
    send(request, response, answerTo(node(), request, address.host)),
  )
  server.maxConnections = MOST_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const why = code === 'EADDRINUSE' ? 'another process listens there' : `it reports ${code}`
      reject(
        new UsageError(
          'http',
          `${addressText(address)} cannot be used: ${why}.`,
          'Choose another address.',
        ),
      )
    })
    server.listen(address.port, address.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    address: { host: address.host, port },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  [code, type, body]: HttpAnswer,
): void {
  response.writeHead(code, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(method === 'HEAD' ? undefined : body)
}

function answerTo(
  node: ServedNode | null,
  request: IncomingMessage,
  listening: string,
): HttpAnswer {
  const { method, url = '/', headers } = request
  if (!isKnownHost(headers.host, listening)) return [421, TEXT, 'Another host is served here.\n']
  if (method !== 'GET' && method !== 'HEAD') return [405, TEXT, 'Only GET and HEAD are allowed.\n']
  if (node === null) return [503, TEXT, 'The member is being started.\n']
  const [path] = url.split(/[?#]/)
  if (path === '/metrics') return [200, OPEN_METRICS, openMetrics(node.metrics())]
  if (path === '/healthz') return health(node.status())
  if (path === '/status') return [200, JSON_TYPE, `${JSON.stringify(node.status())}\n`]
  const [, role] = /^\/leader\/([\w.-]+)$/.exec(path) ?? []
  return role === undefined ? [404, TEXT, 'Not found.\n'] : leadership(node.status(), role)
}

/**
 * The page of another site can make a browser ask here under a name that it controls, but never
 * under an address or under the name of the listener.
 */
function isKnownHost(host: string | undefined, listening: string): boolean {
  const name = (host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return isIP(name) > 0 || name === 'localhost' || name === listening
}

function health({ problems }: CoordinatorStatus): HttpAnswer {
  return problems.length === 0 ? [200, TEXT, 'ok\n'] : [503, TEXT, `${problems.join('\n')}\n`]
}

/** 200 on the leader and 503 elsewhere, as load balancers expect. */
function leadership({ me, roles }: CoordinatorStatus, role: string): HttpAnswer {
  if (!Object.hasOwn(roles, role)) return [404, TEXT, 'There is no such role.\n']
  const { leads, leader, term } = roles[role]
  return [leads ? 200 : 503, JSON_TYPE, `${JSON.stringify({ role, me, leads, leader, term })}\n`]
}
