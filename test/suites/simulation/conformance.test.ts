import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aggregations, byMessages } from '../../../src/algorithms/index.ts'
import {
  boundedDelay,
  type CheckOptions,
  checkWorld,
  defaultMode,
} from '../../../src/check/index.ts'
import type { ClusterResult } from '../../../src/cli/cluster/spawn.ts'
import { runInMemory, runOnLoopback } from '../../../src/cluster/index.ts'
import { runThrough } from '../../../src/cluster/local-cluster.ts'
import { type Algorithm, Random, type Row, type State } from '../../../src/core/index.ts'
import { partName, partnersOf } from '../../../src/core/language/aggregate.ts'
import type { World } from '../../../src/core/language/world.ts'
import { nats } from '../../../src/nats/transport.ts'
import { aggregation as aggregationProblem } from '../../../src/problems/aggregation.ts'
import { exploredProperties } from '../../../src/problems/algorithm-properties.ts'
import { delayOf } from '../../../src/scenario/fields/delay.ts'
import { flagged, prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import { type RunResult, simulationOf } from '../../../src/sim/index.ts'
import { PROGRAM, processJson } from '../../support/built-program.ts'
import { sample } from '../../support/campaign.ts'
import { type NatsServer, startNatsServer } from '../../support/nats-server.ts'
import { necklaces } from '../../support/oracles.ts'
import {
  clustered,
  ending,
  expectPromised,
  leads,
  named,
  observe,
  possibleSize,
  possibleTotals,
  preparation,
  promised,
  shuffled,
  violationsIn,
  winner,
} from '../../support/random-worlds.ts'
import { shellJson } from '../../support/run-command.ts'

/** The worlds of the simulator that offer what an algorithm needs. */
function timings({ needs }: Algorithm): ScenarioInput[] {
  const rounds = { timing: 'sync' }
  if (needs.time === 'rounds') return [rounds]
  const bounded = ['unit', 'constant:2.5', 'uniform:1:10']
  const delays = needs.time === 'bounded delay' ? bounded : [...bounded, 'exponential:1']
  const orders = needs.order === 'fifo' ? ['fifo'] : ['fifo', 'any']
  return [rounds, ...delays.flatMap((delay) => orders.map((order) => ({ delay, order })))]
}

function wakes({ needs }: Algorithm, n: number): string[] {
  if (needs.start === 'together') return ['all']
  const some = Array.from({ length: n }, (_, node) => `${node}@${1 + ((5 * node) % 7)}`)
  return ['all', '0', `${n - 1}`, 'rate:0.5', some.filter((_, node) => node % 2 === 0).join()]
}

function startersFor({ needs }: Algorithm, n: number): number[][] {
  const all = Array.from({ length: n }, (_, node) => node)
  if (needs.start === 'together' || n === 1) return [all]
  return [all, [0], all.filter((node) => node % 3 === 1)]
}

const total = (terms: readonly number[]) => terms.reduce((sum, term) => sum + term, 0)

/** Daily fewer of the larger ones. */
const SIZES = process.env.LONG_TESTS ? [1, 2, 3, 4, 5, 8, 13, 16] : [1, 2, 3, 4, 8]

describe.each(named(ending))('%s in the simulator', (_, algorithm) => {
  it.each(sample(timings(algorithm), 3))('%o', (timing) => {
    for (const n of SIZES.filter((size) => size === possibleSize(algorithm, size)))
      for (const [i, wake] of wakes(algorithm, n).entries()) {
        const seed = 100 * n + i
        const ids = shuffled(n, seed)
        const { result, starts } = observe(algorithm, { ...timing, ids, wake, seed })
        if (result.failure?.failed) continue
        expect(result.verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        const id = winner(algorithm, ids, starts.keys())
        if (id !== null) expect(result.leader?.id).toBe(id)
        if (timing.order !== 'any') expectPromised(algorithm, ids, result.messages)
      }
  })
})

const limits = { states: 1_000_000 }
/** Networks that the checker can exhaust in a moment, where these are not all up to four nodes. */
const LARGEST_EXPLORED: Readonly<Record<string, number>> = {
  bully: 3,
  'bully-textbook': 3,
  'ring-list': 3,
  'afek-gafni': 3,
  wireless: 3,
  'tree-aggregate': 3,
  'echo-extinction': 3,
  // Two nodes draw two of four numbers each; three would draw two of nine.
  sublinear: 2,
  // Rounds of random choices have no limit; one node needs only one.
  'itai-rodeh': 1,
  'itai-rodeh-bare': 3,
  'itai-rodeh-bit': 3,
}

/** Every permutation of ids on the algorithm's own network; on a graph, on a complete one. */
function smallWorlds({ needs }: Algorithm, n: number): ScenarioInput[] {
  const topology = needs.topology === 'any' ? { topology: `complete:${n}` } : {}
  return necklaces(n).map((ids) => ({ ids, ...topology }))
}

describe.each(named(ending))('%s in the checker', (_, algorithm) => {
  const { needs } = algorithm
  const mode = defaultMode(algorithm)
  const orders = needs.order || needs.time ? (['fifo'] as const) : (['fifo', 'any'] as const)
  const sizes = [1, 2, 3, 4].filter(
    (n) => n <= (LARGEST_EXPLORED[algorithm.name] ?? 4) && n === possibleSize(algorithm, n),
  )

  it.each(sizes)('every interleaving on networks of %i', (n) => {
    for (const given of smallWorlds(algorithm, n)) {
      const { world, properties: required } = preparation(algorithm, {
        ...given,
        ...boundedDelay(algorithm, mode),
      })
      const ids = given.ids as number[]
      const all = [...ids.keys()]
      const mayFail = algorithm.theory.fails !== undefined
      const basic = mayFail ? exploredProperties(algorithm, false, required) : required
      const properties = mayFail ? basic : [...basic, leads(winner(algorithm, ids))]
      for (const order of orders) {
        const expectAll = (options: Pick<CheckOptions, 'wake' | 'properties'>) => {
          const result = checkWorld(world, { mode, order, limits, ...options })
          expect(result).toMatchObject({ exhausted: true, violated: null })
          expect(result.properties.filter(({ holds }) => holds !== true)).toEqual([])
        }
        expectAll({ wake: all, properties })
        if (needs.start === 'together') continue
        // The winner may depend on the initiators.
        const sure = all.every((node) => winner(algorithm, ids, [node]) === winner(algorithm, ids))
        expectAll({ wake: 'any', properties: sure ? properties : basic })
      }
    }
  })
})

describe.each(named([...promised.keys()]))('%s in the checker', (_, algorithm) => {
  it.each([1, 2, 3, 4])('every path sends the promised number of messages, n = %i', (n) => {
    for (const ids of necklaces(n)) {
      const { world } = preparation(algorithm, { ids })
      const total = promised.get(algorithm)!(ids) + n
      for (const mode of ['untimed', { clocked: 1 }, { clocked: 2 }] as const)
        if (mode === 'untimed' || n < 4)
          expect(possibleTotals(world, { mode, order: 'fifo', wake: 'any' })).toEqual([total])
    }
  })
})

let server: NatsServer
let clusters = 0

beforeAll(async () => {
  server = await startNatsServer({ jetStream: false })
})

afterAll(() => server.stop())

const runOverNats: typeof runInMemory = (world, options) =>
  runThrough(nats(server.url, { cluster: `${clusters++}`, insecure: true }), world, options)

describe.each(named(clustered))('%s between members', (_, algorithm) => {
  const expectElection = async (
    run: typeof runInMemory,
    n: number,
    starters: readonly number[],
    seed: number,
  ) => {
    const ids = shuffled(n, seed)
    // Processes that know no ring have a link to each other.
    const topology = algorithm.needs.topology === 'any' ? { topology: `complete:${n}` } : {}
    const { world, properties } = preparation(algorithm, { ids, ...topology })
    // A busy machine delays messages, most of all where a server is between the members.
    const unit = run === runOverNats ? 250 : 150
    const outcome = await run(world, { starters, random: Random.from(seed), unit })
    const wanted = [...properties, leads(winner(algorithm, ids, starters))]
    expect(violationsIn(outcome, wanted)).toEqual([])
    expectPromised(algorithm, ids, outcome.messages)
  }

  it.each([1, 2, 3, 5, 8])('in memory, n = %i', async (n) => {
    const elections = startersFor(algorithm, n).flatMap((starters) =>
      sample([1, 2, 3, 4, 5], 2).map((seed) => expectElection(runInMemory, n, starters, seed)),
    )
    await Promise.all(elections)
  })

  it.each(process.env.LONG_TESTS ? [1, 2, 5] : [5])(
    'over sockets of the loopback device, n = %i',
    async (n) => {
      await expectElection(runOnLoopback, n, [...Array(n).keys()], n)
    },
  )

  const daily = ['lcr', 'bully'].includes(algorithm.name) ? [5] : []
  it.each(process.env.LONG_TESTS ? [1, 2, 5] : daily)('over NATS, n = %i', async (n) => {
    await expectElection(runOverNats, n, [...Array(n).keys()], n)
  })
})

/** Every node begins three exchanges; what comes of it adds up to what there was. */
describe.each(aggregations.map((it) => [it.name, it] as const))('%s', (name, aggregation) => {
  const literal = name === 'gossip-average-naive'
  const { needs } = byMessages(aggregation)
  const world = (n: number, set: ScenarioInput = {}) =>
    prepare(
      { n, values: 'uniform:0.1:0.9', seed: n, set: { period: 1, exchanges: 3, ...set } },
      aggregation,
      flagged,
    ).messages()!
  const expectSums = ({ algorithm, ...given }: World, states: readonly State[]) => {
    const { aggregate } = algorithm.computes!
    for (const [part, { rule, start }] of aggregate.parts.entries()) {
      const held = states.map((state) => state[partName(aggregate, part)] as number)
      const begun = states.map((_, node) =>
        start({ value: given.values![node], chosen: given.chosen![node] }),
      )
      if (rule.better) expect(begun).toEqual(expect.arrayContaining(held))
      else if (!literal && (rule.change || rule.share))
        expect(total(held)).toBeCloseTo(total(begun), 9)
    }
    const { row } = algorithm.computes!.aggregate
    for (const { row: held } of row ? states : [])
      expect(row!.invariant?.broken(held as Row, 0) ?? null).toBeNull()
  }
  /** The messages of three rounds on a complete network; null where they depend on the calls. */
  const sent = ({ algorithm }: World, n: number) => {
    const { aggregate } = algorithm.computes!
    if (aggregate.calls) return null
    const each = { pairs: 2, calls: 1, neighbours: n - 1 }[partnersOf(aggregate)]
    return n === 1 ? 0 : 3 * n * each
  }

  it.each(sample(timings({ needs: {} } as Algorithm).slice(1), 2))(
    'in the simulator: %o',
    (timing) => {
      for (const n of SIZES) {
        const { world: one, conditions } = world(n)
        const delay = delayOf('delay', String(timing.delay), one)
        const fifo = timing.order === 'fifo'
        const simulation = simulationOf(one, { ...conditions, delay, fifo }, [], {
          spoilBodies: true,
        })
        expect(simulation.finish()).toBe('quiet')
        expectSums(one, simulation.states.all())
        const messages = sent(one, n)
        if (messages !== null) expect(simulation.counters.total).toBe(messages)
      }
    },
  )

  it.each([1, 2, 3])('in the checker, n = %i', (n) => {
    const { world: one } = world(n, { exchanges: 1 })
    const properties = aggregationProblem(one.algorithm.computes!.aggregate).properties
    const mode = defaultMode(one.algorithm)
    const all = [...Array(n).keys()]
    for (const wake of needs.start === 'together' ? [all] : (['any', all] as const)) {
      const explored = () => checkWorld(one, { mode, order: 'fifo', wake, properties, limits })
      if (one.algorithm.computes!.aggregate.row?.drawn) {
        expect(explored).toThrow('too many outcomes')
        continue
      }
      const result = explored()
      if (literal && n > 2) expect(result.violated?.property).toBe('the sum is kept')
      else expect(result).toMatchObject({ exhausted: true, violated: null })
    }
  })

  const sizes = needs.time === 'rounds' ? [] : process.env.LONG_TESTS ? [1, 2, 5] : [5]
  it.each(sizes)('between members, in memory and over sockets and NATS, n = %i', async (n) => {
    const overNats = process.env.LONG_TESTS || (n === 5 && name === 'gossip-average')
    for (const run of [runInMemory, runOnLoopback, ...(overNats ? [runOverNats] : [])]) {
      const { world: one } = world(n)
      const { states } = await run(one, { random: Random.from(n), unit: 5 })
      expectSums(one, states)
    }
  })
})

describe('as real processes', () => {
  it('the program is built', () => {
    expect(existsSync(PROGRAM), 'dist/cli/bin.js is missing; npm run build makes it').toBe(true)
  })

  it.each([
    ['lcr', '-n', '5'],
    ['franklin', '--ids', '1,5,3,7,2,6,4,8', '--wake', '2'],
  ])('cluster %s %s %s elects the same leader as run, with as many messages', async (...words) => {
    const { leader, messages, nodes } = await processJson<ClusterResult>('cluster', ...words)
    const simulated = await shellJson<RunResult>('run', ...words)
    expect(leader).toEqual(simulated.leader)
    const { total, byType } = simulated.messages
    expect(messages).toEqual({ total, byType })
    expect(new Set(nodes.map(({ pid }: { pid: number }) => pid)).size).toBe(simulated.n)
  })
})
