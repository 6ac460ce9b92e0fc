import { describe, expect, it } from 'vitest'
import { preparation } from '../../../test/support/random-worlds.ts'
import { pairwise } from '../../algorithms/graph/pairwise.ts'
import {
  type Algorithm,
  algorithm,
  nat,
  network,
  oneOf,
  Random,
  type TraceEvent,
} from '../../core/index.ts'
import { sealed } from '../../core/runtime/sealed/sealed.ts'
import { resultOf, simulationOf } from '../index.ts'
import { linkSchedule } from './link-schedule.ts'

function begun(given: Readonly<Record<string, unknown>>, of: Algorithm = pairwise, traced = false) {
  const { world, conditions, properties } = preparation(of, given)
  const events: TraceEvent[] = []
  const trace = (event: TraceEvent) => void events.push(event)
  return {
    simulation: simulationOf(world, conditions, properties, traced ? { trace } : {}),
    events,
  }
}

function finished(
  given: Readonly<Record<string, unknown>>,
  of: Algorithm = pairwise,
  traced = false,
) {
  const { simulation, events } = begun(given, of, traced)
  const end = simulation.finish()
  return { end, events, simulation, result: resultOf(simulation, end) }
}

/** A counter of meetings: states are as many as meetings, so that none is remembered. */
const counting = algorithm({
  name: 'counting',
  needs: { topology: 'any', knows: ['n'] },
  messages: {},
  state: { met: nat, began: nat },
  wakes: false,
  start() {},
  on: {},
  meet(my, other, net) {
    my.met++
    if (net.initiator) my.began++
    if (other.met + my.met === 0) net.lead()
  },
  problem: { name: 'none', properties: [] },
})

describe('the schedule', () => {
  it.each(['complete:4', 'star:5', 'path:3', 'ring:5', 'ring:2'])(
    'on %s draws each directed link equally often',
    (name) => {
      const topology = network(name, { random: Random.from(1) })
      const schedule = linkSchedule(topology, Random.from(7))
      const draws = 40_000
      const [from, to] = [new Int32Array(draws), new Int32Array(draws)]
      schedule.draw(from, to)
      const counts = new Map<string, number>()
      for (let i = 0; i < draws; i++) {
        const pair = `${from[i]}-${to[i]}`
        counts.set(pair, (counts.get(pair) ?? 0) + 1)
      }
      expect(schedule.directed).toBe(2 * topology.links)
      // A ring of two has two links between the same nodes.
      const pairs = name === 'ring:2' ? 2 : schedule.directed
      const expected = draws / pairs
      expect(counts.size).toBe(pairs)
      for (const count of counts.values())
        expect(Math.abs(count - expected)).toBeLessThan(5 * Math.sqrt(expected))
    },
  )

  it('has no meeting of a node with itself', () => {
    expect(
      linkSchedule(network('ring:1', { random: Random.from(1) }), Random.from(1)).directed,
    ).toBe(0)
    expect(finished({ topology: 'ring:1' })).toMatchObject({
      end: 'quiet',
      result: { time: { stable: 0, ended: 0 }, verdict: { ok: true } },
    })
  })
})

describe('a run of meetings', () => {
  it('is the same in any slices, with a trace and without, and sealed', () => {
    for (const topology of ['complete:9', 'ring:6', 'star:5']) {
      const given = { topology, seed: 3 }
      const whole = finished(given).result
      const { simulation } = begun(given)
      let end = simulation.run(1)
      while (end === null) end = simulation.run(7)
      expect(resultOf(simulation, end)).toEqual(whole)
      expect(finished(given, pairwise, true).result).toEqual(whole)
      expect(finished(given, sealed(pairwise)).result).toEqual(whole)
    }
  })

  it('has as many meetings as it is given, unless nothing can change any more', () => {
    expect(finished({ topology: 'ring:6', until: 1000 }).result.time.ended).toBe(1000)
    const { end, result } = finished({ topology: 'complete:6', set: 'walk=off', until: 1e9 })
    expect(end).toBe('quiet')
    expect(result.time.ended).toBeLessThan(1000)
    expect(result.verdict.ok).toBe(true)
  })

  it('is undecided where the limit comes too early', () => {
    const { result } = finished({ topology: 'complete:100', until: 10 })
    expect(result.verdict.properties.at(-1)).toMatchObject({
      holds: null,
      detail: expect.stringContaining('run longer'),
    })
    expect(result.time).toMatchObject({ unit: 'interaction', stable: null, parallel: null })
  })

  it('calls the handler once at each of two nodes, one of which is the initiator', () => {
    const { result, events } = finished({ topology: 'path:4', until: 500 }, counting, true)
    const states = result.nodes!.map(({ state }) => state as { met: number; began: number })
    const sum = (of: 'met' | 'began') => states.reduce((total, state) => total + state[of], 0)
    expect([sum('met'), sum('began')]).toEqual([1000, 500])
    const meetings = events.filter(({ event }) => event === 'meet')
    expect(meetings.map(({ at }) => at)).toEqual(Array.from({ length: 500 }, (_, i) => i + 1))
    expect(events.filter(({ event }) => event === 'respond')).toHaveLength(500)
  })

  it('shows both nodes the state of the other one before', () => {
    const exchange = algorithm({
      name: 'exchange',
      needs: { topology: 'complete', ids: 'numbers' },
      messages: {},
      state: { kept: nat },
      wakes: false,
      start(my) {
        my.kept = my.id
      },
      on: {},
      meet(my, other) {
        my.kept = other.kept
      },
      problem: { name: 'none', properties: [] },
    })
    const { result } = finished(
      { topology: 'complete:5', ids: [1, 2, 3, 4, 5], until: 77 },
      exchange,
    )
    const kept = result.nodes!.map(({ state }) => state.kept as number)
    expect(kept.sort()).toEqual([1, 2, 3, 4, 5])
  })

  it('does not take a meeting with a random choice for one that does nothing', () => {
    const lazy = algorithm({
      name: 'lazy',
      needs: { topology: 'any', coins: true },
      messages: {},
      state: { luck: oneOf('none', 'some') },
      wakes: false,
      start: (_, net) => net.lead(),
      on: {},
      meet(my, other, net) {
        if (my.status !== 'leader' || other.status !== 'leader' || net.initiator) return
        if (net.choose(20) === 0) net.follow(null)
      },
    })
    for (let seed = 1; seed < 20; seed++)
      expect(finished({ topology: 'complete:4', seed }, lazy).result.verdict.ok).toBe(true)
  })

  it('takes about a million meetings for a thousand nodes in well below a second', () => {
    const { simulation } = begun({ topology: 'complete:1000', until: 1_000_000 })
    const before = process.cpuUsage()
    simulation.finish()
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(1500)
  })
})
