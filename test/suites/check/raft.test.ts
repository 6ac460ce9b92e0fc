import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, experiment, simulate, type TraceEvent } from 'conclave'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import raft from '../../../examples/raft.ts'
import type { CheckReport } from '../../../src/cli/check/explore.ts'
import { campaign } from '../../support/campaign.ts'
import { builtShell } from '../../support/run-command.ts'

const path = fileURLToPath(new URL('../../../examples/raft.ts', import.meta.url))
const ONE = 'one leader per term'

/** A reader of traces of its own: the terms in which more than one node led. */
function sharedTerms(events: readonly TraceEvent[]): number[] {
  const leaders = new Map<number, Set<number>>()
  for (const event of events) {
    if (event.event !== 'lead' || event.term === undefined) continue
    leaders.set(event.term, (leaders.get(event.term) ?? new Set()).add(event.node))
  }
  return [...leaders].filter(([, nodes]) => nodes.size > 1).map(([term]) => term)
}

describe("Raft's election", () => {
  it('has one leader per term whatever is lost, repeated and overtaken, with a crash', () => {
    const world = { n: 3, links: 'lossy', bound: { term: 2 } } as const
    const { holds, exhausted, bounds, properties } = check(raft, { ...world, crashes: 1 })
    expect({ holds, exhausted }).toEqual({ holds: true, exhausted: true })
    expect(bounds).toEqual({ of: { term: 2 }, enough: false })
    expect(properties.map(({ name }) => name)).toEqual([ONE])
    const again = { ...world, bound: { term: 1 }, crashes: 1, recoveries: 1 }
    expect(check(raft, again)).toMatchObject({ holds: true, exhausted: true })
  })

  it('leads at the times that its delays give', () => {
    // Timeouts 12, 15, 17, 19 and 20: the first asks, and has all votes two delays later.
    const first = simulate(raft, { n: 5, coins: '0:2;1:5;2:7;3:9;4:10', until: 200 })
    expect(first.leads).toEqual([{ time: 14, node: 0, term: 1 }])
    expect(first.messages.byType).toMatchObject({ vote: 4, voted: 4 })
    // Four nodes all at 12 split the votes; then 11, 15, 17 and 19.
    const split = simulate(raft, { n: 4, coins: '0:2,1;1:2,5;2:2,7;3:2,9', until: 200 })
    expect(split.leads).toEqual([{ time: 25, node: 0, term: 2 }])
    expect(split.verdict.ok).toBe(true)
  })

  it('never has two leaders in a term, with crashes, loss and partitions', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 2, max: 6 }),
        fc.constantFrom(0, 0.1, 0.4),
        fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 5, max: 200 })), { maxLength: 3 }),
        (seed, n, loss, faults) => {
          const events: TraceEvent[] = []
          const crashes = faults.filter(([node]) => node < n)
          const down = new Map(crashes)
          const result = simulate(raft, {
            ...{ n, seed, loss, until: 600, delay: 'uniform:1:3', detect: 'off' },
            crash: [...down].map(([node, at]) => ({ node, at })),
            recover: [...down].map(([node, at]) => ({ node, at: at + 40 })),
            partition: `0/${Array.from({ length: n - 1 }, (_, i) => i + 1)}@100..200`,
            trace: (event) => events.push(event),
          })
          expect(sharedTerms(events)).toEqual([])
          const one = result.verdict.properties.find(({ name }) => name === ONE)
          expect(one?.holds).toBe(true)
          const led = events.filter(({ event }) => event === 'lead')
          expect(result.leads?.length ?? 0).toBe(led.length)
        },
      ),
      { numRuns: campaign(300) },
    )
  })

  it('is stable again after the last fault, without loss', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { verdict, time } = simulate(raft, {
        ...{ n: 5, seed, until: 1000, detect: 'off' },
        crash: '0@60,1@80',
        recover: '0@150',
        partition: '2/0,1,3,4@200..300',
      })
      expect(verdict.ok).toBe(true)
      expect(time.stable).toBeLessThan(500)
    }
  })

  it('is measured', async () => {
    const { rows } = await experiment(raft, {
      ...{ sweep: { n: [3, 5] }, repeat: 5, until: 200 },
      measures: ['time.stable', 'term', 'messages'],
    })
    expect(rows).toHaveLength(10)
    for (const { values, ok } of rows) {
      const [stable, term] = values
      expect(stable).toBeGreaterThanOrEqual(12)
      expect(term).toBeGreaterThanOrEqual(1)
      expect(ok).toBe(true)
    }
  })
})

describe('a mistake in it', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'raft-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const mistakes = [
    {
      bug: 'votes twice in a term',
      right: '      if (my.voted !== null && my.voted !== id) return\n',
      wrong: '',
      flags: '--bound term=1',
    },
    {
      bug: 'forgets its vote in a crash',
      right: 'voted: stable(maybe(uid))',
      wrong: 'voted: maybe(uid)',
      flags: '--bound term=1 --crashes 1 --recoveries 1',
    },
    {
      bug: 'counts votes of older terms',
      right: 'if (!my.candidate || term !== my.term) return',
      wrong: 'if (!my.candidate) return',
      flags: '--bound term=2',
    },
    {
      bug: 'takes half of the votes for enough',
      right: 'my.votes.size + 1 <= net.n / 2',
      wrong: 'my.votes.size + 1 < net.n / 2',
      flags: '--bound term=1 -n 2',
    },
  ]

  it.each(mistakes)('is found: it $bug', async ({ bug, right, wrong, flags }) => {
    const source = readFileSync(path, 'utf8')
    expect(source.split(right)).toHaveLength(2)
    const file = join(folder, `${bug.replaceAll(' ', '-')}.ts`)
    writeFileSync(file, source.replace(right, wrong))
    const size = flags.includes('-n') ? '' : '-n 3 '
    const line = `${size}${flags} --links lossy --no-types --json`
    const { code, out } = await builtShell('check', file, ...line.split(' '))
    const { violated } = JSON.parse(out) as CheckReport
    expect(violated?.property).toBe(ONE)
    expect(violated?.shortest).toBe(true)
    expect(code).toBe(1)
    const fixed = await builtShell('check', path, ...line.split(' '))
    expect(JSON.parse(fixed.out)).toMatchObject({ exhausted: true, violated: null })
  })
})
