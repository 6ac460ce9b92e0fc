import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { named, preparation } from '../../../test/support/random-worlds.ts'
import { catalogue } from '../../algorithms/index.ts'
import { type Algorithm, algorithm, flag, message, nat, Random, timer } from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { network } from '../../core/networks/network.ts'
import { StateGraph } from '../liveness/state-graph.ts'
import { TransitionSystem } from '../model/transition-system.ts'
import type { ModelOptions } from '../options.ts'
import { BreadthFirstSearch } from '../search/breadth-first.ts'
import { IntRowQueue } from '../search/frontier.ts'
import { SleepSets } from './sleep-sets.ts'

const LIMITS = { states: 1500 }

/** Compares the counts with sleep sets to a graph with all transitions. */
function expectSame(world: World, options: ModelOptions): boolean {
  const graph = new StateGraph(new TransitionSystem(world, options), LIMITS)
  if (graph.reason !== null) return false
  for (const exact of [false, true]) {
    const search = new BreadthFirstSearch(new TransitionSystem(world, options), [], LIMITS, {
      exact,
    })
    search.run()
    expect([search.states, search.transitions]).toEqual([graph.size, graph.edges(graph.size)])
  }
  return true
}

const FAMILIES = {
  ring: ['ring:2', 'ring:3', 'ring:4'],
  complete: ['complete:3', 'complete:4'],
  tree: ['path:3', 'star:4'],
  hypercube: ['hypercube:1', 'hypercube:2'],
  any: ['path:3', 'ring:3', 'star:4'],
}

/** Repeated random choices have infinitely many states. */
const ending = catalogue.filter(({ needs, quiet }) => !needs.coins && quiet === null)

const [PING, PONG] = [message({ times: nat }), message({})]
const [BELL, GONG] = [timer(), timer()]

/** Random choices, two timers, messages to several nodes, leaders that withdraw. */
const lively = algorithm({
  name: 'lively',
  needs: { topology: 'any', ids: 'numbers', coins: true },
  messages: { PING, PONG },
  timers: { BELL, GONG },
  wakes: true,
  state: { rung: flag },
  start(my, net) {
    if (my.id !== 2) net.after(1, BELL)
    if (my.id === 1) net.after(2, GONG)
    net.sendAll(PING, { times: my.id === 3 ? net.choose(2) : 1 })
  },
  on: {
    PING(my, { times }, net) {
      if (times > 0) net.send(net.from, PING, { times: times - 1 })
      else net.send(net.from, PONG, {})
      if (my.rung) net.follow(null)
    },
    PONG(my, _, net) {
      if (my.id === 2 && my.status !== 'leader') net.lead()
    },
  },
  timeout: {
    BELL(my) {
      my.rung = true
    },
    GONG: (_, net) => net.sendAll(PONG, {}),
  },
})

describe('sleep sets', () => {
  it.each(named(ending))('%s has all its states and moves', (_, definition) => {
    let explored = 0
    for (const topology of FAMILIES[definition.needs.topology]) {
      const { world, conditions } = preparation(definition, { topology, seed: 5 })
      const all = [...conditions.starts.nodes]
      for (const mode of ['untimed', 'patient'] as const)
        for (const wake of ['any', [1, 0], all] as const)
          if (expectSame(world, { mode, order: 'fifo', wake })) explored++
    }
    expect(explored).toBeGreaterThanOrEqual(4)
  })

  it.each(['path:2', 'path:3', 'edges:0-1,2-3'])(
    'random choices and timers are explored on %s',
    (text) => {
      for (const mode of ['untimed', 'patient'] as const)
        for (const wake of ['any', [0], [1, 0]] as const)
          for (const draws of [undefined, 1]) {
            const options = { mode, order: 'fifo', wake, ...(draws && { draws }) } as const
            expectSame(on(text, lively), options)
          }
      expect(
        expectSame(on('path:2', lively), { mode: 'patient', order: 'fifo', wake: 'any' }),
      ).toBe(true)
    },
  )

  it('skip nothing if events are dependent', () => {
    const known = (options: Partial<ModelOptions>) =>
      SleepSets.of(
        new TransitionSystem(on('path:2', lively), {
          mode: 'untimed',
          order: 'fifo',
          wake: 'any',
          ...options,
        }),
      ) !== null
    expect(known({})).toBe(true)
    expect(known({ mode: 'patient' })).toBe(false)
    expect(known({ order: 'any' })).toBe(false)
    expect(known({ mode: { clocked: 1 } })).toBe(false)
    expect(known({ faults: { losses: 1 } })).toBe(false)
  })
})

function on(text: string, definition: Algorithm): World {
  const topology = network(text, { random: Random.from(1), allowComponents: true })
  const ids = Float64Array.from({ length: topology.n }, (_, node) => node + 1)
  return { algorithm: definition, topology, ids, params: {} }
}

describe('a queue', () => {
  it('returns rows in order, for any number of rows', () => {
    const bursts = fc.array(fc.tuple(fc.nat(900), fc.nat(900)), { maxLength: 8 })
    fc.assert(
      fc.property(bursts, (all) => {
        const queue = new IntRowQueue(2)
        let [put, taken, wrong] = [0, 0, 0]
        for (const [puts, takes] of all) {
          for (let i = 0; i < puts; i++, put++) {
            const row = queue.push()
            queue.back[row] = put
            queue.back[row + 1] = -put
          }
          for (let i = 0; i < takes && taken < put; i++, taken++) {
            const row = queue.take()
            if (queue.front[row] !== taken || queue.front[row + 1] !== -taken) wrong++
          }
        }
        expect(wrong).toBe(0)
      }),
    )
  })
})
