import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { isIP } from 'node:net'
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  time,
  utf8String,
} from './der.ts'

/** A certificate with its private key, in PEM. */
export interface KeyedCertificate {
  readonly cert: string
  readonly key: string
}

/** From when and until when a certificate is valid. */
export interface Validity {
  readonly from: Date
  readonly until: Date
}

const OID = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const

/** Bits of the key usage: which one, and how many of its byte do not count. */
const SIGN_CERTIFICATES = [Uint8Array.of(0b0000_0100), 2] as const
const SIGN_HANDSHAKES = [Uint8Array.of(0b1000_0000), 7] as const

/** A new authority. It signs members and no further authorities. */
export function createAuthority(name: string, validity: Validity): KeyedCertificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return certificate({
    subject: name,
    issuer: name,
    publicKey: keys.publicKey,
    privateKey: keys.privateKey,
    signer: keys.privateKey,
    authorityKey: keys.publicKey,
    validity,
    extensions: [
      extension(OID.basicConstraints, true, sequence(boolean(true), integer(Uint8Array.of(0)))),
      extension(OID.keyUsage, true, bitString(...SIGN_CERTIFICATES)),
    ],
  })
}

/** The certificate of a member, for both ends of a connection: its name is that of the member. */
export function issueCertificate(
  authority: KeyedCertificate,
  name: string,
  validity: Validity,
  addresses: readonly string[] = [],
): KeyedCertificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { publicKey, subject } = new X509Certificate(authority.cert)
  const alternatives = [
    implicit(2, Buffer.from(name, 'ascii')),
    ...addresses.map((address) => implicit(7, addressBytes(address))),
  ]
  return certificate({
    subject: name,
    issuer: subject.replace(/^CN=/, ''),
    publicKey: keys.publicKey,
    privateKey: keys.privateKey,
    signer: createPrivateKey(authority.key),
    authorityKey: publicKey,
    validity,
    extensions: [
      extension(OID.basicConstraints, true, sequence()),
      extension(OID.keyUsage, true, bitString(...SIGN_HANDSHAKES)),
      extension(
        OID.extendedKeyUsage,
        false,
        sequence(objectIdentifier(OID.serverAuth), objectIdentifier(OID.clientAuth)),
      ),
      extension(OID.subjectAltName, false, sequence(...alternatives)),
    ],
  })
}

/** Whether a private key belongs to a certificate, both in PEM. */
export function belongTogether({ cert, key }: KeyedCertificate): boolean {
  return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
}

interface Fields {
  readonly subject: string
  readonly issuer: string
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
  readonly signer: KeyObject
  readonly authorityKey: KeyObject
  readonly validity: Validity
  readonly extensions: readonly Uint8Array[]
}

function certificate(fields: Fields): KeyedCertificate {
  const algorithm = sequence(objectIdentifier(OID.ecdsaWithSha256))
  const identifiers = [
    extension(OID.subjectKeyIdentifier, false, octetString(keyIdentifier(fields.publicKey))),
    extension(
      OID.authorityKeyIdentifier,
      false,
      sequence(implicit(0, keyIdentifier(fields.authorityKey))),
    ),
  ]
  const content = sequence(
    explicit(0, integer(Uint8Array.of(2))),
    integer(serialNumber()),
    algorithm,
    distinguishedName(fields.issuer),
    sequence(time(fields.validity.from), time(fields.validity.until)),
    distinguishedName(fields.subject),
    fields.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...fields.extensions, ...identifiers)),
  )
  const signature = sign('sha256', content, fields.signer)
  return {
    cert: pem('CERTIFICATE', sequence(content, algorithm, bitString(signature))),
    key: fields.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

function extension(type: string, critical: boolean, value: Uint8Array): Uint8Array {
  const marks = critical ? [boolean(true)] : []
  return sequence(objectIdentifier(type), ...marks, octetString(value))
}

function distinguishedName(common: string): Uint8Array {
  return sequence(setOf(sequence(objectIdentifier(OID.commonName), utf8String(common))))
}

/** Positive and not zero. */
function serialNumber(): Uint8Array {
  const bytes = randomBytes(16)
  bytes[0] = (bytes[0] & 0x3f) | 0x40
  return bytes
}

/** The first 20 bytes of a hash of the key: any name would do that is the same everywhere. */
function keyIdentifier(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = createPublicKey(key.export({ type: 'spki', format: 'pem' })).export({
    format: 'jwk',
  })
  return createHash('sha256').update(x).update(y).digest().subarray(0, 20)
}

function addressBytes(address: string): Uint8Array {
  if (isIP(address) === 4) return Uint8Array.from(address.split('.').map(Number))
  // The canonical form has hexadecimal groups only.
  const [head, tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text = '') =>
    text === '' ? [] : text.split(':').map((part) => parseInt(part, 16))
  const [first, last] = [groups(head), groups(tail)]
  const zeros = Array<number>(8 - first.length - last.length).fill(0)
  return Uint8Array.from(
    [...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 255]),
  )
}

function pem(label: string, bytes: Uint8Array): string {
  const lines = Buffer.from(bytes)
    .toString('base64')
    .match(/.{1,64}/g)!
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
