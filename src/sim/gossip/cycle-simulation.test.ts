import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { of, cycled as run, gossiping as simulation } from '../../../test/support/cycles.ts'
import { average, largest } from '../../core/language/aggregate.ts'
import { network } from '../../core/networks/network.ts'
import { Random } from '../../core/runtime/random.ts'
import type { CycleConditions } from './inputs.ts'
import { overlayOf } from './overlay.ts'
import { pairingOf, pairingOrders } from './pairing.ts'

function factor(text: string, conditions: Partial<CycleConditions> = {}, cycles = 20): number {
  const entries = run(simulation(text, conditions), cycles)
  return (entries[cycles].variance! / entries[0].variance!) ** (1 / cycles)
}

const off = (measured: number, known: number) => Math.abs(measured - known)

describe('the variance shrinks in a cycle', () => {
  const n = 20_000

  it.each([
    ['fresh', 1 / (2 * Math.sqrt(Math.E))],
    ['fixed', 0.294],
    ['pairs', 1 / Math.E],
    ['matchings', 0.25],
    ['together', 0.75],
  ] as const)('in order %s by %f', (order, known) => {
    // With random pairs the few nodes that are rarely drawn soon are all the variance there is: the
    // factor of c cycles has a deviation of about sqrt(3 e^(c/2) / n) / c, relative to it.
    const cycles = order === 'pairs' || order === 'together' ? 8 : 20
    expect(off(factor('complete:100000', { order }, cycles), known)).toBeLessThan(0.005)
  })

  it.each([
    [`k-out:${n}:20`, 0.316],
    [`small-world:${n}:20:0`, 0.796],
    [`small-world:${n}:20:0.25`, 0.535],
    [`small-world:${n}:20:0.5`, 0.379],
    [`small-world:${n}:20:0.75`, 0.339],
    [`small-world:${n}:20:1`, 0.338],
    [`scale-free:${n}:10`, 0.365],
  ])('on %s by %f', (text, known) => {
    expect(off(factor(text), known)).toBeLessThan(0.012)
  })

  it.each([0.1, 0.5, 0.9])('with loss %f of exchanges by the formula', (loss) => {
    const known = (1 - (1 - loss) / 2) * Math.exp(-(1 - loss) / 2)
    expect(off(factor(`complete:${n}`, { loss }), known)).toBeLessThan(0.005)
  })
})

describe('exchanges', () => {
  const texts = fc.constantFrom('complete:12', 'ring:9', 'grid:3x4', 'k-out:20:3', 'complete:1')
  /** Where all exchange what they had before, a node with several partners goes too far. */
  const inTurn = fc.constantFrom(
    ...pairingOrders.filter((order) => order !== 'matchings' && order !== 'together'),
  )

  it('keep the sum, stay between the extremes and never spread', () => {
    fc.assert(
      fc.property(
        texts,
        inTurn,
        fc.nat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (text, ...rest) => {
          const [order, seed, loss] = rest
          const entries = run(simulation(text, { order, loss }, of(average), seed), 8)
          for (const [i, { massError, min, max, variance }] of entries.entries()) {
            expect(massError).toBeLessThan(1e-14)
            const before = entries[Math.max(0, i - 1)]
            expect(min).toBeGreaterThanOrEqual(before.min! - 1e-15)
            expect(max).toBeLessThanOrEqual(before.max! + 1e-15)
            expect(variance).toBeLessThanOrEqual(before.variance! + 1e-15)
          }
        },
      ),
    )
  })

  it('are n in a cycle', () => {
    for (const order of pairingOrders) {
      const simulated = simulation('complete:10', { order })
      simulated.run()
      expect(simulated.exchanges).toBe(10)
    }
  })

  it('by matchings meet every node twice, with two others', () => {
    const [first, second] = [new Int32Array(10), new Int32Array(10)]
    const topology = network('complete:10', { random: Random.from(1) })
    const pairing = pairingOf('matchings', 10, overlayOf(topology), Random.from(2))
    for (let cycle = 0; cycle < 50; cycle++) {
      pairing.begin()
      expect(pairing.fill(first, second)).toBe(10)
      const met = Array.from({ length: 10 }, () => new Set<number>())
      for (const [i, a] of first.entries()) {
        met[a].add(second[i])
        met[second[i]].add(a)
      }
      for (const [node, others] of met.entries()) {
        expect(others.size).toBe(2)
        expect(others).not.toContain(node)
      }
    }
  })

  it('carry the largest value to all, which takes about the logarithm of n', () => {
    const entries = run(simulation('complete:4096', {}, of(largest)), 12)
    expect(entries[12].within).toBe(1)
    expect(entries[12].min).toBe(entries[0].max)
    expect(entries[4].within).toBeLessThan(1)
  })

  it('never pick deaf nodes: if all are deaf, nothing happens', () => {
    expect(factor('complete:100', { deaf: 1 })).toBe(1)
    const half = factor('complete:5000', { deaf: 0.5 })
    expect(half).toBeGreaterThan(factor('complete:5000'))
    expect(half).toBeLessThan(0.8)
  })
})

