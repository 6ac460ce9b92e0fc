import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { echoExtinction } from '../algorithms/graph/echo-extinction.ts'
import { changRoberts } from '../algorithms/ring/chang-roberts.ts'
import { franklin } from '../algorithms/ring/franklin.ts'
import { hirschbergSinclair } from '../algorithms/ring/hirschberg-sinclair.ts'
import { lcr } from '../algorithms/ring/lcr.ts'
import { peterson } from '../algorithms/ring/peterson.ts'
import { type Algorithm, algorithm, larger, message, nat, uid } from '../core/index.ts'
import type { World } from '../core/language/world.ts'
import { complete } from '../core/networks/complete.ts'
import { ring } from '../core/networks/ring.ts'
import { path } from '../core/networks/tree.ts'
import { Random } from '../core/runtime/random.ts'
import {
  type LocalClusterResult,
  memberOptionsOf,
  runInMemory,
  runOnLoopback,
} from './local-cluster.ts'
import { Member } from './member.ts'
import { memoryNetwork } from './transports/memory.ts'
import { memberLinks } from './transports/neighbour.ts'

function ringOf(algorithm: Algorithm, ids: readonly number[]): World {
  return { algorithm, topology: ring(ids.length), ids: Float64Array.from(ids), params: {} }
}

/** How far each id travels in lcr until a larger one stops it; the largest goes all the way. */
function lcrElections(ids: readonly number[]): number {
  const n = ids.length
  return ids.reduce((sum, id, i) => {
    let steps = 1
    while (steps < n && ids[(i + steps) % n] < id) steps++
    return sum + steps
  }, 0)
}

function expectElected(result: LocalClusterResult, ids: readonly number[], winner: number): void {
  expect(result.leaders).toEqual([ids.indexOf(winner)])
  expect(result.states.map(({ leader }) => leader)).toEqual(ids.map(() => winner))
}

const KNOWN = [3, 2, 7, 8, 5, 4, 1, 6]
const MIXED = [1, 5, 3, 7, 2, 6, 4, 8]

interface Figure {
  definition: Algorithm
  ids: number[]
  starters?: number[]
  byType: Record<string, number>
}

const figures: Figure[] = [
  { definition: lcr, ids: KNOWN, byType: { election: 21, leader: 8 } },
  { definition: lcr, ids: KNOWN, starters: [0], byType: { election: 21, leader: 8 } },
  { definition: lcr, ids: KNOWN, starters: [2, 5], byType: { election: 21, leader: 8 } },
  { definition: lcr, ids: [1], byType: { election: 1, leader: 1 } },
  { definition: lcr, ids: [1, 2], byType: { election: 3, leader: 2 } },
  { definition: lcr, ids: [2, 1], starters: [1], byType: { election: 3, leader: 2 } },
  { definition: changRoberts, ids: KNOWN, byType: { election: 21, leader: 8 } },
  { definition: changRoberts, ids: KNOWN, starters: [0], byType: { election: 11, leader: 8 } },
  { definition: hirschbergSinclair, ids: KNOWN, byType: { probe: 55, reply: 24, leader: 8 } },
  { definition: hirschbergSinclair, ids: [1], byType: { probe: 2, reply: 0, leader: 1 } },
  { definition: hirschbergSinclair, ids: [1, 2], byType: { probe: 8, reply: 2, leader: 2 } },
  {
    definition: hirschbergSinclair,
    ids: [2, 1],
    starters: [1],
    byType: { probe: 8, reply: 2, leader: 2 },
  },
  { definition: peterson, ids: MIXED, byType: { election: 56, leader: 8 } },
  { definition: franklin, ids: MIXED, byType: { election: 64, leader: 8 } },
]

describe.each([
  ['memory', runInMemory],
  ['loopback sockets', runOnLoopback],
])('over %s', (_name, run) => {
  test.each(figures)('$definition.name $ids $starters', async (figure) => {
    const { definition, ids, starters, byType } = figure
    const result = await run(ringOf(definition, ids), starters ? { starters } : {})
    expect(result.messages.byType).toEqual(byType)
    expect(result.messages.total).toBe(Object.values(byType).reduce((a, b) => a + b, 0))
    expectElected(result, ids, Math.max(...ids))
  })

  test('an id takes ceil(log2(8 + 1)) bits and the type of message one', async () => {
    expect((await run(ringOf(lcr, KNOWN))).bits).toBe(29 * 5)
  })
})

