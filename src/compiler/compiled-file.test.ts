import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compiledFile } from './compiled-file.ts'

const scratch = mkdtempSync(join(tmpdir(), 'conclave-compiled-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const before = process.env.XDG_CACHE_HOME
let cache: string
beforeEach(() => {
  process.env.XDG_CACHE_HOME = mkdtempSync(join(scratch, 'cache-'))
  cache = join(process.env.XDG_CACHE_HOME, 'conclave')
})
afterEach(() => {
  if (before === undefined) delete process.env.XDG_CACHE_HOME
  else process.env.XDG_CACHE_HOME = before
})

function file(name: string, text: string): string {
  const path = join(scratch, name)
  writeFileSync(path, text)
  return path
}

/** Marks the code in the cache, to see whether it is used. */
function mark(): void {
  const [name] = readdirSync(cache)
  const entry = JSON.parse(readFileSync(join(cache, name), 'utf8'))
  entry.compiled.code = 'marked'
  writeFileSync(join(cache, name), JSON.stringify(entry))
}

const isMarked = async (path: string, types = true) =>
  (await compiledFile(path, types)).code === 'marked'

describe('compiled code is found again', () => {
  it('for the same content, until it or an import changes', async () => {
    const other = file('other.ts', 'export const other = 1\n')
    const path = file('mine.ts', "import { other } from './other.ts'\nexport const mine = other\n")
    await compiledFile(path, true)
    mark()
    expect(await isMarked(path)).toBe(true)
    file('mine.ts', "import { other } from './other.ts'\nexport const mine = other + 1\n")
    expect(await isMarked(path)).toBe(false)
    mark()
    expect(await isMarked(path)).toBe(true)
    writeFileSync(other, 'export const other = 2\n')
    expect(await isMarked(path)).toBe(false)
  })

  it('with types only if they were checked', async () => {
    const path = file('untyped.ts', "export const wrong: number = 'text'\n")
    await compiledFile(path, false)
    mark()
    expect(await isMarked(path, false)).toBe(true)
    await expect(compiledFile(path, true)).rejects.toThrow(/untyped\.ts:1:14: .*"string"/)
  })

  it('unless the entry is damaged', async () => {
    const path = file('damaged.ts', 'export const one = 1\n')
    const { code } = await compiledFile(path, true)
    const [name] = readdirSync(cache)
    for (const damage of ['', '{', '{}', '{"layout":1}', 'null', '[]']) {
      writeFileSync(join(cache, name), damage)
      expect((await compiledFile(path, true)).code).toBe(code)
    }
  })
})

it('a folder that cannot be written is done without', async () => {
  process.env.XDG_CACHE_HOME = file('not-a-folder', '')
  const path = file('kept.ts', 'export const one = 1\n')
  expect((await compiledFile(path, true)).code).toContain('one = 1')
  process.env.XDG_CACHE_HOME = mkdtempSync(join(scratch, 'locked-'))
  chmodSync(process.env.XDG_CACHE_HOME, 0o500)
  expect((await compiledFile(path, true)).code).toContain('one = 1')
})

it('entries are private, and the oldest are removed', async () => {
  const path = file('many.ts', 'export const one = 1\n')
  await compiledFile(path, true)
  const [name] = readdirSync(cache)
  expect(statSync(cache).mode & 0o077).toBe(0)
  expect(statSync(join(cache, name)).mode & 0o077).toBe(0)
  for (let i = 0; i < 320; i++) {
    const old = join(cache, `${i}.json`)
    writeFileSync(old, '{}')
    utimesSync(old, i, i)
  }
  await compiledFile(file('newest.ts', 'export const two = 2\n'), true)
  const left = readdirSync(cache)
  expect(left).toHaveLength(300)
  expect(left).toContain(name)
  expect(left).not.toContain('0.json')
  expect(left).toContain('319.json')
})
