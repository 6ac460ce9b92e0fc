import fc from 'fast-check'
import { expect, it } from 'vitest'
import { of, gossiping as simulation } from '../../../../test/support/cycles.ts'
import {
  type Aggregate,
  average,
  type ExchangeRule,
  half,
  largest,
  smallest,
} from '../../../core/language/aggregate.ts'
import type { Topology } from '../../../core/language/topology.ts'
import { network } from '../../../core/networks/network.ts'
import { Random } from '../../../core/runtime/random.ts'
import type { PairingOrder } from '../pairing.ts'

/** A permutation as `RandomOrder` defines it, number by number. */
function drawnOrder(n: number, random: Random): number[] {
  const bits = Math.max(10, 32 - Math.clz32(n - 1))
  const size = 2 ** bits
  const folded = (x: number) => x ^ Math.floor(x / 2 ** ((bits + 1) >> 1))
  const terms = [0, 1, 2, 3].map(() => random.below(size))
  const factors = [0, 1, 2, 3].map(() => random.below(size) | 1)
  return Array.from({ length: n }, (_, i) => {
    let x = i
    do {
      for (let round = 0; round <= 3; round++) {
        const product = BigInt(folded(x)) * BigInt(factors[round]) + BigInt(terms[round])
        x = Number(product % BigInt(size))
      }
      x = folded(x)
    } while (x >= n)
    return x
  })
}

/** Cycles one exchange at a time, part by part, as the rules say it. */
class SingleExchanges {
  readonly numbers: number[][]
  private readonly random: Random
  private order: number[]

  constructor(
    private readonly aggregate: Aggregate,
    private readonly topology: Topology,
    values: Float64Array,
    seed: number,
    private readonly pairing: PairingOrder,
  ) {
    const parts = aggregate.parts.map(({ start }) => start)
    this.numbers = Array.from(values, (value) => parts.map((start) => start({ value, chosen: -1 })))
    this.random = Random.from(seed).split('pairs')
    const { n } = topology
    this.order = Array.from({ length: n }, (_, node) => node)
    if (pairing !== 'together') this.order = drawnOrder(n, this.random)
  }

  run(): void {
    const { topology, random, numbers, aggregate } = this
    const before = numbers.map((own) => [...own])
    if (this.pairing === 'fresh') this.order = drawnOrder(topology.n, random)
    for (const node of this.order) {
      const { firstLink, outLinks = topology.degree(node) } = topology
      const link = firstLink + random.below(outLinks)
      const drawn = topology.neighbor(node, link)
      // On complete networks the number says which of the other nodes it is.
      const place = link - firstLink
      const other = topology.kind === 'complete' ? (place < node ? place : place + 1) : drawn
      for (const [part, { rule }] of aggregate.parts.entries())
        if (this.pairing === 'together') this.exchangeTogether(rule, before, part, node, other)
        else this.exchange(rule, part, node, other)
    }
  }

  private exchange({ change, better }: ExchangeRule, part: number, a: number, b: number): void {
    const { numbers } = this
    const [mine, theirs] = [numbers[b][part], numbers[a][part]]
    const moved = change?.(mine, theirs) ?? 0
    numbers[b][part] = better?.(mine, theirs) ?? mine + moved
    numbers[a][part] = better?.(mine, theirs) ?? theirs - moved
  }

  private exchangeTogether(
    { change, better, share }: ExchangeRule,
    before: number[][],
    part: number,
    a: number,
    b: number,
  ): void {
    const { numbers } = this
    const moved = change?.(before[b][part], before[a][part]) ?? share?.(before[a][part]) ?? 0
    numbers[b][part] += moved
    numbers[a][part] -= moved
    numbers[a][part] = better?.(numbers[a][part], before[b][part]) ?? numbers[a][part]
    numbers[b][part] = better?.(numbers[b][part], before[a][part]) ?? numbers[b][part]
  }
}

it('loops over batches do what one exchange after another does, to the bit', () => {
  const pairRules = fc.constantFrom<ExchangeRule>(
    ...[average, largest, smallest],
    { change: (mine: number, theirs: number) => (theirs - mine) / 3 },
    { better: (mine: number, theirs: number) => Math.max(mine, theirs) - 0.1 },
  )
  const worlds = fc.oneof(
    fc.record({
      rules: fc.array(pairRules, { minLength: 1, maxLength: 3 }),
      order: fc.constantFrom('fresh' as const, 'fixed' as const, 'together' as const),
    }),
    fc.record({ rules: fc.constant([half, half]), order: fc.constant('together' as const) }),
  )
  const texts = fc.constantFrom(
    ...['complete:2', 'complete:50', 'complete:5000', 'ring:9', 'grid:5x6', 'k-out:20:3'],
    ...['k-out:1500:7', 'random:40:0.3'],
  )
  fc.assert(
    fc.property(worlds, texts, fc.nat(), ({ rules, order }, text, seed) => {
      const parts = rules.map((rule) => ({ rule, start: of(average).parts[0].start }))
      const aggregate = { ...of(average), parts }
      const run = simulation(text, { order, random: Random.from(seed) }, aggregate)
      const topology = network(text, { random: Random.from(1).split('topology') })
      const single = new SingleExchanges(aggregate, topology, run.values, seed, order)
      for (let cycle = 0; cycle < 3; cycle++) {
        run.run()
        single.run()
        expect([...run.numbers]).toEqual(single.numbers.flat())
      }
      expect(run.traffic.total).toBe(3 * run.n * (rules[0] === half ? 1 : 2))
    }),
    { numRuns: 25 },
  )
})
