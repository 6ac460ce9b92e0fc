import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createAuthority, issueCertificate } from '../../../test/support/certificates.ts'
import { certificatesIn } from './certificate-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-certificates-'))
afterAll(() => rmSync(folder, { recursive: true }))

const HOUR = 3_600_000
const VALID = { from: new Date(Date.now() - HOUR), until: new Date(Date.now() + HOUR) }

/** Writes an authority and certificates of members; an authority that is given stays. */
function writeCertificates(
  into: string,
  names: readonly string[],
  authority = createAuthority('billing', VALID),
) {
  writeFileSync(join(into, 'ca.crt'), authority.cert)
  for (const name of names) {
    const { cert, key } = issueCertificate(authority, name, VALID)
    writeFileSync(join(into, `${name}.crt`), cert)
    writeFileSync(join(into, `${name}.key`), key)
  }
  return authority
}

it('certificates that are replaced are read again, once all of them fit', () => {
  const authority = writeCertificates(folder, ['a'])
  const cert = join(folder, 'a.crt')
  const key = join(folder, 'a.key')
  const contents = (file: string) => readFileSync(file, 'utf8')
  let time = 0
  let touched = 1
  const touch = (file: string) => utimesSync(file, 0, touched++)
  const credentials = certificatesIn(folder, 'a', '--tls', () => time)
  const first = credentials()
  const old = contents(key)
  expect(first.cert).toBe(contents(cert))

  writeCertificates(folder, ['a'], authority)
  const fresh = contents(key)
  writeFileSync(key, old)
  for (const file of [cert, key]) touch(file)
  expect(credentials()).toBe(first)
  time += 2000
  expect(credentials()).toBe(first)

  writeFileSync(key, fresh)
  touch(key)
  time += 2000
  const second = credentials()
  expect([second.cert, second.key]).toEqual([contents(cert), fresh])
  time += 2000
  expect(credentials()).toBe(second)
  rmSync(key)
  time += 2000
  expect(credentials()).toBe(second)
})

it('a key of another certificate is refused at the start', () => {
  const other = mkdtempSync(join(tmpdir(), 'conclave-certificates-'))
  writeCertificates(other, ['a', 'b'])
  writeFileSync(join(other, 'a.key'), readFileSync(join(other, 'b.key')))
  expect(() => certificatesIn(other, 'a', '--tls')).toThrow(/^--tls: the certificates cannot be/)
  rmSync(other, { recursive: true })
})
