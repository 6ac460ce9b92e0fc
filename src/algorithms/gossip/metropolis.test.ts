import { describe, expect, it } from 'vitest'
import { aggregationNamed, gossiped } from '../../../test/support/gossip-fixture.ts'
import { checkWorld } from '../../check/index.ts'
import { aggregation } from '../../problems/aggregation.ts'
import { flagged, prepare, type ScenarioInput } from '../../scenario/index.ts'
import { type CycleEntry, observe } from '../../sim/index.ts'

function cycles(given: ScenarioInput, until: number) {
  const run = prepare(
    { timing: 'cycles', ...given },
    aggregationNamed('metropolis'),
    flagged,
  ).begin()
  const entries: CycleEntry[] = [observe(run, 0.01, null)]
  for (let round = 1; round <= until; round++) {
    run.run()
    entries.push(observe(run, 0.01, entries[round - 1]))
  }
  return { run, entries }
}

const topologyOf = (topology: string) =>
  prepare({ topology }, aggregationNamed('metropolis'), flagged).topology

/** The matrix of weights of a network, as a list of rows. */
function matrix(text: string): number[][] {
  const topology = topologyOf(text)
  const { n, firstLink } = topology
  return Array.from({ length: n }, (_, node) => {
    const row = new Array<number>(n).fill(0)
    const degree = topology.degree(node)
    let kept = 1
    for (let link = firstLink; link < firstLink + degree; link++) {
      const other = topology.neighbor(node, link)
      const weight = 1 / (1 + Math.max(degree, topology.degree(other)))
      row[other] += weight
      kept -= weight
    }
    row[node] += kept
    return row
  })
}

const oneTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const TEXTS = [
  'ring:8',
  'path:5',
  'star:7',
  'grid:3x4',
  'torus:3x5',
  'hypercube:4',
  'tree:15:2',
  'complete:6',
  'random:20:0.3',
  'k-out:15:2',
  'ring:1',
  'ring:2',
  'path:2',
  'complete:1',
]

describe.each(TEXTS)('on %s', (topology) => {
  const weights = matrix(topology)
  const values = oneTo(weights.length)

  it('every round multiplies by the matrix of weights, in rounds and by messages', () => {
    let x = values
    const inRounds = cycles({ topology, values }, 0).run
    const byMessages = prepare(
      { topology, values },
      aggregationNamed('metropolis'),
      flagged,
    ).begin()
    for (let round = 1; round <= 12; round++) {
      x = weights.map((row) => row.reduce((sum, weight, node) => sum + weight * x[node], 0))
      inRounds.run()
      byMessages.run()
      for (const [node, wanted] of x.entries()) {
        expect(Math.abs(inRounds.valueAt(node, 0) - wanted)).toBeLessThan(1e-12)
        expect(Math.abs(byMessages.valueAt(node, 0) - wanted)).toBeLessThan(1e-12)
      }
    }
  })

  it('the sum is kept and the variance never grows', () => {
    const { entries } = cycles({ topology, values }, 40)
    for (const [i, { massError, variance }] of entries.entries()) {
      expect(massError).toBeLessThan(1e-13)
      expect(variance).toBeLessThanOrEqual(entries[Math.max(0, i - 1)].variance! + 1e-12)
    }
  })

  it('sends 2E messages per round', () => {
    const { links } = topologyOf(topology)
    const sent = cycles({ topology, values }, 5).run
    const messages = gossiped('metropolis', 5, { topology, values }).run
    expect(sent.traffic.byType).toEqual(messages.traffic.byType)
    expect(sent.bits).toBe(messages.bits)
    if (weights.length > 1) expect(sent.traffic.total).toBe(10 * links)
  })
})

it.each([
  ['path:5', [2, 1.5111, 1.1506, 0.5082]],
  ['ring:8', [5.25, 2.3611, 1.4475, 0.3889]],
])('%s with values 1 to n has the known variances', (topology, known) => {
  const n = Number(topology.split(':')[1])
  const { entries } = cycles({ topology, values: oneTo(n) }, 5)
  for (const [i, round] of [0, 1, 2, 5].entries())
    expect(entries[round].variance).toBeCloseTo(known[i], 4)
})

