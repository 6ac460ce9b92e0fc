import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { quorumLease } from '../../algorithms/elections.ts'
import { fileStorage } from './file-storage.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-storage-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const node = { algorithm: quorumLease, position: 1, n: 3 }

it('keeps the last commit over restarts, each of which is another incarnation', () => {
  const first = fileStorage(folder, node)
  expect(first.stored).toBeNull()
  first.storage.commit(Uint8Array.of(1, 2, 255))
  first.storage.commit(Uint8Array.of(7, 0, 200))
  const second = fileStorage(folder, node)
  expect([...second.stored!]).toEqual([7, 0, 200])
  const third = fileStorage(folder, node)
  expect([...third.stored!]).toEqual([7, 0, 200])
  const starts = [first, second, third].map(({ incarnation }) => incarnation.split('-')[0])
  expect(starts).toEqual(['1', '2', '3'])
  expect(readdirSync(folder)).toEqual(['quorum-lease-1.json'])
})

it('makes the folder, and keeps the nodes of one folder apart', () => {
  const inner = join(folder, 'a', 'b')
  fileStorage(inner, node).storage.commit(Uint8Array.of(1))
  expect(fileStorage(inner, { ...node, position: 2 }).stored).toBeNull()
  expect([...fileStorage(inner, node).stored!]).toEqual([1])
})

it.each<[string, string, string]>([
  ['nonsense', '{"starts":', 'it does not hold the stable fields of a node'],
  ['other fields', '{"schema":"x","starts":1,"fields":"zz"}', 'does not hold the stable fields'],
  [
    'another cluster',
    '{"schema":"x of 5 nodes","starts":1,"fields":"00"}',
    'another algorithm or cluster: x of 5 nodes',
  ],
])('refuses a file with %s', (_, text, problem) => {
  writeFileSync(join(folder, 'quorum-lease-1.json'), text)
  expect(() => fileStorage(folder, node)).toThrow(problem)
})

it('says which file cannot be kept', () => {
  mkdirSync(join(folder, 'quorum-lease-1.json'))
  expect(() => fileStorage(folder, node)).toThrow(/quorum-lease-1\.json.*EISDIR/)
})
