import { X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shell, USAGE_ERROR } from '../../../../test/support/run-command.ts'

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-certs-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

const certs = (...words: string[]) => shell('certs', ...words, '--folder', folder)
const read = (name: string) => new X509Certificate(readFileSync(join(folder, name)))
const days = (cert: X509Certificate) =>
  (Date.parse(cert.validTo) - Date.parse(cert.validFrom)) / (24 * 3600 * 1000)

it('makes an authority and certificates of members; nobody else can read the keys', async () => {
  const made = await certs('init', '--cluster', 'billing')
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toContain(`conclave certs issue a b c --folder ${folder}`)
  const issued = await certs('issue', 'a', 'b', 'a', '--address', '10.0.0.1,::1', '--json')
  const { certificates } = JSON.parse(issued.out)
  expect(certificates.map(({ name }: { name: string }) => name)).toEqual(['a', 'b'])
  const [ca, a] = [read('ca.crt'), read('a.crt')]
  expect(ca.subject).toBe('CN=billing authority')
  expect(a.verify(ca.publicKey)).toBe(true)
  expect(a.subjectAltName).toBe('DNS:a, IP Address:10.0.0.1, IP Address:0:0:0:0:0:0:0:1')
  expect(Math.round(days(ca))).toBe(3650)
  expect(Math.round(days(a))).toBe(365)
  for (const name of ['ca', 'a', 'b']) {
    expect(statSync(join(folder, `${name}.key`)).mode & 0o777).toBe(0o600)
  }
})

it('replaces a certificate only when told, and never beyond the end of the authority', async () => {
  const before = read('a.crt').fingerprint256
  expect(await certs('issue', 'c', 'a')).toMatchObject({ code: 2, out: '' })
  expect(read('a.crt').fingerprint256).toBe(before)
  expect(existsSync(join(folder, 'c.crt'))).toBe(false)
  expect((await certs('issue', 'a', '--renew', '--days', '36500')).code).toBe(0)
  expect(read('a.crt').fingerprint256).not.toBe(before)
  expect(read('a.crt').validTo).toBe(read('ca.crt').validTo)
})

it('tells every misuse in one line, and writes nothing', async () => {
  const wrong: [words: string[], told: string][] = [
    [['init'], 'exists already'],
    [['init', 'a'], 'it takes no names'],
    [['init', '--renew'], '--renew: certs init does not take it'],
    [['issue'], 'the names of the members are missing'],
    [['issue', 'd', '--cluster', 'x'], '--cluster: certs issue does not take it'],
    [['issue', 'ca'], "the name of the authority's files"],
    [['issue', '../d'], '"../d" is not a name'],
    [['issue', 'd', '--days', '1.5'], '--days: it is not a whole number'],
    [['issue', 'd', '--address', 'host'], '--address: "host" is not an IP address'],
    [['isue', 'd'], 'Did you mean issue?'],
  ]
  for (const [words, told] of wrong) {
    const { code, out, err } = await certs(...words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(USAGE_ERROR)
    expect(err).toContain(told)
  }
  expect(existsSync(join(folder, 'd.crt'))).toBe(false)
})

it('refuses an authority that is missing, of another key, or no certificate', async () => {
  const missing = await shell('certs', 'issue', 'a', '--folder', join(folder, 'none'))
  expect(missing.err).toContain('certs init --folder')
  const key = readFileSync(join(folder, 'ca.key'))
  writeFileSync(join(folder, 'ca.key'), readFileSync(join(folder, 'b.key')))
  expect((await certs('issue', 'e')).err).toMatch(
    /ca\.key: it is not the key of .*ca\.crt\. Restore/,
  )
  writeFileSync(join(folder, 'ca.key'), 'nonsense')
  expect((await certs('issue', 'e')).err).toMatch(/ca\.crt: it or its key is not in PEM/)
  writeFileSync(join(folder, 'ca.key'), key)
  expect((await certs('issue', 'e')).code).toBe(0)
})
