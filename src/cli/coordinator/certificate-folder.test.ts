import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { shell } from '../../../test/support/run-command.ts'
import { certificatesIn } from './certificate-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-certificates-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('certificates that are replaced are read again, once all of them fit', async () => {
  await shell('certs', 'init', '--folder', folder)
  await shell('certs', 'issue', 'a', '--folder', folder)
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

  await shell('certs', 'issue', 'a', '--folder', folder, '--renew')
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

it('a key of another certificate is refused at the start', async () => {
  const other = mkdtempSync(join(tmpdir(), 'conclave-certificates-'))
  await shell('certs', 'init', '--folder', other)
  await shell('certs', 'issue', 'a', 'b', '--folder', other)
  writeFileSync(join(other, 'a.key'), readFileSync(join(other, 'b.key')))
  expect(() => certificatesIn(other, 'a', '--tls')).toThrow(/^--tls: the certificates cannot be/)
  rmSync(other, { recursive: true })
})
