import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import {
  algorithm,
  flag,
  left,
  message,
  nat,
  type Property,
  timer,
} from '../../../src/core/index.ts'
import { electionRun } from '../../../src/scenario/election/election-run.ts'
import { flagged, prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import { type RunResult, resultOf, simulationOf } from '../../../src/sim/index.ts'

const BEAT = message({ count: nat })
const TICK = timer()
const TURN = timer()

/**
 * Position 0 leads from the beginning and beats every 2 units; the others follow it. At `turn` it
 * steps down, if that is given, and leads again `pause` later.
 */
const beating = (turn?: number, pause = 5) =>
  algorithm({
    name: 'beating',
    needs: { topology: 'ring', ids: 'unique' },
    messages: { BEAT },
    timers: { TICK, TURN },
    state: { heard: nat, chief: flag },
    wakes: false,
    quiet: 'never',
    starters: 'first',
    elects: 'another',
    start(my, net) {
      my.chief = true
      net.lead()
      if (turn !== undefined) net.after(turn, TURN)
      net.send(left, BEAT, { count: 1 })
      net.after(2, TICK)
    },
    on: {
      BEAT(my, { count }, net) {
        my.heard = count
        if (my.chief) return
        net.follow(1 as never)
        net.send(left, BEAT, { count: count + 1 })
      },
    },
    timeout: {
      TICK(_, net) {
        net.send(left, BEAT, { count: 1 })
        net.after(2, TICK)
      },
      TURN(my, net) {
        if (my.status === 'leader') {
          net.withdraw()
          net.after(pause, TURN)
        } else net.lead()
      },
    },
  })

function run(
  definition: ReturnType<typeof beating>,
  given: ScenarioInput = {},
  own: readonly Property[] = [],
): RunResult {
  const input = { ids: '1,2,3', ...given }
  const { world, conditions, properties } = prepare(input, definition, flagged)
  const simulation = simulationOf(world, conditions, [...properties, ...own])
  return resultOf(simulation, simulation.finish())
}

const verdictOf = ({ verdict }: RunResult, name = 'the leader is stable') =>
  verdict.properties.find((property) => property.name === name)

describe('an algorithm that never falls silent', () => {
  it('runs for 100 of its longest timers, and is stable since all follow the leader', () => {
    const result = run(beating())
    // The beat of time 0 reaches the last node at time 2.
    expect(result.time).toMatchObject({ elected: 0, stable: 2, ended: 200 })
    expect(verdictOf(result)).toEqual({
      name: 'the leader is stable',
      holds: true,
      detail: 'stable since time 2',
    })
    expect(result.verdict.ok).toBe(true)
    // A longer timer makes the run longer, also one that is set later.
    expect(run(beating(7, 30)).time.ended).toBe(3000)
  })

  it('ends at the time that is given, whose events still happen', () => {
    const { time, messages } = run(beating(), { until: 10 })
    expect(time.ended).toBe(10)
    // Beats of 0, 2, ..., 10: all but the last have gone round.
    expect(messages.total).toBe(5 * 3 + 1)
    expect(run(beating(), { until: 11 }).messages.total).toBe(5 * 3 + 2)
  })

  it('is stable since the last change, not since the first agreement', () => {
    const { time, verdict } = run(beating(50, 30), { until: 400 })
    expect(time.stable).toBe(80)
    const [, stays] = verdict.properties
    expect(stays).toMatchObject({ name: 'a leader stays leader', holds: false })
  })

  it('is stable at the end of a run, however short, and says where it was very short', () => {
    // It leads again at 80; the longest timer is 50.
    expect(verdictOf(run(beating(50, 30), { until: 129 }))).toMatchObject({
      holds: true,
      detail:
        'stable since time 80; the run ended at time 129, less than the longest timer (50) later',
    })
    expect(verdictOf(run(beating(50, 30), { until: 130 }))?.detail).toBe('stable since time 80')
  })

  it('is not decided where it was given up shortly before the end', () => {
    const down = run(beating(50, 30), { until: 60 })
    expect(verdictOf(down)).toMatchObject({
      holds: null,
      detail:
        'not decided: broken since time 50, and the run ended at time 60, less than the longest timer (50) later; run longer',
    })
    expect(down.time.stable).toBeNull()
  })

  it('is not stable where nobody leads for long', () => {
    const verdict = verdictOf(run(beating(5, 1000), { until: 2005 }))
    expect(verdict).toMatchObject({ holds: true, detail: 'stable since time 1005' })
    const never = verdictOf(run(beating(5, 100), { until: 104.5 }))
    expect(never).toMatchObject({ holds: null })
    const crashed = verdictOf(run(beating(), { crash: '0@20', detect: 'off', until: 100 }))
    expect(crashed?.holds).toBe(false)
    expect(crashed?.detail).toContain('since time 20')
  })
})

describe('the result of a run without an end', () => {
  it.each([
    ['raft', { seed: 3, crash: '1@70' }],
    ['omega', { seed: 4, delay: 'uniform:1:20' }],
    ['stabilizing', { topology: 'grid:3x3', timing: 'sync', corrupt: 5 }],
    ['quorum-lease', { seed: 5 }],
  ])('of %s has its parameters and its end, by which it is repeated', (name, given) => {
    const definition = catalogue.find((one) => one.name === name)!
    const first = electionRun(prepare(given, definition, flagged))
    const result = first.result(first.simulation.finish())
    const { scenario } = result
    expect(Object.keys(scenario.set)).toEqual(Object.keys(definition.params))
    expect(scenario.until).toBe(result.time.ended)
    const { algorithm: _, ...written } = scenario
    const again = electionRun(prepare(JSON.parse(JSON.stringify(written)), definition, flagged))
    expect(again.result(again.simulation.finish())).toEqual(result)
  })

  it('says who took office when, without terms, too', () => {
    expect(run(beating(50, 30), { until: 400 }).leads).toEqual([
      { time: 0, node: 0, term: null },
      { time: 80, node: 0, term: null },
    ])
    // In rounds time 0 is round 1.
    expect(run(beating(), { timing: 'sync', until: 9 }).leads).toEqual([
      { time: 1, node: 0, term: null },
    ])
  })
})

describe('own properties of a run', () => {
  const small: Property = {
    name: 'small',
    when: 'always',
    broken(global) {
      const nodes = Array.from({ length: global.n }, (_, node) => node)
      const node = nodes.find((i) => Number(global.state(i).heard) > 2)
      return node === undefined ? null : `node ${node} heard ${global.state(node).heard}`
    },
  }

  it('are judged after each event, whether an outcome changed or not', () => {
    // The beat that has gone round arrives at time 3, and changes no outcome.
    expect(verdictOf(run(beating(), { until: 50 }, [small]), 'small')).toEqual({
      name: 'small',
      holds: false,
      detail: 'time 3: node 0 heard 3',
    })
    expect(verdictOf(run(beating(), { until: 2 }, [small]), 'small')?.holds).toBe(true)
  })

  it('may have to hold at some point of the run', () => {
    const heard = (count: number): Property => ({
      name: 'heard',
      when: 'eventually',
      broken(global) {
        const { heard } = global.state(0)
        return heard === count ? null : `it heard ${heard}`
      },
    })
    expect(verdictOf(run(beating(), { until: 9 }, [heard(3)]), 'heard')?.holds).toBe(true)
    expect(verdictOf(run(beating(), { until: 9 }, [heard(4)]), 'heard')).toMatchObject({
      holds: null,
      detail: 'not yet when the run was stopped',
    })
  })
})
