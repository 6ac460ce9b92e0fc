import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { sample } from '../../support/campaign.ts'
import {
  keptResult,
  type StoredResult,
  storedExperiments,
} from '../../support/reproduction-page.ts'
import { builtShell } from '../../support/run-command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = join(root, 'experiments')
const scratch = mkdtempSync(join(tmpdir(), 'conclave-experiments-'))
afterAll(() => rmSync(scratch, { recursive: true }))

describe.each(sample(storedExperiments, 24))('experiments/%s.ts', (name) => {
  it('makes the same claims in a quick run, and finds no others wrong', async () => {
    const words = ['experiment', `${folder}/${name}.ts`, '--quick', '--json', '--threads', '1']
    const { code, out, err } = await builtShell(...words)
    expect(err).toBe('')
    const { claims } = JSON.parse(out)
    expect(claims.length).toBeGreaterThan(0)
    const kept = keptResult(name)
    const says = (its: StoredResult['claims']) => its.map((claim) => claim.says)
    expect(says(kept.claims), 'run npm run experiments').toEqual(says(claims))
    const wrong = (its: StoredResult['claims']) => says(its.filter(({ holds }) => holds === false))
    expect(wrong(kept.claims)).toEqual(expect.arrayContaining(wrong(claims)))
    expect([0, wrong(claims).length > 0 ? 1 : 3]).toContain(code)
  })
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
    const one = await run('one', '--threads', '1')
    expect(one.split('\n')).toHaveLength(1 + 11 * 2 * 4 + 1)
    expect(await run('two', '--threads', '2')).toBe(one)
    const shares = ['1/2', '2/2']
    for (const [i, share] of shares.entries()) await run(`share${i}`, '--shard', share)
    const folders = shares.map((_, i) => join(scratch, `share${i}`))
    const merged = join(scratch, 'merged')
    expect((await builtShell('experiment', 'merge', ...folders, '--out', merged)).code).toBe(0)
    expect(csvIn('merged')).toBe(one)
  })
})
