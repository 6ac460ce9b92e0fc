import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aggregations, byMessages } from '../../../src/algorithms/index.ts'
import type { PeriodSimulation } from '../../../src/sim/index.ts'
import { gathered, gossiped } from '../../support/gossip-fixture.ts'

const TOTAL = (n: number) => (n * (n - 1)) / 2

/** What all nodes have of the first part, added up. */
function sum({ simulation }: PeriodSimulation): number {
  return simulation.states.all().reduce((all, { p0 }) => all + (p0 as number), 0)
}

const delays = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((most) => `uniform:1:${most}`),
  fc.integer({ min: 1, max: 300 }).map((tenths) => `constant:${tenths / 10}`),
  fc.integer({ min: 1, max: 30 }).map((mean) => `exponential:${mean}`),
)

const overlays = fc.constantFrom(
  ...['complete:20', 'ring:20', 'path:20', 'star:20', 'tree:20:2', 'grid:4x5', 'torus:4x5'],
  ...['small-world:20:4:0.3', 'scale-free:20:2', 'k-out:20:3', 'random:20:0.4'],
)

describe('the average by messages', () => {
  it('shrinks the variance by 1 / (2 sqrt e) in a period, where delays are short', () => {
    const { cycles, last } = gossiped('gossip-average', 15, {
      n: 4000,
      delay: 'constant:0.01',
      values: 'index',
    })
    expect(cycles[0].variance).toBeCloseTo((4000 ** 2 - 1) / 12, 3)
    const factor = (last.variance! / cycles[0].variance!) ** (1 / 15)
    expect(Math.abs(factor - 1 / (2 * Math.sqrt(Math.E)))).toBeLessThan(0.01)
    for (const [i, { factor: each, variance }] of cycles.entries())
      if (i > 0) expect(each).toBe(variance! / cycles[i - 1].variance!)
  })

  it('keeps the sum, whatever overlaps and however long messages take', () => {
    fc.assert(
      fc.property(
        overlays,
        fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 20, maxLength: 20 }),
        delays,
        fc.constantFrom('fifo', 'any'),
        fc.nat(1000),
        fc.integer({ min: 1, max: 120 }),
        (topology, values, delay, order, seed, tenths) => {
          const set = { period: tenths / 10, exchanges: 3 }
          const given = { topology, values, delay, order, seed, set }
          const { run, last } = gossiped('gossip-average', 8, given)
          const [wanted, scale] = [Number, Math.abs].map((of) =>
            values.reduce((all, value) => all + of(value), 0),
          )
          expect(Math.abs(sum(run) - wanted)).toBeLessThanOrEqual(1e-12 * scale)
          expect(last.massError ?? 0).toBeLessThanOrEqual(1e-12)
          expect(run.traffic.byType).toEqual({ push: 60, answer: 60 })
        },
      ),
      { numRuns: 40 },
    )
  })

  it('counts what is in flight: no cycle is missing anything', () => {
    const { cycles } = gossiped('gossip-average', 12, { n: 50, delay: 'uniform:1:9' })
    for (const { massError } of cycles) expect(massError).toBeLessThan(1e-12)
  })

  it('loses the sum as Zambonelli (2023) prints it, where the right form keeps it', () => {
    const errors = Array.from({ length: 8 }, (_, seed) => {
      const given = { n: 1000, values: 'peak', seed }
      expect(gossiped('gossip-average', 15, given).last.massError).toBeLessThan(1e-4)
      expect(gossiped('gossip-count', 15, { n: 1000, seed }).last.massError).toBeLessThan(1e-4)
      return gossiped('gossip-average-naive', 15, given).last.massError!
    })
    const rms = Math.sqrt(errors.reduce((all, error) => all + error ** 2, 0) / errors.length)
    expect(rms).toBeGreaterThan(0.03)
  })

  it('is the same in the form of Zambonelli (2023) when exchanges do not overlap', () => {
    // Of two nodes that begin once, far apart in time, each is answered before the other begins.
    const given = { values: [0, 8], delay: 'constant:0.000001', set: { exchanges: 1 } }
    const { run } = gossiped('gossip-average-naive', 3, given)
    expect(run.traffic.total).toBe(4)
    expect(sum(run)).toBe(8)
  })

  it('has every node begin once in each period', () => {
    for (const period of [1, 0.3, 10, 7.25]) {
      const { run } = gathered('gossip-average', { n: 30, set: { period } })
      for (let cycle = 1; cycle <= 40; cycle++) {
        run.run()
        expect(run.traffic.byType.push).toBe(30 * cycle)
      }
    }
  })

  it('wakes everybody', () => {
    const { run, last } = gossiped('gossip-average', 20, { n: 100, wake: '7' })
    expect(run.simulation.states.all().every(({ status }) => status !== 'asleep')).toBe(true)
    expect(last).toMatchObject({ within: 1 })
    expect(last.massError).toBeLessThan(1e-12)
  })

  it('picks any of the links that the network lets it pick from, and no other', () => {
    // Where nothing arrives nothing is answered.
    const { run } = gathered('gossip-average', { topology: 'k-out:50:2', loss: 1 })
    const { topology } = run.simulation.world
    const asked = new Set<number>()
    const neighbor = topology.neighbor.bind(topology)
    topology.neighbor = (node, link) => {
      asked.add(link)
      return neighbor(node, link)
    }
    for (let cycle = 0; cycle < 5; cycle++) run.run()
    expect(run.traffic).toMatchObject({ lost: 250, total: 250 })
    expect([...asked].sort()).toEqual([0, 1])
  })

  it('never picks the deaf, who still begin exchanges themselves', () => {
    const { run, last } = gossiped('gossip-average', 40, { n: 50, set: { deaf: 0.4 } })
    const deaf = [...Array(50).keys()].filter((node) => run.population.isDeaf(node))
    expect(deaf).toHaveLength(20)
    // A pick that falls on one of the 20 deaf of 49 others comes to nothing.
    expect(run.traffic.byType.push / (50 * 40)).toBeCloseTo(1 - 20 / 49, 1)
    expect(last.within).toBe(1)
  })
})

