import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { linksOf, type Topology } from '../../../src/core/language/topology.ts'
import { prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import {
  type AggregationRun,
  aggregationCycles,
  estimator,
  observe,
} from '../../../src/sim/index.ts'
import { campaign } from '../../support/campaign.ts'
import { aggregationNamed } from '../../support/gossip-fixture.ts'

/** A run with the checks of every cycle. */
function ran(
  name: string,
  given: ScenarioInput,
  look: (run: AggregationRun) => void = () => {},
): AggregationRun {
  const { scenario, begin } = prepare(given, aggregationNamed(name), String)
  const run = begin()
  look(run)
  for (const _ of aggregationCycles(run, scenario)) look(run)
  return run
}

function estimates(run: AggregationRun): number[] {
  const estimate = estimator(run)
  return Array.from({ length: run.n }, (_, node) => estimate(node))
}

function rows(run: AggregationRun): string[] {
  return Array.from({ length: run.n }, (_, node) =>
    String(run.readRow!(node, (row, at) => row.slice(at, at + run.aggregate.row!.length).join())),
  )
}

/** The longest of all shortest ways. */
function diameterOf(topology: Topology): number {
  let most = 0
  for (let from = 0; from < topology.n; from++) {
    const distance = new Map([[from, 0]])
    for (const [node, steps] of distance)
      for (const link of linksOf(topology, node)) {
        const peer = topology.neighbor(node, link)
        if (!distance.has(peer)) distance.set(peer, steps + 1)
      }
    most = Math.max(most, ...distance.values())
  }
  return most
}

const graphs = fc.oneof(
  fc.integer({ min: 2, max: 14 }).map((n) => `random:${n}:0.4`),
  fc.integer({ min: 1, max: 12 }).map((n) => `path:${n}`),
  fc.integer({ min: 3, max: 14 }).map((n) => `tree:${n}:2`),
  fc.integer({ min: 3, max: 14 }).map((n) => `ring:${n}`),
)

describe('rows that are flooded', () => {
  it('are the same everywhere after at most diameter rounds, and lists exact', () => {
    fc.assert(
      fc.property(
        graphs,
        fc.nat(1000),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('cycles', 'async'),
        (topology, seed, k, timing) => {
          const world = { topology, seed, timing }
          const prepared = prepare({ ...world, set: { k } }, aggregationNamed('top-k'), String)
          const until = Math.max(1, diameterOf(prepared.topology))
          const lists = ran('top-k', { ...world, until, set: { k, how: 'flood' } })
          const wanted = [...lists.values]
            .map((value, node) => ({ value, node }))
            .sort((a, b) => b.value - a.value || b.node - a.node)
            .slice(0, k)
          for (let node = 0; node < lists.n; node++)
            expect(lists.readRow!(node, (row, at) => lists.aggregate.found!(row, at))).toEqual({
              values: wanted.map(({ value }) => value),
              owners: wanted.map((one) => one.node),
            })
          const minima = ran('extrema', { ...world, until, set: { K: 3, how: 'flood' } })
          expect(new Set(rows(minima)).size).toBe(1)
        },
      ),
      { numRuns: campaign(1000) },
    )
  })

  it('reach nobody sooner than the distance says, in cycles', () => {
    // Only flooding: exchanges may carry news further within a cycle.
    const at = { topology: 'path:30', timing: 'cycles', values: 'peak', until: 6 }
    const run = ran('top-k', { ...at, set: { k: 1, deaf: 1, how: 'flood' } })
    expect(estimates(run)).toEqual(Array.from(run.values, (_, i) => (i <= 6 ? 30 : 0)))
  })
})

describe('losses, repeats and crashes', () => {
  it.each(['cycles', 'async'])(
    '%s: sketches come to the same with and without losses',
    (timing) => {
      for (const [name, set] of Object.entries({
        extrema: { K: 10 },
        distinct: { registers: 64 },
        'top-k': { k: 3 },
      })) {
        const world = { topology: 'torus:4x5', timing, until: 60 }
        for (const how of ['flood', 'exchange']) {
          const calm = rows(ran(name, { ...world, set: { ...set, how } }))
          const lossy = rows(ran(name, { ...world, loss: 0.3, set: { ...set, how } }))
          expect(new Set(calm).size).toBe(1)
          // Drawn numbers are those of the same stream in cycles only.
          if (name !== 'extrema' || timing === 'cycles') expect(lossy).toEqual(calm)
          expect(new Set(lossy).size).toBe(1)
        }
      }
    },
  )

  it('by messages, duplicates change nothing', () => {
    const world = { topology: 'ring:12', until: 40, set: { registers: 64 } }
    const twice = rows(ran('distinct', { ...world, duplicate: 0.5 }))
    expect(twice).toEqual(rows(ran('distinct', world)))
  })

  it.each(['cycles', 'async'])('%s: shares sum to 1 at every node, whatever is lost', (timing) => {
    fc.assert(
      fc.property(fc.nat(1000), fc.constantFrom(0, 0.3), (seed, loss) => {
        const world = { n: 12, timing, seed, loss, crash: '0.2@3', until: 12 }
        ran('histogram', world, (run) => {
          for (let node = 0; node < run.n; node++) {
            const broken = run.readRow!(node, run.aggregate.row!.invariant!.broken)
            expect(broken).toBeNull()
          }
        })
      }),
      { numRuns: campaign(250) },
    )
  })

  it('a crashed node stays counted until an epoch', () => {
    const world = { n: 60, timing: 'cycles', crash: '0.5@12', until: 23 }
    const kept = estimates(ran('extrema', { ...world, set: { K: 1000 } }))
    const anew = ran('extrema', { ...world, set: { K: 1000, epoch: 12 } })
    const live = estimates(anew).filter((estimate) => !Number.isNaN(estimate))
    expect(live.length).toBe(30)
    expect(Math.max(...kept.filter((one) => !Number.isNaN(one)))).toBeGreaterThan(50)
    for (const estimate of live) expect(Math.abs(estimate - 30)).toBeLessThan(5)
  })
})

describe('the histogram', () => {
  it.each(['cycles', 'async'])('%s: every bin behaves as an average', (timing) => {
    const world = { n: 500, timing, delay: timing === 'async' ? 'constant:0.01' : undefined }
    const given = JSON.parse(JSON.stringify({ ...world, until: 20 }))
    const run = ran('histogram', given)
    const shares = run.readRow!(7, (row, at) => run.aggregate.found!(row, at))!.shares as number[]
    for (const [bin, share] of shares.entries()) {
      const there = [...run.values].filter((value) => Math.floor(value * 4) === bin).length
      expect(share).toBeCloseTo(there / 500, 4)
    }
    expect(observe(run, 0.01, null).massError).toBeLessThan(1e-12)
  })
})

describe('the quantile', () => {
  it('is right for every phi and any values, also few and equal ones', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 100 }),
        fc.nat(1000),
        (values, percent, seed) => {
          const set = { phi: percent / 100, precision: 0.5 }
          const run = ran('quantile', { values, seed, timing: 'cycles', set })
          const rank = Math.floor((percent * values.length + 99) / 100)
          const wanted = values.toSorted((a, b) => a - b)[rank - 1]
          for (const estimate of estimates(run)) {
            expect(estimate).toBeGreaterThanOrEqual(wanted)
            expect(estimate).toBeLessThanOrEqual(wanted + 0.5)
          }
        },
      ),
      { numRuns: campaign(1000) },
    )
  })

  it('searches again with the values of then, and nodes that join take part', () => {
    // Seven stages of 14 cycles are a search; the values change during the first.
    const shifted = Array.from({ length: 100 }, (_, node) => `${node}@5=${node + 1000}`).join(';')
    const values = `${Array.from({ length: 100 }, (_, node) => node).join()};${shifted}`
    const world = { timing: 'cycles', values, set: { precision: 1 } }
    const first = ran('quantile', { ...world, until: 113 })
    const later = ran('quantile', { ...world, until: 250 })
    for (const estimate of estimates(first)) expect(Math.abs(estimate - 49.5)).toBeLessThan(1.1)
    for (const estimate of estimates(later)) expect(Math.abs(estimate - 1049.5)).toBeLessThan(1.1)
    const churning = { leave: 0.02, join: 0.02, precision: 0.05 }
    const run = ran('quantile', { n: 200, timing: 'cycles', set: churning, until: 200 })
    for (const estimate of estimates(run).filter((one) => !Number.isNaN(one)))
      expect(Math.abs(estimate - 0.5)).toBeLessThan(0.25)
  })

  it('needs more cycles on a ring, as it says', () => {
    const world = { topology: 'ring:24', timing: 'cycles', values: 'index' }
    const spread = (cycles: number) =>
      new Set(estimates(ran('quantile', { ...world, set: { precision: 1, cycles } }))).size
    expect(spread(0)).toBeGreaterThan(1)
    expect(spread(300)).toBe(1)
  })
})

