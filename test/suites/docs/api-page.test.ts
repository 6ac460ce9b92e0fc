import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  check,
  experiment,
  join as joinCluster,
  simulate,
  type UsageError,
} from '../../../src/index.ts'
import { codeBlocks } from '../../support/console-blocks.ts'
import { exportsOf, publicModules } from '../../support/public-exports.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(join(root, 'docs/api.md'), 'utf8')
const modules = [...publicModules()]

/** The names in the first column of the tables of a section, and what each row says of them. */
function documented(module: string): { name: string; says: string }[] {
  const section = page.split(`\n## Exports of ${module}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| (`[^|]*)\|([^|]*)\|$/gm)].flatMap(([, names, says]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => ({ name, says: says.trim() })),
  )
}

describe.each(modules)('%s', (module, file) => {
  const exported = exportsOf(file)

  it('exports exactly what docs/api.md lists, types included', () => {
    const names = documented(module).map(({ name }) => name)
    expect(names.toSorted()).toEqual(exported.map(({ name }) => name).toSorted())
  })

  it('has a sentence on each export in docs/api.md', () => {
    const speechless = documented(module).filter(({ says }) => !/^[A-Z].*\.$/.test(says))
    expect(speechless).toEqual([])
  })

  it('has a comment on each export in its source', () => {
    const bare = exported.filter(({ says }) => says === '')
    expect(bare.map(({ name, file }) => `${file}: ${name}`)).toEqual([])
  })

  it('exports what its source says, as it is built', async () => {
    const built = file.replace(/^src\/(.*)\.ts$/, 'dist/$1')
    const values = Object.keys(await import(join(root, `${built}.js`)))
    const expected = exported.filter(({ kind }) => kind !== 'type').map(({ name }) => name)
    // A class may be exported as a type alone.
    expect(expected).toEqual(expect.arrayContaining(values))
    const declared = readFileSync(join(root, `${built.replace('dist', 'dist/types')}.d.ts`), 'utf8')
    const missing = expected.filter((name) => !values.includes(name))
    for (const name of missing) expect(declared).toMatch(new RegExp(`export type \\{ ${name} \\}`))
  })
})

describe('options of docs/api.md', () => {
  const unknown = { unknown: true } as never

  it.each<[string, () => unknown]>([
    ['simulate', () => simulate('lcr', unknown)],
    ['check', () => check('lcr', unknown)],
    ['experiment', () => experiment('lcr', unknown)],
    ['join', () => joinCluster('lcr', unknown)],
  ])('are all that %s has', async (name, call) => {
    const error = await Promise.resolve()
      .then(call)
      .then(String, (reason: UsageError) => reason)
    const { hint } = error as UsageError
    const options = hint.replace(/^The options are (.*)\.$/, '$1').split(', ')
    expect(options.length).toBeGreaterThan(15)
    const [shared, own] = ['simulate', name].map((one) => page.split(`\n## ${one}\n`)[1])
    const text = shared.split('\n## ')[0] + own.split('\n## ')[0]
    expect(options.filter((option) => !text.includes(`\`${option}\``))).toEqual([])
  })
})

describe('examples of docs/api.md', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(root, 'dist', 'api-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    ['gossip.mjs', /^all within \de-\d of 0\.\d{3} after \d+ messages\n$/],
    [
      'counterexample.mjs',
      /^false: "exactly one leader at the end" is broken in 9 steps\nPosition .*\.\n$/,
    ],
    ['growth.mjs', /^lcr: n\^2 \+ n\nhirschberg-sinclair: .+\n$/],
    ['engines.mjs', /^\{ election: 5, leader: 3 \}\ntrue\n$/],
  ])('%s runs', (name, says) => {
    const { code } = codeBlocks(page).find((block) => block.name === name)!
    writeFileSync(join(folder, name), code)
    const out = execFileSync(process.execPath, [join(folder, name)], { encoding: 'utf8' })
    expect(out).toMatch(says)
  })

  it('own-algorithm.ts runs', () => {
    const { code } = codeBlocks(page).find((block) => block.name === 'own-algorithm.ts')!
    const bare = code.replace('const took: boolean', 'const took')
    writeFileSync(join(folder, 'own-algorithm.mjs'), bare)
    const script = join(folder, 'own-algorithm.mjs')
    const out = execFileSync(process.execPath, [script], { encoding: 'utf8' })
    expect(out).toMatch(/^\d+ \d+ \d+ true\ntrue\n$/)
  })
})
