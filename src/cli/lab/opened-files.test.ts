import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openedFiles } from './opened-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-opened-'))
afterAll(() => rmSync(folder, { recursive: true }))
const rings = join(folder, 'rings.ts')
copyFileSync(new URL('../../../test/fixtures/own-rings.ts', import.meta.url), rings)
const file = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('the files that the lab opens', () => {
  it('are a scenario without comments and the own algorithm that it names', async () => {
    const scenario = file('a.json', '{ "algorithm": "./rings.ts#second", // own\n "n": 4, }')
    const [shown, code] = await openedFiles([scenario])
    expect(JSON.parse(shown.text)).toEqual({ algorithm: 'rings.ts#second', n: 4 })
    expect(code.name).toBe('rings.ts#second')
    expect(code.text).toContain("export const second = election('second')")
  })

  it('have the links of a network, since the page reads no files', async () => {
    file('square.txt', '0-1\n1-2\n2-3\n3-0\n')
    const scenario = file('b.json', '{"algorithm": "wireless", "topology": "file:square.txt"}')
    const [{ text }] = await openedFiles([scenario])
    expect(JSON.parse(text).topology).toBe('edges:0-1,0-3,1-2,2-3')
  })

  it('have what an own file imports as a part of it', async () => {
    const importing = file('importing.ts', "export { first as default } from './rings.ts'\n")
    const [{ name, text }] = await openedFiles([importing])
    expect(name).toBe('importing.ts')
    expect(text).toMatch(/^\/\/ @ts-nocheck.*\n[\s\S]*from ["']conclave["'][\s\S]*"first"/)
    expect(text).not.toContain('./rings.ts')
  })

  it('are at most one of each kind', async () => {
    const [a, b] = [file('c.jsonl', '{}'), file('d.jsonl', '{}')]
    await expect(openedFiles([a, b])).rejects.toThrow(/cannot be opened together/)
    await expect(openedFiles([rings, rings])).rejects.toThrow(/cannot be opened together/)
    await expect(openedFiles([join(folder, 'none.json')])).rejects.toThrow(/does not exist/)
  })
})
