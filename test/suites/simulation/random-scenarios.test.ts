import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lcr } from '../../../src/algorithms/index.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import { isUpperBound } from '../../../src/core/language/theory.ts'
import { campaign } from '../../support/campaign.ts'
import {
  lcrMessages,
  modulo,
  permutations,
  startSets,
  toLarger,
  wakingTimes,
} from '../../support/oracles.ts'
import {
  electionMessages,
  ending,
  expectPromised,
  named,
  observe,
  possibleSize,
  preparation,
  promised,
  simulate,
  winner,
} from '../../support/random-worlds.ts'
import { shell } from '../../support/run-command.ts'

/** Algorithms that compute with ids wait as long as these say; up to here they come to an end. */
const LARGEST_NUMBER = 46

/** Ids, close together or far apart; some fit 32 bits and some do not. */
function idsFor({ needs }: Algorithm, n: number): fc.Arbitrary<number[]> {
  const kinds =
    needs.ids === 'numbers'
      ? [fc.nat(LARGEST_NUMBER)]
      : [
          fc.nat(60),
          fc.oneof(
            fc.nat(100),
            fc.integer({ min: 2 ** 31 - 20, max: 2 ** 31 + 20 }),
            fc.maxSafeNat(),
          ),
        ]
  return fc.oneof(...kinds.map((id) => fc.uniqueArray(id, { minLength: n, maxLength: n })))
}

function wakesFor({ needs }: Algorithm, n: number): fc.Arbitrary<string> {
  const all = fc.constant('all')
  if (needs.start === 'together') return all
  const some = fc.subarray([...Array(n).keys()], { minLength: 1 })
  const timed = some.chain((nodes) =>
    fc.tuple(...nodes.map((node) => fc.integer({ min: 1, max: 3 * n }).map((t) => `${node}@${t}`))),
  )
  const rate = fc.integer({ min: 0, max: 10 }).map((tenths) => `rate:${tenths / 10}`)
  return fc.oneof(all, rate, some.map(String), timed.map(String))
}

function timingsFor({ needs }: Algorithm): fc.Arbitrary<Record<string, string>> {
  const rounds = fc.constant({ timing: 'sync' })
  if (needs.time === 'rounds') return rounds
  const bounded = ['unit', 'constant:2.5', 'uniform:1:10', 'uniform:3:4']
  const unbounded = needs.time === 'bounded delay' ? [] : ['exponential:2']
  const delay = fc.constantFrom(...bounded, ...unbounded)
  const order = fc.constantFrom('fifo', ...(needs.order === 'fifo' ? [] : ['any']))
  return fc.oneof(
    { weight: 1, arbitrary: rounds },
    { weight: 4, arbitrary: fc.record({ delay, order }) },
  )
}

/** The initiators and the delays. */
function schedulesFor(algorithm: Algorithm, n: number) {
  const [wake, seed] = [wakesFor(algorithm, n), fc.nat()]
  return fc
    .tuple(fc.record({ wake, seed }), timingsFor(algorithm))
    .map(([starts, timing]) => ({ ...starts, ...timing }))
}

/** Mostly small ones, where everything meets everything; some are larger. */
const sizes = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 1, arbitrary: fc.integer({ min: 10, max: 40 }) },
)

/** Scenarios that an algorithm must master, as the command line has them. */
function scenarios(algorithm: Algorithm) {
  return sizes
    .map((n) => possibleSize(algorithm, n))
    .chain((n) => fc.tuple(idsFor(algorithm, n), schedulesFor(algorithm, n)))
    .map(([ids, schedule]) => ({ ids, ...schedule }))
}

/** Random choices have no certain cost, and not every bound holds for all initiators. */
function isBounded({ needs, theory }: Algorithm): boolean {
  return (
    needs.coins !== true &&
    theory.bounds.some((one) => one.of === 'messages' && isUpperBound(one) && !one.when)
  )
}