describe('change', () => {
  const step = { steps: [{ cycle: 5, node: 3, to: 100 }], drift: 0 }

  it('evaporates: the error of the mean shrinks by exactly one minus the share', () => {
    const conditions = { changes: step, evaporation: 0.1 }
    const entries = run(simulation('complete:100', conditions), 40)
    expect(entries[4].truth).toBeLessThan(1)
    expect(entries[5].truth).toBeGreaterThan(1)
    for (let cycle = 6; cycle <= 40; cycle++) {
      const [now, before] = [cycle, cycle - 1].map((at) => entries[at].mean! - entries[at].truth)
      expect(now / before).toBeCloseTo(0.9, 10)
    }
  })

  it('is unseen until the next epoch, and then exact', () => {
    const entries = run(simulation('complete:64', { changes: step, epoch: 40 }), 80)
    expect(entries[40].within).toBe(0)
    expect(off(entries[40].mean!, entries[0].truth)).toBeLessThan(1e-12)
    expect(off(entries[80].mean!, entries[80].truth)).toBeLessThan(1e-12)
    expect(off(entries[80].min!, entries[80].truth)).toBeLessThan(1e-8)
    expect(off(entries[80].max!, entries[80].truth)).toBeLessThan(1e-8)
  })

  it('forgets a largest value that is gone, by evaporation only', () => {
    const gone = { steps: [0, 1, 2].map((node) => ({ cycle: 20, node, to: 0 })), drift: 0 }
    const up = { steps: [{ cycle: 1, node: 0, to: 50 }, ...gone.steps], drift: 0 }
    const last = (conditions: Partial<CycleConditions>) =>
      run(simulation('complete:50', { epoch: 10, changes: up, ...conditions }, of(largest)), 120)
    expect(last({ epoch: 0 })[19].max).toBeLessThan(1)
    expect(last({})[15].max).toBe(50)
    expect(last({})[120].max).toBeLessThan(1)
    expect(last({ epoch: 0, evaporation: 0.1 })[19].max).toBeGreaterThan(10)
    expect(last({ epoch: 0, evaporation: 0.1 })[120].max).toBeLessThan(1.01)
  })

  it('drifts by at most the given amount', () => {
    const simulated = simulation('complete:500', { changes: { steps: [], drift: 0.25 } })
    const before = simulated.values.slice()
    simulated.run()
    const moves = before.map((value, node) => Math.abs(simulated.values[node] - value))
    expect(Math.max(...moves)).toBeLessThanOrEqual(0.25)
    expect(Math.max(...moves)).toBeGreaterThan(0.2)
  })
})

describe('crashed nodes', () => {
  const at = (times: number[]) => ({
    nodes: Uint32Array.from(times, (_, node) => node),
    times: Float64Array.from(times),
  })

  it('before the first cycle was never there: the others are exact among themselves', () => {
    const simulated = simulation('complete:20', { crashes: at([-1, -1, -1]) })
    const entries = run(simulated, 60)
    const living = simulated.values.slice(3)
    const mean = living.reduce((sum, each) => sum + each) / 17
    expect(off(entries[60].max!, mean)).toBeLessThan(1e-12)
    expect(entries[60].massError).toBeLessThan(1e-14)
    expect(simulated.population.alive).toBe(17)
    expect(simulated.toDead).toBeGreaterThan(0)
  })

  it('later takes its share along, the less the later', () => {
    const error = (cycle: number) =>
      run(simulation('complete:2000', { crashes: at(Array(1000).fill(cycle)) }), 25)[25].massError!
    expect(error(1)).toBeGreaterThan(1e-4)
    expect(error(10)).toBeLessThan(error(1) / 10)
    expect(error(20)).toBeLessThan(error(10) / 10)
  })
})
