import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { graphs } from '../../../test/support/graphs.ts'
import { preparation, simulate } from '../../../test/support/random-worlds.ts'
import { expectUsageError, shell, shellJson } from '../../../test/support/run-command.ts'
import type { Topology } from '../../core/index.ts'
import { linksOf } from '../../core/language/topology.ts'
import { floodMax } from './flood-max.ts'

interface Checked {
  readonly exhausted: boolean
  readonly violated: object | null
}

const RUNS = process.env.LONG_TESTS ? 1000 : 75

const worlds = graphs.chain(({ topology, n }) =>
  fc.record({
    topology: fc.constant(topology),
    seed: fc.nat(),
    ids: fc.uniqueArray(fc.nat(500), { minLength: n, maxLength: n }),
  }),
)

/** For each radius from 0 to n the largest id within it, by node. */
function largestWithin(topology: Topology, ids: readonly number[]): number[][] {
  const layers = [[...ids]]
  for (let r = 1; r <= topology.n; r++) {
    const before = layers[r - 1]
    const around = (v: number) => linksOf(topology, v).map((l) => before[topology.neighbor(v, l)])
    layers.push(ids.map((_, v) => Math.max(before[v], ...around(v))))
  }
  return layers
}

/** The diameter: the radius at which a single mark has filled the network, wherever it was. */
function diameter(topology: Topology): number {
  const nodes = Array.from({ length: topology.n }, (_, v) => v)
  const filled = (v: number) =>
    largestWithin(
      topology,
      nodes.map((w) => (w === v ? 1 : 0)),
    ).findIndex((layer) => layer.every((mark) => mark === 1))
  return Math.max(...nodes.map(filled))
}

describe('flood-max', () => {
  it('sends exactly 2 E D messages, or one batch for each news, and elects in round D + 1', () => {
    fc.assert(
      fc.property(worlds, ({ topology, seed, ids }) => {
        const given = { topology, ids, seed }
        const network = preparation(floodMax, given).world.topology
        const D = diameter(network)
        const always = simulate(floodMax, given)
        expect(always.verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        expect(always.messages.total).toBe(2 * always.links * D)
        expect(always.time.elected).toBe(D + 1)
        expect(always.bounds.every(({ within }) => within)).toBe(true)
        const layers = largestWithin(network, ids)
        const batches = ids.map((_, v) => {
          const news = Array.from({ length: Math.max(0, D - 1) }, (_, i) => i + 1)
          return 1 + news.filter((r) => layers[r][v] > layers[r - 1][v]).length
        })
        const counted = batches.reduce((sum, b, v) => sum + b * network.degree(v), 0)
        const changes = simulate(floodMax, { ...given, set: 'send=changes' })
        expect(changes.messages.total).toBe(counted)
        expect(changes.leader).toEqual(always.leader)
        expect(changes.time.elected).toBe(D + 1)
        expect(changes.bounds.every(({ within }) => within)).toBe(true)
      }),
      { numRuns: RUNS },
    )
  })

  it.each([
    ['ring', (n: number) => 2 * n * Math.floor(n / 2)],
    ['complete', (n: number) => n * (n - 1)],
    ['path', (n: number) => 2 * (n - 1) ** 2],
    ['star', (n: number) => (n === 2 ? 2 : 4 * (n - 1))],
  ])('counts on a %s', (network, formula) => {
    for (let n = 2; n <= 12; n++)
      expect(simulate(floodMax, { topology: `${network}:${n}` }).messages.total).toBe(formula(n))
    const alone = simulate(floodMax, { topology: `${network}:1` })
    expect(alone.messages.total).toBe(0)
    expect(alone.time).toMatchObject({ elected: 1, last: null })
  })

  it('with K < D rounds elects every node that is the largest within K', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), ({ topology, seed, ids }, draw) => {
        const honest = preparation(floodMax, { topology, ids, seed }).world
        const D = honest.params.diameter as number
        const K = draw % D
        const given = { topology, ids, seed, set: `diameter=${K}`, 'allow-weaker': true }
        const { leading, verdict, nodes } = simulate(floodMax, given)
        const known = largestWithin(honest.topology, ids)[K]
        expect(leading).toEqual(ids.flatMap((id, v) => (known[v] === id ? [v] : [])))
        for (const [v, { leader }] of nodes!.entries()) expect(leader).toBe(known[v])
        expect(verdict.ok).toBe(known.every((id) => id === Math.max(...ids)))
      }),
      { numRuns: RUNS / 3 },
    )
  })

  it('refuses too small a diameter, and takes any bound', async () => {
    const words = ['run', 'flood-max', '--topology', 'path:5', '--set']
    await expectUsageError([...words, 'diameter=3'], '--set', 'which is 4, not 3')
    await expectUsageError([...words, 'diameter=2.5'], '--set', 'a whole number, not 2.5')
    const { code, out } = await shell(...words, 'diameter=7', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out).messages.total).toBe(2 * 4 * 7)
  })

  it('fails with delays and with a late starter', async () => {
    const slow = { topology: 'path:4', ids: [4, 1, 2, 3], timing: 'async', 'allow-weaker': true }
    const late = { topology: 'path:4', ids: [4, 1, 2, 3], wake: '1,2,3', 'allow-weaker': true }
    expect(simulate(floodMax, { ...slow, delay: 'constant:2' }).verdict.ok).toBe(false)
    expect(simulate(floodMax, late).verdict.ok).toBe(false)
    const words = ['run', 'flood-max', '--topology', 'path:4']
    await expectUsageError([...words, '--timing', 'async'], '--timing', 'synchronous rounds')
    await expectUsageError([...words, '--wake', '0'], '--wake', 'start at the same time')
  })

  it('is right whatever the order within a round, and wrong with a smaller diameter', async () => {
    const asked = (...words: string[]) => shellJson<Checked>('check', 'flood-max', ...words)
    for (const topology of ['path:3', 'ring:4', 'star:4', 'complete:4', 'grid:2x3'])
      for (const send of ['always', 'changes']) {
        const report = await asked('--topology', topology, '--set', `send=${send}`)
        expect(report, topology).toMatchObject({ exhausted: true, violated: null })
      }
    const small = ['--topology', 'path:3', '--ids', '2,1,3', '--set', 'diameter=1']
    expect((await asked(...small, '--allow-weaker')).violated).not.toBeNull()
  })
})