const rings = fc.integer({ min: 1, max: 9 }).chain((n) =>
  fc.record({
    ids: fc.uniqueArray(fc.nat(999), { minLength: n, maxLength: n }),
    starters: fc.subarray([...Array(n).keys()], { minLength: 1 }),
    seed: fc.nat(),
  }),
)

test('lcr sends as many messages as its formula says, for all starters and orders', async () => {
  await fc.assert(
    fc.asyncProperty(rings, async ({ ids, starters, seed }) => {
      const result = await runInMemory(ringOf(lcr, ids), { starters, random: Random.from(seed) })
      expect(result.messages.byType).toEqual({ election: lcrElections(ids), leader: ids.length })
      expectElected(result, ids, Math.max(...ids))
    }),
  )
})

test.each([hirschbergSinclair, peterson, franklin])(
  '$name sends the same number for any initiators and any order of events',
  async (definition) => {
    await fc.assert(
      fc.asyncProperty(rings, async ({ ids, starters, seed }) => {
        const world = ringOf(definition, ids)
        const orderly = await runInMemory(world)
        const shuffled = await runInMemory(world, { starters, random: Random.from(seed) })
        expect(shuffled.messages).toEqual(orderly.messages)
        expectElected(shuffled, ids, Math.max(...ids))
      }),
      { numRuns: 40 },
    )
  },
)

test('the same seed gives the same election', async () => {
  const world = ringOf(changRoberts, [...Array(12).keys()])
  const run = (seed: number) =>
    runInMemory(world, { starters: [0, 4, 9], random: Random.from(seed) })
  expect(await run(3)).toEqual(await run(3))
})

const ID = message({ id: uid })

/** All nodes send their ids to all others; the largest leads. */
const assemblyOfAll = algorithm({
  name: 'assembly-of-all',
  needs: { topology: 'complete', ids: 'unique' },
  messages: { ID },
  state: { heard: nat, largest: uid },
  wakes: true,
  start(my, net) {
    net.sendAll(ID, { id: my.id })
  },
  on: {
    ID(my, { id }, net) {
      my.largest = larger(my.largest, id)
      if (++my.heard < net.degree) return
      if (my.largest < my.id) net.lead()
      else net.follow(my.largest)
      net.stop()
    },
  },
  theory: lcr.theory,
})

describe('on a complete network', () => {
  const ids = [4, 9, 2, 7, 5]
  const topology = complete(5, { shuffled: Random.from(5) })

  test.each([runInMemory, runOnLoopback])('%o detects termination too', async (run) => {
    const result = await run({ ...ringOf(assemblyOfAll, ids), topology }, { starters: [3] })
    expect(result.messages.total).toBe(5 * 4)
    expectElected(result, ids, 9)
  })

  test.each([runInMemory, runOnLoopback])('%o reports the cause of a failure', async (run) => {
    const failing = run({ ...ringOf(lcr, ids), topology }, { starters: [3] })
    await expect(failing).rejects.toThrow(
      'lcr: position 3 sends over link 0, but its links are 1 to 4',
    )
  })
})

describe('a network whose positions are not linked in order', () => {
  const world = { ...ringOf(echoExtinction, [4, 9, 2, 7, 1]), topology: path(5) }

  test.each([runInMemory, runOnLoopback])(
    '%o detects termination, over links aside',
    async (run) => {
      const result = await run(world)
      expectElected(result, [4, 9, 2, 7, 1], 9)
    },
  )

  test('each link aside leads back to where it came from, and is none of the network', () => {
    const { topology } = world
    const all = [...Array(5).keys()].map((position) => memberLinks(topology, position))
    for (const [position, links] of all.entries())
      for (const { link, peer } of links) {
        const back = all[peer.position].find((other) => other.link === peer.link)
        expect(back?.peer).toEqual({ position, link })
      }
    const aside = all.map((links) => links.filter((link) => link.aside).length)
    expect(aside).toEqual([1, 0, 0, 0, 1])
  })

  test('a message over a link aside breaks it', async () => {
    const transports = memoryNetwork(world.topology)
    const member = new Member({ ...memberOptionsOf(world, 0), transport: transports[0] })
    const down: string[] = []
    for (const [position, transport] of transports.entries())
      if (position > 0)
        void transport.open(
          { schema: '', n: 5, position },
          { received() {}, down: (link, why) => down.push(`${position}: ${link} ${why}`) },
        )
    await member.open()
    const { link } = memberLinks(world.topology, 4).find(({ aside }) => aside)!
    transports[4].send(link, Uint8Array.of(0, 3))
    await expect(member.ended).rejects.toThrow('went down before the election had ended')
    await expect.poll(() => down.filter((line) => line.startsWith('4: '))).not.toEqual([])
  })
})
