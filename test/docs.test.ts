import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Algorithm } from '../src/core/index.ts'
import { flagged, prepare } from '../src/scenario/index.ts'
import { resultOf, Simulation } from '../src/sim/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const program = `${root}dist/cli/bin.js`
const update = process.env.UPDATE_DOCS === '1'

/** What differs from run to run: process numbers and CPU time. */
function steady(text: string): string {
  return text
    .replace(/[\d,.]+ ms of CPU/g, '# ms of CPU')
    .replace(/^( {2}\d+ +)\d+( +\d+ +(?:leader|lost))/gm, '$1#$2')
    .replace(/ +/g, ' ')
    .trim()
}

function answer(command: string): string {
  const words = command.split(' ').slice(2)
  try {
    return execFileSync(process.execPath, [program, ...words], { encoding: 'utf8' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    if (stderr !== '') throw error
    return stdout
  }
}

describe.each(['README.md'])('%s', (name) => {
  const path = `${root}${name}`
  const pattern = /```console\n\$ (npx conclave [^\n]+)\n([\s\S]*?)```/g
  const blocks = [...readFileSync(path, 'utf8').matchAll(pattern)]

  it('has no placeholder left', () => {
    expect(readFileSync(path, 'utf8')).not.toMatch(/^[A-Z]+$/m)
  })

  it('has examples', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(6)
  })

  it.each(blocks.map(([, command, output]) => [command, output]))('%s', (command, output) => {
    const real = answer(command)
    if (update) {
      const text = readFileSync(path, 'utf8')
      writeFileSync(
        path,
        text.replace(`$ ${command}\n${output}`, () => `$ ${command}\n${real}`),
      )
    } else expect(steady(output)).toBe(steady(real))
  })

  it('shows the picture that the tool draws', () => {
    const [, flags, file] = /npx conclave (run [^`]*) --svg ([^`]+)`/.exec(
      readFileSync(path, 'utf8'),
    )!
    const drawn = `${mkdtempSync('/tmp/conclave-docs-')}/drawn.svg`
    execFileSync(process.execPath, [
      program,
      ...flags.split(' '),
      '--svg',
      update ? `${root}${file}` : drawn,
    ])
    if (!update) expect(readFileSync(`${root}${file}`, 'utf8')).toBe(readFileSync(drawn, 'utf8'))
  })
})

describe('code in the documents', () => {
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(`${root}src/algorithms/example-`)
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('CONTRIBUTING.md: the example elects, with the messages that it says', async () => {
    const [, code] = /```ts\n([\s\S]*?)```/.exec(readFileSync(`${root}CONTRIBUTING.md`, 'utf8'))!
    writeFileSync(`${folder}/smallest-first.ts`, code.replaceAll(/^ {3}/gm, ''))
    const module: Record<string, Algorithm> = await import(`${folder}/smallest-first.ts`)
    const given = { ids: '1,2,3,4,5' }
    const { world, conditions, properties } = prepare(given, module.smallestFirst, flagged)
    const simulation = new Simulation(world, conditions, properties)
    const result = resultOf(simulation, simulation.finish())
    expect(result.leader?.id).toBe(1)
    expect(result.messages.byType).toEqual({ election: 15, leader: 5 })
    expect(result.verdict.ok).toBe(true)
  })

  it('README.md: the algorithm shown is the one that runs', () => {
    const [, code] = /```ts\n([\s\S]*?)}\)\n```/.exec(readFileSync(`${root}README.md`, 'utf8'))!
    const source = readFileSync(`${root}src/algorithms/ring/lcr.ts`, 'utf8')
    const plain = (text: string) => text.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/\s+/g, ' ')
    expect(plain(source)).toContain(plain(code).trim())
  })

  it('README.md: the library example runs against the built package', () => {
    const blocks = readFileSync(`${root}README.md`, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)
    const [code] = [...blocks]
      .map(([, text]) => text)
      .filter((text) => text.includes('conclave/check'))
    const script = `${folder}/library.mjs`
    writeFileSync(script, code)
    expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toMatch(/^\d+ true\n$/)
  })
})
