import { describe, expect, it } from 'vitest'
import { play, type Staging } from '../../test/support/simulation-fixture.ts'
import { algorithm } from '../core/language/algorithm.ts'
import { message, timer } from '../core/language/message.ts'
import type { GlobalState, Property, TermLeader } from '../core/language/problem.ts'
import type { State } from '../core/runtime/state.ts'
import { partition } from '../sim/faults/faults.ts'
import { exploredProperties, propertiesOf } from './algorithm-properties.ts'
import { lease } from './lease.ts'

const NOTE = message({})
const END = timer()
const NEXT = timer()

/** The leaderships of nodes by their ids: when one begins, in which term, how long it lasts. */
type Plan = Readonly<
  Record<number, readonly (readonly [at: number, term: number, length: number])[]>
>

/** Nodes that lead as they are told, with leases of 10. */
function planned(plan: Plan) {
  return algorithm({
    name: 'planned',
    needs: { topology: 'any', ids: 'numbers', time: 'clocks' },
    messages: { NOTE },
    timers: { END, NEXT },
    params: { lease: { says: 'the length of a lease', value: () => 10 } },
    state: {},
    wakes: true,
    quiet: 'never',
    problem: lease,
    start(my, net) {
      const [first] = plan[my.id] ?? []
      if (first !== undefined) net.after(first[0], NEXT)
    },
    on: { NOTE() {} },
    timeout: {
      END() {},
      NEXT(my, net) {
        const [[, term, length]] = plan[my.id]
        net.after(length, END)
        net.lead({ term, while: END })
      },
    },
  })
}

function verdicts(plan: Plan, staging: Staging = {}) {
  const definition = planned(plan)
  const properties = propertiesOf(definition, true)
  const { simulation } = play(definition, {
    ...{ n: 5, until: 200, properties, params: { lease: 10 } },
    ...staging,
  })
  const stop = { at: 200, longestTimer: 0 }
  return simulation.monitor
    .verdicts('stopped', stop)
    .map(({ holds, detail }) => ({ holds, detail }))
}

const all: Plan = { 1: [[5, 1, 300]] }

describe('a lease', () => {
  it('holds where one node after the other leads, in growing terms', () => {
    const found = verdicts({ 1: [[5, 1, 20]], 2: [[25, 2, 100]], 3: [[140, 7, 100]] })
    expect(found.map(({ holds }) => holds)).toEqual([true, true, true])
  })

  it('is broken by two leaders at once, whether they reach each other or not', () => {
    const events = [
      {
        at: 0,
        what: 'cut' as const,
        partition: partition([
          [0, 1],
          [2, 3, 4],
        ]),
      },
    ]
    const plan: Plan = { 1: [[5, 1, 20]], 2: [[24, 2, 300]] }
    for (const faults of [{}, { events }]) {
      const [one] = verdicts(plan, { faults })
      expect(one).toEqual({
        holds: false,
        detail: 'time 24 to 25: nodes 1 (position 1), 2 (position 2) lead at once',
      })
    }
  })

  it.each<[string, number]>([
    ['a smaller', 2],
    ['an equal', 3],
  ])('is broken by a later leader with %s term', (_, term) => {
    const [one, grow] = verdicts({ 1: [[5, 3, 10]], 2: [[15, term, 300]] })
    expect(one.holds).toBe(true)
    expect(grow.holds).toBe(false)
    expect(grow.detail).toBe(
      `time 15: node 2 (position 2) leads in term ${term} after 1 (position 1) led in term 3`,
    )
  })

  it('is broken where a majority has no leader for more than three leases', () => {
    const detail = (plan: Plan, staging?: Staging) => verdicts(plan, staging)[2]
    expect(detail({ 1: [[31, 1, 300]] })).toMatchObject({ holds: false })
    expect(detail({ 1: [[30, 1, 300]] })).toMatchObject({ holds: true })
    const late = detail({ 1: [[5, 1, 10]], 2: [[46, 2, 300]] })
    expect(late.holds).toBe(false)
    expect(late.detail).toContain('time 15 to 46: no node leads, though nodes 0 (position 0), 1')
    expect(detail({ 1: [[5, 1, 10]] }).detail).toContain('time 15 to 200')
  })

  it('is not broken while no majority stands', () => {
    const crashes: Staging['crashes'] = [
      [2, 40],
      [3, 40],
      [4, 40],
    ]
    const plan: Plan = { 1: [[5, 1, 20]] }
    expect(verdicts(plan)[2].holds).toBe(false)
    expect(verdicts(plan, { crashes })[2].holds).toBe(true)
    const parted = [{ at: 40, what: 'cut' as const, partition: partition([[0, 1], [2, 3], [4]]) }]
    expect(verdicts(plan, { faults: { events: parted } })[2].holds).toBe(true)
    const paused = [2, 3, 4].map((node) => ({ at: 40, what: 'pause' as const, node, until: 190 }))
    expect(verdicts(plan, { faults: { events: paused } })[2].holds).toBe(true)
  })

  it('is not decided where messages are lost or slow, unless a leader came in time', () => {
    const late: Plan = { 1: [[50, 1, 300]] }
    expect(verdicts(late, { faults: { loss: 0.1 } })[2]).toMatchObject({ holds: null })
    expect(verdicts(late, { delay: { model: 'exponential', mean: 1 } })[2].detail).toContain(
      'not promised',
    )
    expect(verdicts(all, { faults: { loss: 0.1 } })[2]).toMatchObject({ holds: true })
  })

  it('of slow clocks may take longer', () => {
    const late: Plan = { 1: [[31, 1, 300]] }
    expect(verdicts(late, { faults: { drift: 0.5 } })[2].holds).toBe(true)
  })
})

it('the checker judges what must never happen', () => {
  const definition = planned(all)
  const names = exploredProperties(definition, true, propertiesOf(definition, true)).map(
    ({ name }) => name,
  )
  expect(names).toEqual(['one holder at a time', 'tokens grow'])
})

it('a state without leaders breaks nothing', () => {
  const leads: TermLeader[] = []
  const global: GlobalState = {
    ...{ n: 1, leaders: [], deposed: [], leads },
    state: () => ({ status: 'asleep', leader: null, stopped: false }) as State,
    alive: () => true,
    name: String,
    component: () => 0,
  }
  const properties: readonly Property[] = lease.properties(false)
  expect(properties.map((property) => property.broken(global))).toEqual([null, null, null])
})
