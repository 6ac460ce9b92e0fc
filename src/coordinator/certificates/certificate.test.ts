import { execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { belongTogether, createAuthority, issueCertificate } from './certificate.ts'

const YEAR = 365 * 24 * 3600 * 1000
const from = new Date('2026-01-01T00:00:00Z')
const validity = { from, until: new Date(from.getTime() + YEAR) }

it('a certificate says who it is for, by whom and how long', () => {
  const authority = createAuthority('conclave billing', validity)
  const member = issueCertificate(authority, 'a', validity, ['10.0.0.1', '2001:db8::7', '::1'])
  const [ca, cert] = [new X509Certificate(authority.cert), new X509Certificate(member.cert)]
  expect(ca.ca).toBe(true)
  expect(cert.ca).toBe(false)
  expect(cert.subject).toBe('CN=a')
  expect(cert.issuer).toBe(ca.subject)
  expect(cert.subjectAltName).toBe(
    'DNS:a, IP Address:10.0.0.1, IP Address:2001:DB8:0:0:0:0:0:7, IP Address:0:0:0:0:0:0:0:1',
  )
  expect(new Date(cert.validFrom)).toEqual(validity.from)
  expect(new Date(cert.validTo)).toEqual(validity.until)
  expect(cert.checkIssued(ca)).toBe(true)
  expect(cert.verify(ca.publicKey)).toBe(true)
  expect(ca.verify(ca.publicKey)).toBe(true)
  expect(cert.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  expect(cert.serialNumber).not.toBe(ca.serialNumber)
  expect(belongTogether(member)).toBe(true)
  expect(belongTogether({ ...member, key: authority.key })).toBe(false)
})

it('another authority of the same name does not vouch for it', () => {
  const [one, other] = [createAuthority('same', validity), createAuthority('same', validity)]
  const cert = new X509Certificate(issueCertificate(one, 'a', validity).cert)
  expect(cert.verify(new X509Certificate(other.cert).publicKey)).toBe(false)
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

it.runIf(hasOpenssl)(
  'openssl accepts the chain, for servers and for clients, and no longer',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'conclave-certificates-'))
    try {
      const authority = createAuthority('conclave billing', validity)
      const member = issueCertificate(authority, 'a', validity)
      writeFileSync(join(folder, 'ca.pem'), authority.cert)
      writeFileSync(join(folder, 'a.pem'), member.cert)
      const verify = (purpose: string, date: string) => {
        const at = `-purpose ${purpose} -attime ${Date.parse(date) / 1000}`
        const words = `verify -x509_strict ${at} -CAfile ca.pem a.pem`.split(' ')
        return spawnSync('openssl', words, { cwd: folder, encoding: 'utf8' })
      }
      for (const purpose of ['sslserver', 'sslclient']) {
        expect(verify(purpose, '2026-06-01').stdout).toBe('a.pem: OK\n')
      }
      expect(verify('sslclient', '2027-06-01').stderr).toContain('certificate has expired')
      expect(verify('sslclient', '2025-06-01').stderr).toContain('certificate is not yet valid')
      const text = execFileSync('openssl', ['x509', '-in', 'a.pem', '-noout', '-text'], {
        cwd: folder,
        encoding: 'utf8',
      })
      expect(text).toContain('Signature Algorithm: ecdsa-with-SHA256')
      expect(text).toMatch(/X509v3 Key Usage: critical\s+Digital Signature\n/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
