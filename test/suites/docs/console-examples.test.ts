import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { presented } from '../../../src/cli/terminal/terminal.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import { flagged, prepare } from '../../../src/scenario/index.ts'
import { resultOf, simulationOf } from '../../../src/sim/index.ts'
import { sample } from '../../support/campaign.ts'
import {
  CONSOLE_PAGES,
  type ConsoleBlock,
  codeBlocks,
  consoleBlocks,
  expectPasted,
  folderOf,
  picturesIn,
  update,
  wordsOf,
} from '../../support/console-blocks.ts'
import { builtShell } from '../../support/run-command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const program = `${root}dist/cli/bin.js`
const read = (name: string) => readFileSync(`${root}${name}`, 'utf8')

/** The guides are tried in turn; the long tests try all of them, and so does `npm run docs`. */
const [README, ...GUIDES] = CONSOLE_PAGES
const PAGES = [README, ...(update ? GUIDES : sample(GUIDES, 5))]

/**
 * What the built program prints in a folder. It runs in this process, which has the compiler
 * loaded; suites of the command line start it as users do.
 */
async function answer(block: ConsoleBlock, folder: string): Promise<string> {
  const here = process.cwd()
  process.chdir(folder)
  try {
    const { code, out, err } = await builtShell(...wordsOf(block))
    // A document may show how a mistake is told, and nothing but it.
    const mistake = code === 2 && out === ''
    if (code !== 0 && err !== '' && !mistake) throw new Error(err)
    return presented(mistake ? err : out, { unicode: true }, () => 'npx conclave', process.platform)
  } finally {
    process.chdir(here)
  }
}

describe.each(PAGES)('%s', (name) => {
  const path = `${root}${name}`
  const page = read(name)
  const blocks = consoleBlocks(page)
  let folder: string

  beforeAll(() => {
    folder = folderOf(page)
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it('has no placeholder left', () => {
    expect(page).not.toMatch(/^[A-Z]+$/m)
  })

  it('has examples', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(1)
  })

  it.each(blocks.map((block) => [block.command, block] as const))('%s', async (_, block) => {
    expectPasted(path, block, await answer(block, folder))
  })
})

describe('README.md', () => {
  it('shows the picture that the tool draws', () => {
    const [{ words, file }] = picturesIn(read('README.md'))
    const drawn = `${mkdtempSync('/tmp/conclave-docs-')}/drawn.svg`
    const target = update ? `${root}${file}` : drawn
    execFileSync(process.execPath, [program, ...words, '--svg', target])
    if (!update) expect(read(file)).toBe(readFileSync(drawn, 'utf8'))
  })

  it('shows the algorithm that runs', () => {
    const [{ code }] = codeBlocks(read('README.md')).filter(({ code }) => /= algorithm/.test(code))
    const bare = (text: string) => text.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/\s+/g, ' ')
    const shown = bare(code)
      .replace(/^import .*? from '.*?'/, '')
      .replace(/\}\) $/, '')
    expect(bare(read('src/algorithms/ring/lcr.ts'))).toContain(shown.trim())
  })
})

describe('code in the documents', () => {
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(`${root}src/algorithms/example-`)
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('CONTRIBUTING.md: the example elects, with the messages that it says', async () => {
    const [, code] = /```ts\n([\s\S]*?)```/.exec(read('CONTRIBUTING.md'))!
    writeFileSync(`${folder}/smallest-first.ts`, code.replaceAll(/^ {3}/gm, ''))
    const module: Record<string, Algorithm> = await import(`${folder}/smallest-first.ts`)
    const given = { ids: '1,2,3,4,5' }
    const { world, conditions, properties } = prepare(given, module.smallestFirst, flagged)
    const simulation = simulationOf(world, conditions, properties)
    const result = resultOf(simulation, simulation.finish())
    expect(result.leader?.id).toBe(1)
    expect(result.messages.byType).toEqual({ election: 15, leader: 5 })
    expect(result.verdict.ok).toBe(true)
  })

  it.each([
    [
      'README.md',
      'library.mjs',
      /^id 3 leads after 11 messages\n1972 states, every property holds: true\n30 runs measured\n$/,
    ],
    ['docs/experiments.md', 'growth.mjs', /^5 n log2 n\n$/],
  ])('%s: %s runs against the built package', (page, name, said) => {
    const block = codeBlocks(read(page)).find((one) => one.name === name)!
    const script = `${folder}/${name}`
    writeFileSync(script, block.code)
    expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toMatch(said)
  })
})
