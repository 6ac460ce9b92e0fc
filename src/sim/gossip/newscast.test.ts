import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cycled, gossiping } from '../../../test/support/cycles.ts'
import { Random } from '../../core/runtime/random.ts'
import { percolationOf } from './percolation.ts'

/** Newscast once more, with a map of words in place of columns, and the average over it. */
function factorByMaps(n: number, c: number, cycles: number, seed: number): number {
  const random = Random.from(seed)
  const others = (node: number) =>
    [...random.permutation(n)].filter((other) => other !== node).slice(0, c)
  const views = Array.from({ length: n }, (_, node) => new Map(others(node).map((id) => [id, 0])))
  const numbers = Array.from({ length: n }, () => random.unit())
  const pick = (node: number) => [...views[node].keys()][random.below(views[node].size)]
  const variance = () => {
    const mean = numbers.reduce((sum, x) => sum + x, 0) / n
    return numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n
  }
  const meet = (a: number, b: number, cycle: number) => {
    const pool = new Map([...views[a], ...views[b]])
    for (const [id, time] of views[a]) pool.set(id, Math.max(time, pool.get(id)!))
    pool.set(a, cycle).set(b, cycle)
    const words = [...pool].map(([id, time]) => ({ id, time, luck: random.unit() }))
    words.sort((x, y) => y.time - x.time || x.luck - y.luck)
    for (const node of [a, b]) {
      const kept = words.filter(({ id }) => id !== node).slice(0, c)
      views[node] = new Map(kept.map(({ id, time }) => [id, time]))
    }
  }
  const before = variance()
  for (let cycle = 1; cycle <= cycles; cycle++) {
    for (const node of random.permutation(n)) {
      meet(node, pick(node), cycle)
      const other = pick(node)
      const mean = (numbers[node] + numbers[other]) / 2
      numbers[node] = mean
      numbers[other] = mean
    }
  }
  return (variance() / before) ** (1 / cycles)
}

function factor(n: number, view: number, cycles: number, seed: number): number {
  const entries = cycled(gossiping(`complete:${n}`, { view }, undefined, seed), cycles)
  return (entries[cycles].variance! / entries[0].variance!) ** (1 / cycles)
}

const mean = (numbers: number[]) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length

describe('peers by newscast', () => {
  it('are nearly as good as random ones: the variance shrinks by 0.32 in a cycle', () => {
    expect(Math.abs(factor(4000, 30, 12, 3) - 0.316)).toBeLessThan(0.01)
  })

  it.each([10, 30])('do as those of another program, with views of %i', (c) => {
    const seeds = [1, 2, 3]
    const here = mean(seeds.map((seed) => factor(400, c, 8, seed)))
    const there = mean(seeds.map((seed) => factorByMaps(400, c, 8, seed)))
    expect(Math.abs(here - there)).toBeLessThan(0.04)
  })

  it('are c others at most, each once, never oneself, whatever happens', () => {
    const rate = fc.double({ min: 0, max: 0.3, noNaN: true })
    const texts = fc.constantFrom(
      'complete:30',
      'ring:20',
      'k-out:25:3',
      'complete:2',
      'complete:1',
    )
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 1, max: 9 }),
        rate,
        rate,
        fc.nat(),
        (text, view, ...more) => {
          const [leave, join, seed] = more
          const simulated = gossiping(text, { view, leave, join, epoch: 3 }, undefined, seed)
          cycled(simulated, 6)
          const { overlay, n } = simulated
          for (let node = 0; node < n; node++) {
            const count = overlay.contacts(node)
            const known = Array.from({ length: count }, (_, i) => overlay.contact(node, i))
            const there = known.filter((other) => other >= 0)
            expect(count).toBeLessThanOrEqual(view)
            expect(new Set(there).size).toBe(there.length)
            expect(there).not.toContain(node)
            for (const other of there) expect(simulated.population.isAlive(other)).toBe(true)
          }
        },
      ),
    )
  })

  it('forget crashed nodes in a few cycles, where links stay', () => {
    const half = {
      nodes: Uint32Array.from({ length: 1000 }, (_, i) => 2 * i),
      times: new Float64Array(1000).fill(5),
    }
    const dead = (view: number, cycles: number) => {
      const simulated = gossiping('k-out:2000:20', { view, crashes: half })
      cycled(simulated, cycles)
      return percolationOf(simulated.overlay, simulated.population)
    }
    expect(dead(20, 6).deadContacts).toBeGreaterThan(0.3)
    expect(dead(20, 17).deadContacts).toBeLessThan(0.02)
    expect(dead(20, 17).largest).toBe(1)
    expect(Math.abs(dead(0, 17).deadContacts - 0.5)).toBeLessThan(0.02)
  })

  it('stay connected under churn, and distinguish a new node from a former one', () => {
    const turnover = { view: 20, leave: 0.02, join: 0.02, epoch: 10 }
    const simulated = gossiping('complete:1000', turnover)
    cycled(simulated, 40)
    const { largest, deadContacts } = percolationOf(simulated.overlay, simulated.population)
    expect(simulated.population.alive).toBe(1000)
    expect(largest).toBe(1)
    expect(deadContacts).toBeGreaterThan(0.005)
    expect(deadContacts).toBeLessThan(0.1)
    expect(simulated.toDead).toBeGreaterThan(0)
  })
})
