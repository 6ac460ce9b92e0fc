import { readFileSync } from 'node:fs'
import { isIP, connect as open } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import {
  AuthorizationError,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  errors,
  type NatsConnection,
  nkeyAuthenticator,
  nkeys,
} from '@nats-io/transport-node'
import { UsageError } from '../core/usage-error.ts'
import { type NatsAddresses, type NatsOptions, parseNatsAddresses } from './options.ts'

/** What becomes of a connection after it was made. */
export type NatsEvent =
  /** The client tries to connect again until it succeeds. */
  | { readonly what: 'disconnected'; readonly server: string }
  | { readonly what: 'reconnected'; readonly server: string }
  /** The server refused something, for example a subject that the user may not use. */
  | { readonly what: 'refused'; readonly reason: string }
  /** The connection has ended: it was closed, or the server does not accept the user any more. */
  | { readonly what: 'closed'; readonly reason: string }

const TIMEOUT = 10_000
/** Two pings without an answer: a server that hangs is left after half a minute. */
const PING_INTERVAL = 10_000
/** Clients that lost the same server do not all come back in the same moment. */
const RECONNECT = { least: 250, most: 1000 }

/**
 * Connects to a server of NATS, and again whenever the connection is lost. What fails before the
 * first connection is a UsageError without secrets; later events go to `tell`.
 */
export async function connectNats(
  options: NatsOptions,
  tell: (event: NatsEvent) => void = () => {},
): Promise<NatsConnection> {
  const addresses = parseNatsAddresses(options.servers, 'NATS')
  const timeout = options.timeoutMs ?? TIMEOUT
  const settings: ConnectionOptions = {
    servers: [...addresses.hosts],
    ...credentials(options, addresses),
    ...tlsOptions(options, addresses),
    ...(options.name === undefined ? {} : { name: options.name }),
    timeout,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: () =>
      RECONNECT.least + Math.floor(Math.random() * (RECONNECT.most - RECONNECT.least)),
    pingInterval: PING_INTERVAL,
    noAsyncTraces: true,
  }
  let connection: NatsConnection
  try {
    connection = await connect(settings)
  } catch (error) {
    const greetings =
      error instanceof errors.TimeoutError
        ? await Promise.all(addresses.hosts.map((host) => greeting(host, timeout)))
        : []
    throw refusal(error, options, addresses, greetings.find((one) => one !== null) ?? null)
  }
  void follow(connection, tell)
  return connection
}

async function follow(connection: NatsConnection, tell: (event: NatsEvent) => void): Promise<void> {
  const closed = connection.closed().then((error) => {
    tell({ what: 'closed', reason: error instanceof Error ? error.message : '' })
  })
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') tell({ what: 'disconnected', server: status.server })
    else if (status.type === 'reconnect') tell({ what: 'reconnected', server: status.server })
    else if (status.type === 'error') tell({ what: 'refused', reason: status.error.message })
  }
  await closed
}

/** One kind of credentials: which of several the server would take is not known. */
function credentials(options: NatsOptions, addresses: NatsAddresses): ConnectionOptions {
  const { credsFile, nkeyFile } = options
  const password = options.password ?? addresses.password
  // With a password from elsewhere, the token in the address is a user.
  const named = options.user ?? addresses.user
  const user = named ?? (password === undefined ? undefined : addresses.token)
  const token = options.token ?? (user === addresses.token ? undefined : addresses.token)
  const kinds = { user, token, 'NKey file': nkeyFile, 'credentials file': credsFile }
  const given = Object.entries(kinds).filter(([, value]) => value !== undefined)
  if (given.length > 1)
    throw new UsageError(
      addresses.shown,
      `Several credentials are given: ${given.map(([kind]) => kind).join(', ')}.`,
      'Leave one of them.',
    )
  if (credsFile !== undefined) return { authenticator: credsIn(credsFile) }
  if (nkeyFile !== undefined) return { authenticator: seedIn(nkeyFile) }
  if (token !== undefined) return { token }
  return user === undefined ? {} : { user, pass: password ?? '' }
}

function credsIn(path: string) {
  const authenticator = credsAuthenticator(contents(path))
  try {
    authenticator('nonce')
  } catch {
    throw new UsageError(
      path,
      'This is not a file of credentials: it needs a JWT and the seed of an NKey.',
      'Have one made, for example with nsc generate creds.',
    )
  }
  return authenticator
}

function seedIn(path: string) {
  const seed = /^SU[A-Z2-7]+$/m.exec(contents(path).toString())?.[0] ?? ''
  try {
    nkeys.fromSeed(Buffer.from(seed))
  } catch {
    throw new UsageError(
      path,
      "This file has no seed of a user's NKey.",
      'It needs a line that begins with SU.',
    )
  }
  return nkeyAuthenticator(Buffer.from(seed))
}

