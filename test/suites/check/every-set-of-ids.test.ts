import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { AllReport } from '../../../src/cli/check/all-permutations.ts'
import { Random } from '../../../src/core/index.ts'
import { campaign } from '../../support/campaign.ts'
import { ringProtocol, violatedWith } from '../../support/naive-explorer.ts'
import { type RandomDefinition, randomDefinition } from '../../support/random-definitions.ts'
import { builtShell } from '../../support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-random-definitions-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Other ids of all sizes, in any order. */
const SETS = 12

async function reported(number: number, { source, n }: RandomDefinition): Promise<AllReport> {
  const file = join(folder, `random-${number}.js`)
  writeFileSync(file, source)
  const flags = ['-n', String(n), '--ids', 'all', '--no-types', '--states', '1500', '--json']
  const { out, err } = await builtShell('check', file, ...flags)
  expect(err, source).toBe('')
  return JSON.parse(out)
}

describe('random definitions', () => {
  it('hold with random ids wherever check says so of other ids', async () => {
    const random = Random.from(15).split('definitions')
    const wanted = campaign(250)
    let claims = 0
    let refused = 0
    for (let number = 0; claims < wanted; number++) {
      const definition = randomDefinition(random)
      const { source, n, computes } = definition
      const report = await reported(number, definition)
      const { violated, coverage, exhausted } = report
      const protocol = ringProtocol(source)
      // The two explorers agree on the ids that both have tried.
      if (number % 10 === 0 && exhausted && violated === null)
        for (const ids of orders(n))
          expect(violatedWith(protocol, ids).violated.size, source).toBe(0)
      const evidence = coverage.ids?.evidence
      if (violated !== null && coverage.ids) refused++
      if (violated !== null || !exhausted) continue
      if (evidence === 'none') {
        expect(computes, source).toBe(true)
        refused++
        continue
      }
      claims++
      for (let set = 0; set < SETS; set++) {
        const ids = randomIds(n, random)
        const { violated } = violatedWith(protocol, ids)
        expect([...violated], `${ids}\n${source}`).toEqual([])
      }
    }
    // And it does not say so of everything.
    expect(refused).toBeGreaterThan(wanted / 20)
  }, 600_000)
})

function orders(n: number): number[][] {
  if (n === 2)
    return [
      [1, 2],
      [2, 1],
    ]
  return [
    [1, 2, 3],
    [1, 3, 2],
    [2, 1, 3],
    [2, 3, 1],
    [3, 1, 2],
    [3, 2, 1],
  ]
}

function randomIds(n: number, random: Random): number[] {
  const ids = new Set<number>()
  while (ids.size < n) ids.add(random.below(2 ** (2 + random.below(50))))
  return [...ids]
}
