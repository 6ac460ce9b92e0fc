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

/** An election on a ring with details at random, all of which only compare ids. */
function randomElection(random: Random): string {
  const one = (...choices: readonly string[]) => choices[random.below(choices.length)]
  const [link, better] = [one('left', 'right'), one('>', '<')]
  const [note, laps] = [one('', 'my.seen.add(id)', 'my.first ??= id'), one('0', '1')]
  return `import { algorithm, left, maybe, message, nat, right, set, uid } from 'conclave'

const TOKEN = message({ id: uid, lap: nat })
const LEADER = message({ id: uid })

export default algorithm({
  name: 'random',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { TOKEN, LEADER },
  state: { best: ${one('uid', 'maybe(uid)')}, seen: set(uid), first: maybe(uid) },
  wakes: true,
  elects: '${better === '>' ? 'largest' : 'another'}',
  start(my, net) {
    my.best = my.id
    net.send(${link}, TOKEN, { id: my.id, lap: 0 })
  },
  on: {
    TOKEN(my, { id, lap }, net) {
      ${note}
      if (id === my.id && lap === ${laps}) {
        net.lead()
        net.send(${link}, LEADER, { id })
      } else if (id === my.id) net.send(${link}, TOKEN, { id, lap: lap + 1 })
      else if (id ${better}= ${one('my.id', '(my.best ?? my.id)')}) {
        ${one('my.best = id', '')}
        net.send(${link}, TOKEN, { id, lap })
      }
    },
    LEADER(my, { id }, net) {
      if (id !== my.id) {
        net.follow(id)
        net.send(${link}, LEADER, { id })
      }
      net.stop()
    },
  },
})
`
}

describe('random elections in TypeScript', () => {
  it('are proved to only compare ids, and elect with any', async () => {
    const random = Random.from(16).split('elections')
    for (let number = 0; number < campaign(20); number++) {
      const source = randomElection(random)
      const file = join(folder, `election-${number}.ts`)
      writeFileSync(file, source)
      const { out, err } = await builtShell('check', file, '-n', '3', '--ids', 'all', '--json')
      expect(err, source).toBe('')
      const { coverage, holds } = JSON.parse(out)
      expect([holds, coverage.ids.evidence], source).toEqual([true, 'proved'])
      const election = { ...ringProtocol(source), problem: { properties: [agreement] } }
      for (let set = 0; set < SETS; set++) {
        const ids = set === 0 ? [0, 2, 1] : randomIds(3, random)
        expect([...violatedWith(election, ids).violated], `${ids}\n${source}`).toEqual([])
      }
    }
  }, 600_000)
})

const agreement = {
  name: 'one leader at the end, whom all follow',
  when: 'at the end',
  broken({ leaders, state }: Judged) {
    const agreed =
      leaders.length === 1 && [0, 1, 2].every((node) => state(node).leader === state(leaders[0]).id)
    return agreed ? null : 'no agreement'
  },
}

it('a constant is found by the explorer that the others are tried with', () => {
  const source = randomElection(Random.from(1)).replace(
    'if (id === my.id &&',
    'if (id == 77) return\n$&',
  )
  const protocol = { ...ringProtocol(source), problem: { properties: [agreement] } }
  expect(violatedWith(protocol, [5, 6, 7]).violated.size).toBe(0)
  expect(
    violatedWith(protocol, [77, 6, 7]).violated.size +
      violatedWith(protocol, [77, 78, 79]).violated.size,
  ).toBe(1)
})

interface Judged {
  readonly leaders: readonly number[]
  state(node: number): { readonly id: number; readonly leader: number | null }
}

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
