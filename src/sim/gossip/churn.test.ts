import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cycled, gossiping, NO_CRASHES, of } from '../../../test/support/cycles.ts'
import { count } from '../../algorithms/gossip/aggregates.ts'
import { average } from '../../core/language/aggregate.ts'
import { components } from '../../core/networks/components.ts'
import { network } from '../../core/networks/network.ts'
import { Random } from '../../core/runtime/random.ts'
import { overlayOf } from './overlay.ts'
import { percolationOf } from './percolation.ts'
import { Population } from './population.ts'

const rate = fc.double({ min: 0, max: 1, noNaN: true })

describe('nodes that come and go', () => {
  it('are counted right, and wait until the epoch begins', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), rate, rate, fc.nat(), (n, leave, join, seed) => {
        const population = new Population(n, NO_CRASHES, { leave, join }, Random.from(seed))
        for (let cycle = 0; cycle < 8; cycle++) {
          const before = population.alive
          population.leave()
          expect(Math.abs(before - population.alive - leave * before)).toBeLessThan(1)
          const left = population.alive
          const waits = cycle % 3 !== 0
          const there = Array.from({ length: n }, (_, v) => population.isAlive(v))
          const newcomers = population.join(waits)
          expect(Math.abs(newcomers.length - Math.min(join * n, n - left))).toBeLessThan(1)
          for (const { node, contact } of newcomers) {
            expect(there[node]).toBe(false)
            expect(contact === null).toBe(left === 0 && node === newcomers[0].node)
            expect(population.takesPart(node)).toBe(!waits)
          }
          if (cycle === 5) population.startWaiting()
          const nodes = Array.from({ length: n }, (_, v) => v)
          expect(nodes.filter((v) => population.isAlive(v))).toHaveLength(population.alive)
          expect(nodes.filter((v) => population.takesPart(v))).toHaveLength(population.active)
          if (cycle === 5) expect(population.waiting).toBe(0)
        }
      }),
    )
  })

  it('cost the sum something, which the next epoch repairs', () => {
    const turnover = { leave: 0.01, join: 0.01, epoch: 10 }
    const entries = cycled(gossiping('complete:3000', turnover), 41)
    for (const { cycle, massError, waiting, alive } of entries) {
      expect(alive).toBe(3000)
      // About 30 come in each cycle, and some of them leave again.
      const since = cycle === 0 ? 0 : ((cycle - 1) % 10) + (cycle > 10 ? 0 : 1)
      expect(Math.abs(waiting - 30 * since)).toBeLessThanOrEqual(2 * since)
      if (cycle > 10 && cycle % 10 === 1) expect(massError).toBeLessThan(1e-12)
      if (cycle > 0 && cycle % 10 === 0) expect(massError).toBeGreaterThan(1e-6)
    }
  })

  it('are all counted in the epoch after they have come', () => {
    const crashes = {
      nodes: Uint32Array.from({ length: 500 }, (_, v) => v),
      times: new Float64Array(500).fill(-1),
    }
    const growing = { crashes, join: 0.05, epoch: 30 }
    const entries = cycled(gossiping('complete:1000', growing, count(1)), 60)
    expect(entries[1]).toMatchObject({ alive: 550, waiting: 50 })
    expect(entries[30]).toMatchObject({ alive: 1000, waiting: 500 })
    expect(Math.abs(entries[30].mean! - 500)).toBeLessThan(1)
    expect(entries[60]).toMatchObject({ alive: 1000, waiting: 0, within: 1 })
    expect(Math.abs(entries[60].mean! - 1000)).toBeLessThan(1)
  })

  it('take part at once where there are no epochs, and are averaged and counted', () => {
    const crashes = { nodes: Uint32Array.of(0, 1, 2, 3), times: new Float64Array(4).fill(-1) }
    for (const aggregate of [of(average), count(1)]) {
      const entries = cycled(gossiping('complete:40', { crashes, join: 0.1 }, aggregate), 70)
      expect(entries[0].alive).toBe(36)
      expect(entries[1]).toMatchObject({ alive: 40, waiting: 0 })
      expect(Math.abs(entries[70].mean! / entries[70].truth - 1)).toBeLessThan(1e-9)
      expect(entries[70].massError).toBeLessThan(1e-12)
    }
  })

  it('harm one count more than the median of many', () => {
    // Few runs lose much of the 1 early: it takes some to see the difference.
    const error = (instances: number) => {
      const squares = Array.from({ length: 60 }, (_, seed) => {
        const turnover = { leave: 0.02, join: 0.02, epoch: 20 }
        const simulated = gossiping('complete:200', turnover, count(instances), seed)
        return (cycled(simulated, 20)[20].mean! / 200 - 1) ** 2
      })
      return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
    }
    expect(error(9)).toBeLessThan(0.7 * error(1))
  })
})

describe('the remaining nodes are connected', () => {
  const texts = fc.constantFrom('ring:12', 'grid:4x5', 'complete:9', 'scale-free:20:2', 'path:7')
  const crashesOf = (dead: number[], n: number) => {
    const nodes = Uint32Array.from(new Set(dead.filter((node) => node < n)))
    return { nodes, times: new Float64Array(nodes.length).fill(-1) }
  }

  it('as a search through the network finds, and less the more are deaf', () => {
    const dead = fc.array(fc.nat(19), { maxLength: 15 })
    fc.assert(
      fc.property(texts, dead, rate, fc.nat(), (text, victims, deaf, seed) => {
        const topology = network(text, { random: Random.from(seed) })
        const { n } = topology
        const still = { leave: 0, join: 0 }
        const population = new Population(n, crashesOf(victims, n), still, Random.from(seed))
        population.crashUntil(-1)
        const search = () => {
          const bothDeaf = (a: number, b: number) => population.isDeaf(a) && population.isDeaf(b)
          const labels = components(topology, (node) => population.isAlive(node), bothDeaf)
          const sizes = new Map<number, number>()
          for (const label of labels.filter((each) => each >= 0))
            sizes.set(label, (sizes.get(label) ?? 0) + 1)
          const { alive } = population
          const largest = alive === 0 ? 0 : Math.max(...sizes.values()) / alive
          return { components: sizes.size, largest }
        }
        expect(percolationOf(overlayOf(topology), population)).toMatchObject(search())
        population.deafen(deaf, Random.from(seed))
        expect(percolationOf(overlayOf(topology), population)).toMatchObject(search())
      }),
    )
  })
})
