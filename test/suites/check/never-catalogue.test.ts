import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import { check, type ExplorationOptions } from '../../../src/api/check.ts'
import { IdPermutations, inNeither, type NeverHappened } from '../../../src/check/index.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import { sample } from '../../support/campaign.ts'
import { named } from '../../support/random-worlds.ts'

const page = readFileSync(
  fileURLToPath(new URL('../../../docs/checking.md', import.meta.url)),
  'utf8',
)
const [, section] = page.split('\n## What never happened\n')
/** By algorithm: the names of what the page says never happens, and why. */
const excepted = new Map(
  [
    ...section.split('\n## ')[0].matchAll(/^\| ([a-z][a-z-]*) +\| ([^|]+?) +\| ([^|]+?) +\|$/gm),
  ].map(([, name, never, why]) => [name, { never: never.split(', '), why }] as const),
)

const MOST_STATES = 20_000

/** What does not happen with any arrangement of ids, and whether all was explored. */
function neverIn(algorithm: Algorithm): { never: NeverHappened; exhausted: boolean } {
  const { needs, problem } = algorithm
  const n = needs.topology === 'complete' ? 3 : 4
  const all = [...Array(n).keys()]
  const permutations =
    needs.ids === undefined ? IdPermutations.single(n) : new IdPermutations(n, all)
  const options = {
    ...{ n, states: MOST_STATES },
    ...(needs.time !== 'rounds' && algorithm.meet === null && { order: needs.order ?? 'any' }),
    ...(needs.time === 'bounded delay' && { mode: 'clocked:2' }),
    ...(problem?.terms && { bound: { term: 2 } }),
  } as const
  let never: NeverHappened | null = null
  for (let i = 0; i < permutations.count; i++) {
    const ids = needs.ids !== undefined && { ids: permutations.at(i) }
    const result = check(algorithm, { ...options, ...ids } as ExplorationOptions)
    never = never === null ? result.never : inNeither(never, result.never)
    if (!result.exhausted) return { never, exhausted: false }
    if (namesIn(never).length === 0) break
  }
  return { never: never!, exhausted: true }
}

function namesIn({ messages, timers, faults, properties }: NeverHappened): string[] {
  const unhandled = [...new Set([...messages.sent, ...messages.handled])]
  return [...unhandled, ...timers, ...[...faults, ...properties].map(({ name }) => `"${name}"`)]
}

it('the page names only algorithms of the catalogue, each with a reason', () => {
  expect(excepted.size).toBeGreaterThan(0)
  for (const [name, { why }] of excepted) {
    expect(catalogue.map((it) => it.name)).toContain(name)
    expect(why).toMatch(/\w{4}/)
  }
})

it.each(named(sample(catalogue, 6)))(
  '%s: by default all happens but what the page names',
  (name) => {
    const { never, exhausted } = neverIn(catalogue.find((it) => it.name === name)!)
    const told = excepted.get(name)?.never ?? []
    const found = namesIn(never).sort()
    if (exhausted) expect(found).toEqual([...told].sort())
    else if (found.length > 0) expect(excepted.get(name)?.why).toMatch(/^Not exhausted/)
  },
)