/** Sketches and stages are as near as theory says, which has tests of its own. */
const exact = aggregations
  .filter((one) => byMessages(one).computes!.aggregate.row === undefined)
  .map(({ name }) => name)

describe.each(exact)('%s by messages', (name) => {
  it('comes to the truth', () => {
    // Flows over many links take long to settle.
    const network = name === 'flow-updating' ? { topology: 'torus:8x8' } : { n: 60 }
    const given = { ...network, values: 'uniform:1:2', delay: 'constant:0.1' }
    const { last } = gossiped(name, 60, given)
    // What overlaps costs the literal form a little.
    const naive = name === 'gossip-average-naive'
    expect(last.within).toBeGreaterThanOrEqual(naive ? 0 : 1)
    expect(last.massError ?? 0).toBeLessThan(naive ? 0.05 : 1e-9)
  })
})

describe('extremes by messages', () => {
  it('reach every node, and no estimate ever exceeds them', () => {
    const given = { n: 1000, values: 'index' }
    const { cycles, last } = gossiped('gossip-max', 15, given)
    expect(cycles.every(({ max }) => max === 999)).toBe(true)
    expect(last).toMatchObject({ min: 999, variance: 0, within: 1, massError: null })
    expect(gossiped('gossip-min', 15, given).last).toMatchObject({ min: 0, max: 0, within: 1 })
  })
})

describe('what is lost', () => {
  it('with an answer stays lost without epochs', () => {
    const { last } = gossiped('gossip-average', 30, { n: 200, loss: 0.2 })
    expect(last.massError).toBeGreaterThan(1e-4)
  })

  it('with a crash is what the node had', () => {
    const { last } = gossiped('gossip-average', 20, { n: 200, values: 'index', crash: '199@10' })
    const truth = TOTAL(199) / 199
    expect(last.truth).toBeCloseTo(truth, 9)
    // It crashed with about the average of all, which is not the value that it brought.
    expect(last.mean).toBeGreaterThan(truth + 0.2)
  })

  it('is restored by the next epoch, and with it the 1 of a count', () => {
    for (const name of ['gossip-average', 'gossip-count']) {
      const given = { n: 100, crash: '0.5@8', set: { epoch: 40 } }
      const { cycles, run } = gossiped(name, 79, given)
      expect(cycles[39].within).toBeLessThan(1)
      expect(cycles[79].within).toBe(1)
      const { states } = run.simulation
      for (const [node, { era }] of states.all().entries())
        if (run.population.isAlive(node)) expect(era).toBe(1)
    }
  })
})

describe('values that change', () => {
  const changed = Array.from({ length: 100 }, (_, node) => `${node}@21=${node / 2}`).join(';')
  const changing = (set: Record<string, number>, name = 'gossip-average') =>
    gossiped(name, 39, { n: 100, values: `index;${changed}`, set }).cycles

  it('are not seen without epochs or evaporation', () => {
    expect(changing({})[39]).toMatchObject({ truth: 24.75, within: 0 })
  })

  it('are seen in the epoch after', () => {
    const cycles = changing({ epoch: 20 })
    expect(cycles[19].mean).toBeCloseTo(49.5, 1)
    expect(cycles[39].mean).toBeCloseTo(24.75, 1)
    expect(cycles[39].within).toBe(1)
  })

  it('are seen by and by with evaporation: each period leaves 1 - e of the error', () => {
    const cycles = changing({ evaporation: 0.1 })
    const [before, later] = [cycles[25], cycles[35]].map(({ mean }) => mean! - 24.75)
    expect((later / before) ** (1 / 10)).toBeCloseTo(0.9, 1)
    const falling = changing({ evaporation: 0.1 }, 'gossip-max')
    expect(falling[20].max).toBe(99)
    expect(falling[39].mean).toBeLessThan(95)
  })
})

describe('a recovered node', () => {
  it('waits for the next epoch', () => {
    const given = {
      n: 50,
      values: 'index',
      crash: '49@13',
      recover: '49@15',
      set: { epoch: 10 },
    }
    const { run } = gathered('gossip-average', given)
    for (let cycle = 0; cycle < 17; cycle++) run.run()
    const { states } = run.simulation
    expect(states.of(49)).toMatchObject({ standing: 'waiting', era: 2, p0: 49 })
    expect(run.population).toMatchObject({ alive: 50, waiting: 1, active: 49 })
    for (let cycle = 17; cycle < 29; cycle++) run.run()
    expect(states.of(49)).toMatchObject({ standing: 'member', era: 2 })
    expect(states.all().every(({ p0 }) => Math.abs((p0 as number) - 24.5) < 1)).toBe(true)
  })
})