describe('the messages', () => {
  it.each([
    ['extrema', 'minima'],
    ['distinct', 'sketch'],
    ['top-k', 'list'],
  ])('of %s have one name both ways', (name, message) => {
    const world = { n: 10, until: 5, delay: 'constant:0.01' }
    for (const given of [{ n: 10, until: 5, timing: 'cycles' }, world]) {
      const { traffic, bits } = ran(name, given)
      // Each node pushes once in a cycle, and is answered.
      expect(traffic.byType).toEqual({ [message]: 2 * 10 * 5 })
      // One bit says whether it is an answer.
      const numbers = { extrema: 100 * 64, distinct: 256 * 8, 'top-k': 6 * 64 }[name]!
      expect(bits).toBe(100 * (1 + numbers))
    }
  })
})

describe('what is refused', () => {
  it.each<[string, ScenarioInput, string]>([
    [
      'extrema',
      { n: 1_000_000, timing: 'cycles', set: { K: 1000 } },
      '1,000,000 nodes with 1,000 numbers each take 7,630 MB; the limit is 2,048 MB.',
    ],
    ['extrema', { n: 4, set: { of: 'mean' } }, 'expected one of count, sum, got "mean"'],
    ['extrema', { values: '1,0', set: { of: 'sum' } }, 'extrema needs values above 0, not 0.'],
    ['distinct', { n: 4, set: { registers: 100 } }, 'a power of 2 from 16 to 65536'],
    ['quantile', { n: 4, set: { phi: 0 } }, 'a number above 0, up to 1'],
    ['quantile', { n: 4, set: { epoch: 3 } }, 'quantile by messages has no parameter "epoch"'],
    ['top-k', { n: 4, set: { evaporation: 0.1 } }, 'has no parameter "evaporation"'],
    ['histogram', { n: 4, set: { edges: '1:0' } }, 'at least 2 increasing numbers with colons'],
    ['histogram', { values: '0.5,2' }, 'histogram needs values from 0 up to but not including 1'],
    [
      'top-k',
      { n: 40, timing: 'cycles', set: { how: 'flood', peers: 'newscast:5' } },
      'flooding needs links that stay',
    ],
  ])('%s %j', (name, given, says) => {
    expect(() => prepare(given, aggregationNamed(name), String)).toThrow(says)
  })

  it('exchanges are the default on complete networks and with newscast, flooding elsewhere', () => {
    const how = (given: ScenarioInput) =>
      prepare(given, aggregationNamed('top-k'), String).scenario.set.how
    expect(how({ n: 5 })).toBe('exchange')
    expect(how({ topology: 'ring:5' })).toBe('flood')
    const views = { topology: 'ring:5', timing: 'cycles', set: { peers: 'newscast:3' } }
    expect(how(views)).toBe('exchange')
  })
})

