import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { preparation, simulate } from '../../../test/support/random-worlds.ts'
import { expectUsageError, shellJson } from '../../../test/support/run-command.ts'
import { stabilizing } from '../../algorithms/graph/stabilizing.ts'
import {
  algorithm,
  flag,
  incarnation,
  link,
  list,
  map,
  maybe,
  message,
  nat,
  oneOf,
  pair,
  real,
  record,
  set,
  stable,
  uid,
} from '../../core/index.ts'
import { linksOf } from '../../core/language/topology.ts'
import { leaderElection, selfStabilization } from '../../problems/index.ts'
import type { RunResult } from '../../sim/index.ts'

const ANY = message({ id: uid, count: nat, words: list(oneOf('a', 'b')) })

/** A field of every type. */
const everything = algorithm({
  name: 'everything',
  needs: { topology: 'any', ids: 'unique' },
  messages: { ANY },
  state: {
    ...{ a: uid, b: nat, c: link, d: real, e: flag, f: incarnation, g: oneOf('x', 'y', 'z') },
    ...{ h: maybe(nat), i: list(uid), j: pair(nat, uid), k: record({ one: nat, two: flag }) },
    ...{ l: set(link), m: map(link, pair(uid, nat)), n: stable(maybe(uid)) },
  },
  wakes: true,
  problem: selfStabilization,
  start() {},
  on: { ANY() {} },
})

describe('a corrupted start', () => {
  it('draws every field from its type, and messages that are in flight', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.integer({ min: 1, max: 6 }), (corrupt, n) => {
        const { world } = preparation(everything, { topology: `path:${n}`, corrupt })
        const { fields, messages } = world.corrupted!
        expect(fields).toHaveLength(n)
        for (const [node, values] of fields.entries()) {
          for (const [name, type] of Object.entries(everything.layout.own))
            expect(type.check(values[name], name)).toBe(null)
          const links = linksOf(world.topology, node)
          if (links.length > 0) expect(links).toContain(values.c)
          expect(values.a).toBeLessThanOrEqual(2 * n)
          expect(values.b).toBeLessThanOrEqual(2 * n)
          expect([...(values.l as Set<number>)].every((one) => links.includes(one))).toBe(true)
        }
        expect(messages.length).toBeLessThanOrEqual(2 * (n - 1))
        for (const { kind, body } of messages)
          for (const [name, type] of Object.entries(everything.kinds[kind].codec.fields))
            expect(type.check(body[name], name)).toBe(null)
      }),
      { numRuns: campaign(800) },
    )
  })

  it('depends on its seed and on nothing else', () => {
    const start = (corrupt: number, more: object = {}) =>
      preparation(stabilizing, { topology: 'ring:6', corrupt, ...more }).world.corrupted
    expect(start(3)).toEqual(start(3, { delay: 'uniform:1:5' }))
    expect(start(3)).not.toEqual(start(4))
  })

  it('is the same run each time, since nothing that is drawn is changed', () => {
    const { world } = preparation(stabilizing, { topology: 'ring:6', corrupt: 3 })
    const before = JSON.stringify([...(world.corrupted!.fields[0].table as Map<number, unknown>)])
    const given = { topology: 'ring:6', corrupt: 3, until: 30 }
    expect(simulate(stabilizing, given)).toEqual(simulate(stabilizing, given))
    const after = JSON.stringify([...(world.corrupted!.fields[0].table as Map<number, unknown>)])
    expect(after).toBe(before)
  })

  it('has its messages delivered, and recorded as sent before the start', async () => {
    const { messages } = preparation(stabilizing, { topology: 'ring:6', corrupt: 3 }).world
      .corrupted!
    expect(messages.length).toBeGreaterThan(2)
    const run = (corrupt: number | undefined) =>
      simulate(stabilizing, { topology: 'ring:6', until: 5, ...(corrupt && { corrupt }) })
    expect(run(3).messages.total - run(undefined).messages.total).toBe(messages.length)
  })

  it('is in the scenario of the result, from which the run is the same', async () => {
    const line = 'run stabilizing -t path:4 --timing sync --until 20'.split(' ')
    const tables = [[null], [null, [9, 0]], [[9, 1], null], [[9, 2]]]
    for (const flags of [
      ['--corrupt', '7'],
      ['--tables', JSON.stringify(tables)],
    ]) {
      const result = await shellJson<RunResult & { scenario: Record<string, unknown> }>(
        ...line,
        ...flags,
      )
      const { scenario } = result
      const { algorithm: _, ...given } = scenario
      const again = simulate(stabilizing, given)
      expect(again.messages).toEqual(result.messages)
      expect(again.time).toEqual(result.time)
    }
  })
})

describe('what cannot be a beginning is refused', () => {
  const refused = (flags: string, where: string, says: string) =>
    expectUsageError(['run', ...flags.split(' ')], where, says)

  it('for algorithms that promise nothing from there', async () => {
    await refused('lcr --corrupt 3', '--corrupt', 'lcr begins in its initial state')
    await refused('bully --tables []', '--tables', 'bully begins in its initial state')
  })

  it('where both are given, or a seed is none', async () => {
    await refused('stabilizing --corrupt 3 --tables []', '--tables', 'either drawn or given')
    await refused('stabilizing --corrupt x', '--corrupt', 'a seed')
  })

  it('where tables do not fit the network', async () => {
    const on = 'stabilizing -t path:3 --tables'
    await refused(`${on} 3`, '--tables', 'expected a list for each position')
    await refused(`${on} [`, '--tables', 'expected a list for each position')
    await refused(`${on} [[null]]`, '--tables', '1 tables are given, but there are 3 nodes')
    await refused(`${on} [[],[null,null],[null]]`, '--tables', 'has 0 entries, but the node has 1')
    await refused(
      `${on} [[7],[null,null],[null]]`,
      '--tables',
      'the entry of position 0 on its neighbour at position 1 is 7, but it must be an array of two values. Write null, or an entry as in [[null], [[99, 0], null], [null]] for path:3.',
    )
    await refused(
      `${on} [[null],[null,[1,-1]],[null]]`,
      '--tables',
      'the entry of position 1 on its neighbour at position 2 is [1,-1], but its second value must be a whole number from 0 to 2^53 - 1.',
    )
  })

  it('where an algorithm keeps nothing by link', () => {
    const plain = { ...everything, problem: { ...leaderElection, anyStart: true } } as never
    expect(() => preparation(plain, { topology: 'path:2', corrupt: 1 })).not.toThrow()
    const bare = algorithm({
      ...{ name: 'bare', needs: { topology: 'any', ids: 'unique' }, messages: { ANY }, state: {} },
      ...{ wakes: true, problem: selfStabilization, start() {}, on: { ANY() {} } },
    })
    expect(() => preparation(bare, { topology: 'path:2', tables: [[null], [null]] })).toThrow(
      'bare keeps nothing by link',
    )
  })
})