/** Without options it is left to the server whether the connection is encrypted. */
function tlsOptions({ tls }: NatsOptions, addresses: NatsAddresses): ConnectionOptions {
  if (tls === undefined && !addresses.tls) return {}
  const { caFile, certFile, keyFile } = tls ?? {}
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new UsageError(
      addresses.shown,
      'A certificate and its key are given together.',
      'Name both files.',
    )
  const files = Object.entries({ ca: caFile, cert: certFile, key: keyFile }).flatMap(
    ([field, path]) => (path === undefined ? [] : [[field, contents(path).toString()]]),
  )
  return {
    tls: { ...Object.fromEntries(files), checkServerIdentity: identityCheck(addresses) },
  }
}

/** For an address without a name the library compares the certificate with `localhost`. */
function identityCheck({ hosts }: NatsAddresses) {
  const names = hosts.map(nameOf)
  return (name: string, certificate: PeerCertificate): Error | undefined => {
    if (name !== 'localhost' || names.includes(name)) return checkServerIdentity(name, certificate)
    const results = names
      .filter((host) => isIP(host) !== 0)
      .map((host) => checkServerIdentity(host, certificate))
    return results.find((result) => result === undefined) ?? results[0]
  }
}

/** The host without its port, and without the brackets of an IPv6 address. */
function nameOf(host: string): string {
  return host.slice(0, host.lastIndexOf(':')).replace(/^\[|\]$/g, '')
}

function contents(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const [reason] = (error as Error).message.split(',')
    throw new UsageError(path, `Cannot read this file: ${reason}.`, 'Check its path and rights.')
  }
}

/** What is wrong with the first connection. The messages of the library hold no credentials. */
function refusal(
  error: unknown,
  options: NatsOptions,
  { shown, tls }: NatsAddresses,
  greeted: Greeting | null,
): UsageError {
  const problem = (text: string, hint: string) => new UsageError(shown, text, hint)
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? ''
  const message = error instanceof Error ? error.message : String(error)
  if (message === 'connection refused')
    return problem('No server listens there.', 'Start nats-server, or correct the address.')
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return problem('This host is unknown.', 'Correct the address.')
  if (greeted?.tls_verify && options.tls?.certFile === undefined)
    return problem(
      'The server asks for a certificate of the client.',
      'Name the files of a certificate and its key.',
    )
  if (greeted !== null) return problem('The server does not answer in time.', 'Look into its log.')
  if (error instanceof errors.TimeoutError)
    return problem('No server of NATS answers there.', 'Check the address and firewalls.')
  if (error instanceof AuthorizationError)
    return problem(
      'The server does not accept the credentials.',
      'Check user and password, token, NKey or credentials file.',
    )
  if (message.includes("does not support 'tls'"))
    return problem(
      'The server has no TLS.',
      tls ? 'Write nats:// in place of tls://.' : 'Leave out the files of certificates.',
    )
  if (/certificate|ALTNAME|_CERT|SSL|TLS/i.test(`${code} ${message}`))
    return problem(`The connection by TLS failed: ${message}.`, tlsHint(code, options))
  return problem(`Cannot connect: ${message}.`, 'Check the address and the log of the server.')
}

function tlsHint(code: string, { tls }: NatsOptions): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return "Use a name or address that is in the server's certificate."
  if (tls?.caFile === undefined)
    return "Name the file with the certificate of the server's authority."
  return 'Check the files of certificates.'
}

interface Greeting {
  readonly tls_verify?: boolean
}

/**
 * The first line of a server, or null. The library does not tell a server that ends the connection
 * since it misses a certificate from one that does not answer.
 */
function greeting(host: string, timeoutMs: number): Promise<Greeting | null> {
  return new Promise((resolve) => {
    const socket = open({ host: nameOf(host), port: Number(host.slice(host.lastIndexOf(':') + 1)) })
    let text = ''
    const end = (found: Greeting | null) => {
      resolve(found)
      socket.destroy()
    }
    socket.setTimeout(timeoutMs, () => end(null))
    socket.on('error', () => end(null))
    socket.on('close', () => end(null))
    socket.on('data', (data) => {
      text += data
      if (text.startsWith('INFO ') && text.includes('\n')) end(greetingIn(text))
      else if (text.length > 100_000) end(null)
    })
  })
}

function greetingIn(line: string): Greeting | null {
  try {
    return JSON.parse(line.slice('INFO '.length, line.indexOf('\n')))
  } catch {
    return null
  }
}
