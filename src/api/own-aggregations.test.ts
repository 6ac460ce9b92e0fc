import { describe, expect, it } from 'vitest'
import { aggregations, gossip } from '../algorithms/index.ts'
import { algorithm, average, largest, message, nat, real, smallest, timer } from '../core/index.ts'
import { check } from './check.ts'
import { experiment } from './experiment.ts'
import { join } from './join.ts'
import { simulate } from './simulate.ts'

const range = gossip({
  name: 'range',
  aggregate: {
    parts: [
      { rule: largest, start: ({ value }) => value },
      { rule: smallest, start: ({ value }) => value },
    ],
    estimate: ([most, least]) => most - least,
    truth: (values) => Math.max(...values) - Math.min(...values),
  },
})

const PUSH = message({ p0: real })
const ANSWER = message({ p0: real })
const TICK = timer()

/** The average, with handlers of its own; `share` of a difference moves in an exchange. */
const moving = algorithm({
  name: 'moving-average',
  needs: { topology: 'any', knows: ['inputs'], coins: true },
  messages: { PUSH, ANSWER },
  timers: { TICK },
  params: {
    period: { says: 'time units of a cycle', value: () => 10 },
    exchanges: { says: 'exchanges that a node begins; 0: no limit', value: () => 0 },
    share: { says: 'how much of a difference moves', value: () => 0.5 },
  },
  state: { p0: real, begun: nat },
  wakes: true,
  lasting: true,
  computes: {
    aggregate: {
      parts: [{ rule: average, start: ({ value }) => value }],
      chosen: 0,
      estimate: (parts, at = 0) => parts[at],
      truth: (values) => values.reduce((a, b) => a + b, 0) / values.length,
    },
    carrier: 'ANSWER',
  },
  start(my, net) {
    my.p0 = my.value
    net.after(net.moment(my.period), TICK)
  },
  on: {
    PUSH(my, { p0 }, net) {
      const moved = (p0 - my.p0) * my.share
      my.p0 += moved
      net.send(net.from, ANSWER, { p0: -moved })
    },
    ANSWER(my, { p0 }) {
      my.p0 += p0
    },
  },
  timeout: {
    TICK(my, net) {
      const link = net.pick()
      if (link !== null) net.send(link, PUSH, { p0: my.p0 })
      if (my.exchanges > 0 && ++my.begun === my.exchanges) return
      net.after(my.period, TICK)
    },
  },
})

const gossipMax = aggregations.find(({ name }) => name === 'gossip-max')!

describe('an own aggregation', () => {
  it.each(['cycles', 'async'] as const)('is simulated, timing %s', (timing) => {
    const { truth, cycles } = simulate(range, { n: 40, timing, values: 'index', until: 15 })
    expect(truth).toBe(39)
    expect(cycles.at(-1)).toMatchObject({ min: 39, max: 39, within: 1 })
  })

  it('is checked', () => {
    const result = check(range, { values: [3, 1], set: { exchanges: 1 } as never })
    expect(result).toMatchObject({ holds: true, algorithm: 'range' })
  })

  it('is measured beside the catalogue, by convergence', async () => {
    const { measures, points } = await experiment([range, gossipMax], {
      timing: 'cycles',
      sweep: { n: [10, 20] },
    })
    expect(measures).toEqual(['factor', 'within', 'error', 'messages'])
    expect(points.map(({ point }) => point.algorithm)).toEqual([
      ...['range', 'range'],
      ...['gossip-max', 'gossip-max'],
    ])
    await expect(experiment(range, { threads: 2 })).rejects.toThrow(/range is not of the catalogue/)
  })

  it('is no election that a process could join', async () => {
    const refused = join(range as never, { me: 0, addresses: ['127.0.0.1:7001'] })
    await expect(refused).rejects.toThrow(/range is an aggregation\. Join an election, and call/)
  })
})

describe('an own algorithm that computes an aggregate', () => {
  it('is simulated as an aggregation by messages', () => {
    const options = { n: 20, values: 'index', until: 30, set: { share: 0.25 } } as const
    const { truth, scenario, verdict, cycles } = simulate(gossip(moving), options)
    expect(truth).toBe(9.5)
    expect(scenario.set).toMatchObject({ share: 0.25, period: 10 })
    expect(verdict.ok).toBe(true)
    expect(cycles.at(-1)!.variance).toBeLessThan(cycles[0].variance! / 100)
    expect(simulate(moving, options as never)).toMatchObject({ truth, scenario })
  })

  it('is checked: the sum is kept', () => {
    const { holds, properties } = check(moving, { values: [0, 4] })
    expect([holds, properties[0].name]).toEqual([true, 'the sum is kept'])
  })
})