describe('columns of 4 MB and more, exchanged by vectors', () => {
  afterEach(() => vi.unstubAllGlobals())
  const bins = Array.from({ length: 1001 }, (_, i) => i / 1000).join(':')

  it.each([
    ['extrema', 'without faults', { n: 53, set: { K: 9_999 } }],
    [
      'extrema',
      'with losses and epochs',
      { n: 53, loss: 0.2, set: { K: 9_999, of: 'sum', epoch: 2 }, values: 'uniform:1:2' },
    ],
    ['distinct', 'with crashes', { n: 64, crash: '0.2@2', set: { registers: 65_536 } }],
    ['histogram', 'with churn', { n: 600, set: { edges: bins, leave: 0.02, join: 0.02 } }],
    ['histogram', 'on a ring', { topology: 'ring:600', set: { edges: bins, evaporation: 0.1 } }],
  ])('%s %s: all numbers are those without WebAssembly', (name, _, given) => {
    const run = (plainly: boolean) => {
      const after: (Uint8Array | object)[] = []
      ran(name, { timing: 'cycles', until: 4, ...given } as ScenarioInput, (state) => {
        const { buffer, byteOffset, byteLength } = state.column!
        // The memory of WebAssembly has whole pages.
        expect(buffer.byteLength > byteLength).toBe(!plainly)
        after.push(new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength)))
        after.push(observe(state, 0.01, null), state.traffic)
      })
      return after
    }
    const fast = run(false)
    vi.stubGlobal('WebAssembly', undefined)
    const plain = run(true)
    expect(plain.length).toBe(fast.length)
    for (const [i, one] of plain.entries())
      if (one instanceof Uint8Array) expect(Buffer.compare(one, fast[i] as Uint8Array)).toBe(0)
      else expect(fast[i]).toEqual(one)
  })
})
