import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A certificate with its private key, in PEM. */
export interface KeyedCertificate {
  readonly cert: string
  readonly key: string
}

interface Validity {
  readonly from: Date
  readonly until: Date
}

/** `openssl ca` is the only command of openssl 3.0 that takes both ends of a validity. */
const CONFIG = `
[ca]
default_ca = own
[own]
database = index
new_certs_dir = .
rand_serial = yes
unique_subject = no
default_md = sha256
policy = any
[any]
commonName = supplied
[authority]
basicConstraints = critical, CA:TRUE
subjectKeyIdentifier = hash
`

/** A new authority, as the commands of docs/coordinator.md make it. */
export function createAuthority(name: string, validity: Validity): KeyedCertificate {
  return signed(name, validity, null)
}

/** The certificate of a member, signed by an authority. */
export function issueCertificate(
  authority: KeyedCertificate,
  name: string,
  validity: Validity,
): KeyedCertificate {
  return signed(name, validity, authority)
}

function signed(
  name: string,
  { from, until }: Validity,
  authority: KeyedCertificate | null,
): KeyedCertificate {
  const cwd = mkdtempSync(join(tmpdir(), 'conclave-certificates-'))
  const openssl = (line: string) => execFileSync('openssl', line.split(' '), { cwd, stdio: 'pipe' })
  const read = (file: string) => readFileSync(join(cwd, file), 'utf8')
  const write = (file: string, text: string) => writeFileSync(join(cwd, file), text)
  try {
    write('index', '')
    write('config', `${CONFIG}[member]\nsubjectAltName = DNS:${name.replaceAll(' ', '-')}\n`)
    openssl('ecparam -name prime256v1 -genkey -noout -out own.key')
    write('request.config', `[req]\nprompt = no\ndistinguished_name = dn\n[dn]\nCN = ${name}\n`)
    openssl('req -new -key own.key -config request.config -out own.csr')
    if (authority !== null) {
      write('ca.crt', authority.cert)
      write('ca.key', authority.key)
    }
    const signer =
      authority === null
        ? '-selfsign -keyfile own.key -extensions authority'
        : '-cert ca.crt -keyfile ca.key -extensions member'
    const dates = `-startdate ${openSslTime(from)} -enddate ${openSslTime(until)}`
    openssl(`ca -batch -notext -config config ${signer} ${dates} -in own.csr -out own.crt`)
    return { cert: read('own.crt'), key: read('own.key') }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

/** As in 20270131120000Z. */
function openSslTime(date: Date): string {
  return `${date.toISOString().replace(/[-:T]|\.\d+Z$/g, '')}Z`
}