/** The second largest eigenvalue, by theory. */
const EIGENVALUES = [
  ['ring:12', 1 - (2 - 2 * Math.cos((2 * Math.PI) / 12)) / 3],
  ['path:6', 1 - (2 - 2 * Math.cos(Math.PI / 6)) / 3],
  ['star:8', 1 - 1 / 8],
  ['hypercube:5', 4 / 6],
  ['torus:4x4', 1 - 2 / 5],
] as const

it.each(EIGENVALUES)(
  'on %s the deviation shrinks by %f in the long run',
  (topology, eigenvalue) => {
    const { n } = topologyOf(topology)
    const rounds = Math.ceil(Math.log(1e-9) / Math.log(eigenvalue))
    const { entries } = cycles({ topology, values: oneTo(n) }, rounds)
    expect(Math.sqrt(entries[rounds].factor!)).toBeCloseTo(eigenvalue, 4)
  },
)

it('a complete network is exact after one round', () => {
  for (const n of [2, 3, 10, 50])
    expect(cycles({ n, values: oneTo(n) }, 1).entries[1].variance).toBeLessThan(1e-25)
})

describe('what breaks it', () => {
  it.each([
    { loss: 0.1 },
    { delay: 'uniform:1:30' },
    { wake: '0@1,1@2,2@3,3@4,4@5,5@6,6@7,7@8', delay: 'constant:15' },
  ])('by messages the sum drifts with %o', (given) => {
    const weaker = { topology: 'ring:8', values: oneTo(8), ...given, 'allow-weaker': true }
    const { last } = gossiped('metropolis', 40, weaker)
    expect(last.massError).toBeGreaterThan(1e-3)
  })

  it.each([
    [
      { delay: 'uniform:1:30' },
      '--delay: metropolis needs messages to arrive within a round of 10, but delays are up to 30. Use a delay up to 10, --set period=30, or add --allow-weaker to see the sum drift.',
    ],
    [
      { delay: 'exponential:1' },
      '--delay: metropolis needs messages to arrive within a round of 10, but delays have no bound. Use a delay up to 10, or add --allow-weaker to see the sum drift.',
    ],
    [
      { wake: '0' },
      '--wake: metropolis needs all nodes to start at the same time, not 0. Use all, or add --allow-weaker to see the sum drift.',
    ],
  ])('%o is refused unless it is asked for', (given, says) => {
    const world = { topology: 'ring:8', timing: 'async', ...given }
    expect(() => prepare(world, aggregationNamed('metropolis'), flagged)).toThrow(says)
  })

  it('a message may take a whole round', () => {
    const world = { topology: 'ring:8', values: oneTo(8), timing: 'async', delay: 'uniform:1:10' }
    expect(gossiped('metropolis', 40, world).last.massError).toBeLessThan(1e-12)
  })

  it('in rounds the sum drifts with loss', () => {
    expect(
      cycles({ topology: 'ring:8', values: oneTo(8), loss: 0.1 }, 40).entries[40].massError,
    ).toBeGreaterThan(1e-3)
  })

  it('the checker shows it where rounds do not exist', () => {
    const given = { topology: 'path:3', values: [0, 4, 8], set: { exchanges: 2 } }
    const { world: one } = prepare(given, aggregationNamed('metropolis'), flagged).messages()!
    const { properties } = aggregation(one.algorithm.computes!.aggregate)
    const limits = { states: 1_000_000 }
    const options = { order: 'fifo', wake: [0, 1, 2], properties, limits } as const
    const rounds = checkWorld(one, { ...options, mode: { clocked: 1 } })
    expect(rounds).toMatchObject({ exhausted: true, violated: null })
    expect(checkWorld(one, { ...options, mode: 'untimed' }).violated?.property).toBe(
      'the sum is kept',
    )
  })
})
