import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { reproduction, type StoredResult } from '../../../src/experiment/report/reproduction.ts'
import { sample } from '../../support/campaign.ts'
import { builtShell } from '../../support/run-command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = join(root, 'experiments')
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort()
const scratch = mkdtempSync(join(tmpdir(), 'conclave-experiments-'))
afterAll(() => rmSync(scratch, { recursive: true }))

function keptOf(name: string): StoredResult {
  return JSON.parse(readFileSync(join(folder, 'results', name, 'findings.json'), 'utf8'))
}

describe.each(sample(names, 16))('experiments/%s.ts', (name) => {
  it('confirms its claims in a quick run', async () => {
    const words = ['experiment', `${folder}/${name}.ts`, '--quick', '--json', '--workers', '1']
    const { code, out, err } = await builtShell(...words)
    expect(err).toBe('')
    const { claims } = JSON.parse(out)
    expect(claims.filter(({ holds }: { holds: boolean }) => !holds)).toEqual([])
    expect(claims.length).toBeGreaterThan(0)
    expect(code).toBe(0)
    const kept = keptOf(name)
    const says = (its: StoredResult['claims']) => its.map((claim) => claim.says)
    expect(says(kept.claims), 'run npm run experiments').toEqual(says(claims))
    expect(kept.claims.every(({ holds }) => holds)).toBe(true)
  })
})

it('docs/reproduction.md shows all of them', () => {
  const page = readFileSync(join(root, 'docs/reproduction.md'), 'utf8')
  expect(page).toBe(reproduction(names.map((name) => [name, keptOf(name)])))
})

describe('results.csv has the same bytes', () => {
  const flags = ['experiment', 'lcr', '--sweep', 'n=2..12', '--sweep', 'delay=unit,uniform:1:5']
  const whole = [...flags, '--repeat', '4', '--seed', '9']
  const csvIn = (out: string) => readFileSync(join(scratch, out, 'results.csv'), 'utf8')
  const run = async (out: string, ...more: string[]) => {
    const { code, err } = await builtShell(...whole, '--out', join(scratch, out), ...more)
    expect([code, err]).toEqual([0, ''])
    return csvIn(out)
  }

  it('with one worker and two, as a whole and merged from shards', async () => {
    const one = await run('one', '--workers', '1')
    expect(one.split('\n')).toHaveLength(1 + 11 * 2 * 4 + 1)
    expect(await run('two', '--workers', '2')).toBe(one)
    const shares = ['1/2', '2/2']
    for (const [i, share] of shares.entries()) await run(`share${i}`, '--shard', share)
    const folders = shares.map((_, i) => join(scratch, `share${i}`))
    const merged = join(scratch, 'merged')
    expect((await builtShell('experiment', 'merge', ...folders, '--out', merged)).code).toBe(0)
    expect(csvIn('merged')).toBe(one)
  })
})
