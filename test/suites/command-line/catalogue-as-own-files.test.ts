import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as elections from '../../../src/algorithms/elections.ts'
import { sample } from '../../support/campaign.ts'
import { possibleSize } from '../../support/random-worlds.ts'
import { builtShell } from '../../support/run-command.ts'

const CATALOGUE = fileURLToPath(new URL('../../../src/algorithms', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'conclave-own-catalogue-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** The catalogue as a user would have written it: its sources import conclave alone. */
beforeAll(() => {
  cpSync(CATALOGUE, scratch, { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  const files = readdirSync(scratch, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const path = join(scratch, file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      source.replace(/from '(\.\.\/)+(?:core|problems)\/[^']*'/g, "from 'conclave'"),
    )
  }
})

/** The reference `path#export` of the copy of an algorithm. */
function referenceOf(exported: string): string {
  const files = readdirSync(scratch, { recursive: true, encoding: 'utf8' })
  const file = files.find(
    (name) =>
      name.endsWith('.ts') &&
      new RegExp(`export const ${exported}\\b`).test(readFileSync(join(scratch, name), 'utf8')),
  )
  expect(file, exported).toBeDefined()
  return `${join(scratch, file as string)}#${exported}`
}

/** What must be equal: all but the time that it took and the name that was given. */
async function resultOf(...words: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await builtShell(...words, '--json')
  expect([code, err], words.join(' ')).toEqual([0, ''])
  const { speed: _, algorithm: __, scenario, ...result } = JSON.parse(out)
  return { ...result, scenario: { ...scenario, algorithm: '' } }
}

/** Those that come to an end. */
const ending = Object.entries(elections).filter(([, { quiet }]) => quiet === null)

describe.each(sample(ending, 6))('%s in an own file', (exported, { name, needs }) => {
  const timing = needs.time === 'rounds' ? ['--timing', 'sync'] : []

  it('runs with the counts of the catalogue', async () => {
    // The default limit on messages is lower for own files.
    const n = String(possibleSize({ needs }, 6))
    const flags = ['-n', n, '--seed', '3', '--max-messages', '1000000', ...timing]
    const own = await resultOf('run', referenceOf(exported), ...flags)
    expect(own).toEqual(await resultOf('run', name, ...flags))
  })

  it('is checked with the states of the catalogue', async () => {
    const draws = needs.coins ? ['--draws', '2'] : []
    const rounds = needs.time === 'rounds' ? ['--mode', 'clocked:1'] : []
    const n = String(possibleSize({ needs }, 3))
    const flags = ['-n', n, '--seed', '3', ...draws, ...rounds]
    const both = [name, referenceOf(exported)].map((what) =>
      builtShell('check', what, ...flags, '--json'),
    )
    const [of, own] = await Promise.all(both)
    expect([own.code, own.err]).toEqual([of.code, of.err])
    const { states, transitions, depth, properties } = JSON.parse(of.out)
    expect(JSON.parse(own.out)).toMatchObject({ states, transitions, depth, properties })
  })
})
