import { UsageError } from '../core/usage-error.ts'

/** Where a server of NATS is, and as whom to connect to it. */
export interface NatsOptions {
  /** nats://host:port, or tls://host:port; several are separated by commas. */
  readonly servers: string
  readonly user?: string
  readonly password?: string
  readonly token?: string
  /** A file with the seed of an NKey. */
  readonly nkeyFile?: string
  /** A file with a JWT and the seed of its NKey. */
  readonly credsFile?: string
  readonly tls?: NatsTlsFiles
  /** The name of the connection in the server's lists. */
  readonly name?: string
  /** How long the first connection may take. */
  readonly timeoutMs?: number
}

/** Files in the PEM format: the authority of the server, and a certificate of the client. */
export interface NatsTlsFiles {
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
}

/** Addresses taken apart, so that no password remains in what is printed. */
export interface NatsAddresses {
  /** host:port */
  readonly hosts: readonly string[]
  /** The addresses for texts: without user, password and token. */
  readonly shown: string
  /** Whether the connection must be encrypted. */
  readonly tls: boolean
  readonly user?: string
  readonly password?: string
  readonly token?: string
}

const PORT = 4222
const HOW = 'Write nats://host:4222, or tls://host:4222 for an encrypted connection.'

/** A password may hold a comma: one before an `@` separates only if an address begins there. */
const SEPARATOR = /,(?=\s*[a-z]+:\/\/)|,(?=[^@]*$)/i

/** Takes addresses apart; `where` says where they were given. */
export function parseNatsAddresses(text: string, where: string): NatsAddresses {
  const urls = text.split(SEPARATOR).map((part) => parsed(part.trim(), where))
  const who = urls.map(({ username, password }) => ({
    user: decoded(username),
    password: decoded(password),
  }))
  const given = who.filter(({ user }) => user !== '')
  const [first] = given
  if (given.some(({ user, password }) => user !== first.user || password !== first.password))
    throw new UsageError(where, 'The addresses have different users.', 'Name one user for all.')
  const hosts = urls.map(hostOf)
  const schemes = new Set(urls.map(({ protocol }) => protocol))
  const addresses = {
    hosts,
    shown: urls.map(({ protocol }, i) => `${protocol}//${hosts[i]}`).join(','),
    tls: schemes.has('tls:'),
  }
  if (first === undefined) return addresses
  // As other clients of NATS do: a user without a password is a token.
  return first.password === ''
    ? { ...addresses, token: first.user }
    : { ...addresses, user: first.user, password: first.password }
}

/** An address as it may be printed, whatever is wrong with it. */
export function withoutSecrets(text: string): string {
  return text
    .split(SEPARATOR)
    .map((part) => part.replace(/^(\s*[a-z]*:\/\/)?.*@/is, '$1'))
    .join(',')
}

function parsed(text: string, where: string): URL {
  const shown = withoutSecrets(text)
  const refused = (problem: string) => new UsageError(where, problem, HOW)
  const hasScheme = /^[a-z][\w+.-]*:\/\//i.test(text)
  if (!hasScheme && text.includes('@')) throw refused(`"${shown}" has a user, but no nats://.`)
  const address = hasScheme ? text : `nats://${text}`
  if (!URL.canParse(address)) throw refused(`"${shown}" is not an address.`)
  const url = new URL(address)
  if (!['nats:', 'tls:'].includes(url.protocol))
    throw refused(`"${shown}" begins with ${url.protocol}//.`)
  if (url.hostname === '') throw refused(`"${shown}" names no host.`)
  if (url.username === '' && url.password !== '') throw refused(`"${shown}" names no user.`)
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '')
    throw refused(`"${shown}" has more than a host and a port.`)
  return url
}

function hostOf({ hostname, port }: URL): string {
  return `${hostname}:${port === '' ? PORT : port}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