describe.each(named(ending))('%s in random worlds', (_, algorithm) => {
  it('does what it promises', () => {
    fc.assert(
      fc.property(scenarios(algorithm), (given) => {
        const { ids } = given
        const { result, starts } = observe(algorithm, given)
        const { verdict, bounds, messages, leader, nodes, leaders } = result
        // How often that happens, a test of the algorithm compares with what is stated.
        if (result.failure?.failed) return
        expect(verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        expect(bounds.filter(({ within }) => !within)).toEqual([])
        if (isBounded(algorithm)) expect(bounds.some(({ of }) => of === 'messages')).toBe(true)
        const id = winner(algorithm, ids, starts.keys()) ?? leader!.id
        const node = id === null ? leader!.node : ids.indexOf(id)
        expect(leader).toEqual({ node, id })
        expect(leaders).toEqual([node])
        expect(nodes?.map((node) => node.leader)).toEqual(ids.map(() => id))
        const { total, byType, ...gone } = messages
        expect(Object.values(byType).reduce((a, b) => a + b)).toBe(total)
        expect(gone).toEqual({ toDead: 0, lost: 0, duplicated: 0 })
      }),
      { numRuns: campaign(1000) },
    )
  })

  it('does the same again, to the byte, when its printed scenario is replayed', () => {
    fc.assert(
      fc.property(scenarios(algorithm), (given) => {
        const { scenario } = preparation(algorithm, given)
        const replayed = JSON.parse(JSON.stringify(scenario))
        expect(preparation(algorithm, replayed).scenario).toEqual(scenario)
        const [first, again] = [observe(algorithm, given), observe(algorithm, replayed)]
        expect(JSON.stringify(again.events)).toBe(JSON.stringify(first.events))
        expect(JSON.stringify(again.result)).toBe(JSON.stringify(first.result))
      }),
      { numRuns: campaign(200) },
    )
  })
})

describe('a scenario that the command line printed', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'conclave-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(named(ending))('gives the same result from a file: %s', async (name, algorithm) => {
    const file = join(folder, `${name}.json`)
    const answer = async (...words: string[]) => {
      const { out, err } = await shell('run', ...words, '--json')
      expect(err).toBe('')
      const { speed: _, ...result } = JSON.parse(out)
      return result
    }
    await fc.assert(
      fc.asyncProperty(scenarios(algorithm), async (given) => {
        const flags = Object.entries(given).flatMap(([flag, value]) => [`--${flag}`, `${value}`])
        const first = await answer(name, ...flags)
        writeFileSync(file, JSON.stringify(first.scenario))
        expect(await answer(file)).toEqual(first)
      }),
      { numRuns: campaign(100) },
    )
  })
})

describe.each(named([...promised.keys()]))('%s', (_, algorithm) => {
  it('sends the same messages of each type in every schedule and with any starters', () => {
    const pairs = sizes.chain((n) => {
      const schedule = schedulesFor(algorithm, n)
      return fc.record({ ids: idsFor(algorithm, n), one: schedule, other: schedule })
    })
    fc.assert(
      fc.property(pairs, ({ ids, one, other }) => {
        const { messages, bits } = simulate(algorithm, { ...one, ids, order: 'fifo' })
        expectPromised(algorithm, ids, messages)
        expect(simulate(algorithm, { ...other, ids, order: 'fifo' })).toMatchObject({
          messages,
          bits,
        })
      }),
      { numRuns: campaign(1000) },
    )
  })
})

describe('the simulator against what is known of LCR', () => {
  it('sends each id to its nearest larger one: all rings and all start sets up to 5', () => {
    for (let n = 1; n <= 5; n++)
      for (const ids of permutations(n))
        for (const starters of startSets(n))
          expect(electionMessages(lcr, { ids, wake: starters.join() })).toBe(lcrMessages(ids))
  })

  it('keeps the times, the counts of each node and the bits', () => {
    const worlds = sizes.chain((n) =>
      fc.record({
        ids: idsFor(lcr, n),
        starts: fc
          .subarray([...Array(n).keys()], { minLength: 1 })
          .chain((nodes) =>
            fc.tuple(...nodes.map((node) => fc.tuple(fc.constant(node), fc.nat(2 * n)))),
          ),
      }),
    )
    fc.assert(
      fc.property(worlds, ({ ids, starts }) => {
        const n = ids.length
        const wake = starts.map(([node, time]) => `${node}@${time}`).join()
        const { time, nodes, messages, bits } = simulate(lcr, { ids, wake }, { traffic: true })
        const largest = Math.max(...ids)
        const elected = wakingTimes(n, new Map(starts))[ids.indexOf(largest)] + n
        expect(time).toEqual({ unit: 'time', elected, last: elected + n })
        // A node passes on each id on its way to the nearest larger one, and one announcement.
        const sent = ids.map(
          (_, at) => 1 + ids.filter((_, i) => modulo(at - i, n) < toLarger(ids, i)).length,
        )
        expect(nodes?.map((node) => node.sent)).toEqual(sent)
        expect(nodes?.map((node) => node.received)).toEqual(sent.map((_, i) => sent.at(i - 1)))
        expect(messages.total).toBe(lcrMessages(ids) + n)
        const idBits = largest === 0 ? 0 : BigInt(largest).toString(2).length
        expect(bits).toBe(messages.total * (1 + idBits))
      }),
      { numRuns: campaign(2000) },
    )
  })
})
