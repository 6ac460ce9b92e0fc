import { constants, X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import {
  createSecureContext,
  createServer,
  type Server,
  connect as secureConnect,
  type TLSSocket,
} from 'node:tls'
import { quoted } from '../../../core/text-format.ts'
import { UsageError } from '../../../core/usage-error.ts'
import type { TlsCredentials, TlsProblem } from '../stream.ts'
import type { DuplexStream } from './duplex-stream.ts'

/** What is put on sockets, and how both sides show who they are. */
export interface SocketSecurity {
  /** A server that gets its sockets by the event `connection`. */
  server(): Server
  /** Called before each handshake. */
  renew(server: Server): void
  client(socket: Socket): TLSSocket
  /** The handshake is done: notes on the stream what the other side has shown. */
  trust(stream: DuplexStream, socket: TLSSocket): void
  /** What a failed handshake says about the other side; null if it only ended. */
  problem(error: NodeJS.ErrnoException): TlsProblem | null
  /** What a connection means that ended during the handshake. */
  readonly ended: string
}

/** What both sides use. The mesh itself refuses whom it does not trust, and says why. */
function settings({ ca, cert, key }: TlsCredentials) {
  return {
    ca: ca as string,
    cert: cert as string,
    key: key as string,
    minVersion: 'TLSv1.3' as const,
    rejectUnauthorized: false,
    secureOptions: constants.SSL_OP_NO_TICKET,
  }
}

/** Throws a UsageError where the credentials cannot be used. */
function refuseCredentials(credentials: TlsCredentials): void {
  try {
    createSecureContext(settings(credentials))
  } catch (error) {
    throw new UsageError(
      'tls',
      `the certificates cannot be used: ${(error as Error).message}.`,
      'The contents of the files are needed, in PEM, and the key must be that of the certificate.',
    )
  }
}

/** The same where the others would refuse the certificate of this member. */
export function refuseCertificate(credentials: TlsCredentials, me: string, now: number): void {
  refuseCredentials(credentials)
  const refuse = (problem: string, hint: string) => new UsageError('tls', problem, hint)
  const [own, ...between] = pemCertificates(credentials.cert)
  const names = namesIn(own)
  if (!names.includes(me))
    throw refuse(
      `the certificate is that of ${names.map(quoted).join(', ') || 'nobody'}, not of ${me}.`,
      'The name of a certificate must be that of the member.',
    )
  const chain = chainOf(own, between, pemCertificates(credentials.ca))
  if (chain === null)
    throw refuse(
      `the certificate of ${me} was not signed by the given authority.`,
      'All members need certificates of one authority, and its certificate.',
    )
  for (const certificate of chain) {
    const whose = certificate === own ? me : 'the authority'
    const { validFrom, validTo } = certificate
    if (now > Date.parse(validTo))
      throw refuse(`the certificate of ${whose} has expired: ${validTo}.`, 'Issue a new one.')
    if (now < Date.parse(validFrom))
      throw refuse(
        `the certificate of ${whose} is not valid yet: ${validFrom}.`,
        'Wait, or correct the clock of this machine.',
      )
  }
}

/** The certificates in a text of PEM, which has at least one. */
function pemCertificates(pem: string | Uint8Array): X509Certificate[] {
  const text = typeof pem === 'string' ? pem : Buffer.from(pem).toString('latin1')
  const blocks = text.match(/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END/g) ?? []
  return blocks.length === 0
    ? [new X509Certificate(text)]
    : blocks.map((block) => new X509Certificate(`${block} CERTIFICATE-----\n`))
}

/** The certificates from one to an authority, each signed by the next; null where none leads. */
function chainOf(
  from: X509Certificate,
  between: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
): X509Certificate[] | null {
  const signed = (by: X509Certificate) => from.checkIssued(by) && from.verify(by.publicKey)
  const authority = authorities.find(signed)
  if (authority !== undefined) return [from, authority]
  for (const next of between.filter(signed)) {
    const others = between.filter((one) => one !== next)
    const rest = chainOf(next, others, authorities)
    if (rest !== null) return [from, ...rest]
  }
  return null
}

/** Certificates of one authority on both sides. They may be renewed while a member runs. */
export function certificates(credentials: () => TlsCredentials): SocketSecurity {
  let current = credentials()
  refuseCredentials(current)
  return {
    ended: 'closed during the TLS handshake',
    server: () => createServer({ ...settings(current), requestCert: true }),
    renew(server) {
      const now = credentials()
      if (now !== current) server.setSecureContext(settings(now))
      current = now
    },
    client: (socket) =>
      secureConnect({
        ...settings(credentials()),
        socket,
        // The name of the member is compared later, with what the handshake says.
        checkServerIdentity: () => undefined,
      }),
    trust(stream, socket) {
      const { names, problem } = certifiedPeer(socket)
      stream.certifiedNames = names
      stream.tlsProblem = problem
    },
    problem: handshakeProblem,
  }
}

const EXPIRED: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet',
}

/** Whom the certificate of the other side names, or why it is not trusted. */
function certifiedPeer(socket: TLSSocket): {
  readonly names: readonly string[] | null
  readonly problem: TlsProblem | null
} {
  // On the side of a client, Node gives the certificate only to the first who asks.
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) {
    return { names: null, problem: { reason: 'no-certificate', detail: 'has no certificate' } }
  }
  if (socket.authorized) return { names: namesIn(certificate), problem: null }
  const code = String(socket.authorizationError)
  const problem: TlsProblem =
    EXPIRED[code] === undefined
      ? { reason: 'foreign', detail: `has a certificate of a foreign authority (${code})` }
      : { reason: 'expired', detail: EXPIRED[code] }
  return { names: null, problem }
}

/** The names that a certificate gives: its DNS names, or its common name if it has none. */
function namesIn({ subjectAltName = '', subject }: X509Certificate): string[] {
  // Names with special characters are quoted, and are names of no member.
  const unquoted = subjectAltName.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  const names = [...unquoted.matchAll(/(?:^|, )DNS:([\w.-]+)(?=,|$)/g)].map(([, name]) => name)
  if (subjectAltName !== '') return names
  const [, common] = /^CN=(.*)$/m.exec(subject) ?? []
  return common === undefined ? [] : [common]
}

/** The connection has ended: errors of the network, such as ECONNRESET. */
const ENDS = /^(?!EPROTO$)E[A-Z]+$|^ERR_TLS_HANDSHAKE_TIMEOUT$/

/** What a failed handshake says about the other side; null where it is nobody's certificate. */
export function handshakeProblem({ code = '' }: NodeJS.ErrnoException): TlsProblem | null {
  if (ENDS.test(code)) return null
  return { reason: 'no-tls', detail: `does not speak TLS 1.3 (${code})` }
}
