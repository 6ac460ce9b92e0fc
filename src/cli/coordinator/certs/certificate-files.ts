import { X509Certificate } from 'node:crypto'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { makeFolder } from '../../../cluster/node/file-storage.ts'
import {
  belongTogether,
  createAuthority,
  issueCertificate,
  type KeyedCertificate,
  type Validity,
} from '../../../coordinator/certificates/certificate.ts'
import { isPeerName } from '../../../coordinator/network/handshake.ts'
import { UsageError } from '../../../core/index.ts'
import { quoted } from '../../../core/text-format.ts'
import { creationProblem, isFull, readText } from '../../input/read-file.ts'

const HOUR = 3600 * 1000
const DAY = 24 * HOUR
/** The name of the files of the authority; no member can have it. */
const AUTHORITY = 'ca'

/** A certificate and its key that were written. */
export interface WrittenCertificate {
  readonly name: string
  readonly cert: string
  readonly key: string
  /** The last day, as in 2027-01-31. */
  readonly until: string
}

/** Makes an authority in a folder. */
export function initAuthority(folder: string, cluster: string, days: number): WrittenCertificate {
  if (!isPeerName(cluster)) throw notAName('--cluster', cluster)
  const existing = [certFile(folder, AUTHORITY), keyFile(folder, AUTHORITY)].find(existsSync)
  if (existing !== undefined) {
    throw new UsageError(
      'conclave certs init',
      `${existing} exists already, and members may trust it.`,
      'Choose another folder, or issue certificates with this authority.',
    )
  }
  const validity = validFor(days)
  const authority = createAuthority(`${cluster} authority`, validity)
  return write(folder, AUTHORITY, authority, validity)
}

export interface IssueOptions {
  readonly days: number
  readonly addresses: readonly string[]
  /** Replaces certificates that exist. */
  readonly renew: boolean
}

/** Makes certificates of members, signed by the authority in the folder. */
export function issueMembers(
  folder: string,
  names: readonly string[],
  { days, addresses, renew }: IssueOptions,
): WrittenCertificate[] {
  for (const name of names) refuseName(folder, name, renew)
  const wrong = addresses.find((address) => isIP(address) === 0)
  if (wrong !== undefined) {
    throw new UsageError(
      '--address',
      `${quoted(wrong)} is not an IP address.`,
      'Leave it out: members are known by their names, wherever they are.',
    )
  }
  const authority = readAuthority(folder)
  const wanted = validFor(days)
  const end = new Date(new X509Certificate(authority.cert).validTo)
  if (end <= new Date()) {
    throw new UsageError(
      certFile(folder, AUTHORITY),
      `the authority expired on ${dayOf(end)}.`,
      'Make a new one in another folder, and give it to all members.',
    )
  }
  const validity = wanted.until > end ? { ...wanted, until: end } : wanted
  return names.map((name) =>
    write(folder, name, issueCertificate(authority, name, validity, addresses), validity),
  )
}

function refuseName(folder: string, name: string, renew: boolean): void {
  if (!isPeerName(name) || name === AUTHORITY) throw notAName('conclave certs issue', name)
  const existing = [certFile(folder, name), keyFile(folder, name)].find(existsSync)
  if (existing === undefined || renew) return
  throw new UsageError(
    'conclave certs issue',
    `${existing} exists already.`,
    'Add --renew to replace it.',
  )
}

function notAName(where: string, name: string): UsageError {
  const problem =
    name === AUTHORITY
      ? `${quoted(name)} is the name of the authority's files.`
      : `${quoted(name)} is not a name of 1 to 64 letters, digits, hyphens, underscores and dots.`
  return new UsageError(where, problem, 'Choose another name.')
}

function readAuthority(folder: string): KeyedCertificate {
  const [certPath, keyPath] = [certFile(folder, AUTHORITY), keyFile(folder, AUTHORITY)]
  const missing = [certPath, keyPath].find((path) => !existsSync(path))
  if (missing !== undefined) {
    throw new UsageError(
      'conclave certs issue',
      `${missing} is missing.`,
      `Run conclave certs init --folder ${folder} first.`,
    )
  }
  const authority = { cert: readText(certPath), key: readText(keyPath) }
  try {
    if (belongTogether(authority)) return authority
  } catch {
    throw new UsageError(certPath, 'it or its key is not in PEM.', 'Make a new authority.')
  }
  throw new UsageError(keyPath, `it is not the key of ${certPath}.`, 'Restore the right file.')
}

/** A certificate is valid from an hour ago: clocks of other machines may be behind. */
function validFor(days: number): Validity {
  if (!(Number.isSafeInteger(days) && days >= 1 && days <= 36_500)) {
    throw new UsageError('--days', 'it is not a whole number from 1 to 36500.', 'Write 365.')
  }
  const now = Date.now()
  return { from: new Date(now - HOUR), until: new Date(now + days * DAY) }
}

const certFile = (folder: string, name: string) => join(folder, `${name}.crt`)
const keyFile = (folder: string, name: string) => join(folder, `${name}.key`)
const dayOf = (date: Date) => date.toISOString().slice(0, 10)

function write(
  folder: string,
  name: string,
  { cert, key }: KeyedCertificate,
  { until }: Validity,
): WrittenCertificate {
  const [certPath, keyPath] = [certFile(folder, name), keyFile(folder, name)]
  try {
    makeFolder(folder, 0o700)
    replace(keyPath, key, 0o600)
    replace(certPath, cert, 0o644)
  } catch (error) {
    const remedy = isFull(error) ? 'Make room, then try again.' : 'Check the path.'
    const why = creationProblem(folder, error)
    throw new UsageError(folder, `it cannot be written: ${why}.`, remedy)
  }
  return { name, cert: certPath, key: keyPath, until: dayOf(until) }
}

/** The file gets its mode before its content, and is never there in part. */
function replace(path: string, content: string, mode: number): void {
  const partial = `${path}.partial-${process.pid}`
  rmSync(partial, { force: true })
  try {
    writeFileSync(partial, content, { mode, flag: 'wx' })
    renameSync(partial, path)
  } finally {
    rmSync(partial, { force: true })
  }
}
