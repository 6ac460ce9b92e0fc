import { describe, expect, it } from 'vitest'
import { ringList } from '../../src/algorithms/index.ts'
import { checkWorld, replay } from '../../src/check/index.ts'
import { StateGraph } from '../../src/check/liveness/state-graph.ts'
import type { Visit } from '../../src/check/model/transition.ts'
import { TransitionSystem } from '../../src/check/model/transition-system.ts'
import type { ModelOptions } from '../../src/check/options.ts'
import { runInMemory } from '../../src/cluster/index.ts'
import {
  type Algorithm,
  algorithm,
  link,
  map,
  message,
  nat,
  type Property,
  Random,
  set,
  uid,
  type World,
} from '../../src/core/index.ts'
import { sealed } from '../../src/core/runtime/sealed/sealed.ts'
import { preparation, simulation } from '../support/random-worlds.ts'

/*
 * Equal states behave in the same way: handlers go through maps and sets by key, in every engine,
 * whatever the order in which the keys came in.
 */

const CALL = message({})
const HELLO = message({ id: uid })
const ASK = message({})
const ANSWER = message({})

/**
 * The hub calls all others, asks them once it has heard of all, and follows the first that it comes
 * across when it goes through their ids. The links that have answered are in a map.
 */
function collector(how: 'adds' | 'assigns'): Algorithm {
  return algorithm({
    name: 'collector',
    needs: { topology: 'complete', ids: 'unique' },
    messages: { CALL, HELLO, ASK, ANSWER },
    state: { heard: set(uid), answers: map(link, nat), walked: nat },
    starters: 'first',
    wakes: false,
    start: (_, net) => net.sendAll(CALL, {}),
    on: {
      CALL: (my, _, net) => net.send(net.from, HELLO, { id: my.id }),
      HELLO(my, { id }, net) {
        if (how === 'assigns') my.heard = new Set([id, ...my.heard])
        else my.heard.add(id)
        if (my.heard.size === net.degree) net.sendAll(ASK, {})
      },
      ASK: (_, __, net) => net.send(net.from, ANSWER, {}),
      ANSWER(my, _, net) {
        const [first] = my.heard
        net.follow(first)
        my.walked = [...my.answers.keys()].reduce((sum, one) => 10 * sum + one, 0)
        if (how === 'assigns') my.answers = new Map([[net.from, 1], ...my.answers])
        else my.answers.set(net.from, 1)
      },
    },
  })
}

const forms = (['adds', 'assigns'] as const).flatMap((how) => [
  [`${how}`, collector(how)] as const,
  [`${how}, sealed`, sealed(collector(how))] as const,
])

const HUB = 0
const SMALLEST = 7
const WORLD = { n: 4, ids: '9,300,7,130' }
const RULES = { mode: 'untimed', order: 'fifo', wake: [HUB] } as const

const smallestFirst: Property = {
  name: 'the smallest comes first',
  says: 'The hub follows nobody, or the smallest of the others.',
  when: 'always',
  sees: 'outcomes',
  broken: ({ state }) =>
    [null, SMALLEST].includes(state(HUB).leader) ? null : `it follows ${state(HUB).leader}`,
}

const neverAll: Property = {
  name: 'never all answers',
  says: 'The hub never has the answers of all.',
  when: 'always',
  broken: ({ n, state }) =>
    (state(HUB).answers as Map<number, number>).size === n - 1
      ? JSON.stringify([state(HUB).walked, [...(state(HUB).heard as Set<number>)]])
      : null,
}

/** The number of states where the successors are taken in the usual or in the opposite order. */
function sizes(world: World, rules: ModelOptions): number[] {
  return [false, true].map((backwards) => {
    const system = new TransitionSystem(world, rules)
    const opposite = (visit: Visit) => {
      let count = 0
      system.successors(() => count++)
      for (let wanted = count - 1; wanted >= 0; wanted--) {
        let place = 0
        system.successors((it) => (place++ === wanted ? visit(it) : undefined))
      }
    }
    const graph = new StateGraph(
      system,
      { states: 20_000 },
      backwards ? { successors: opposite } : {},
    )
    expect(graph.reason).toBeNull()
    return graph.size
  })
}

describe.each(forms)('a handler that goes through its collections: it %s', (_, mine) => {
  it('finds the smallest key first in every run', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const run = simulation(mine, { ...WORLD, seed, timing: 'async', delay: 'uniform:1:10' })
      run.finish()
      expect(run.states.of(HUB).leader).toBe(SMALLEST)
    }
  })

  it('finds it first in every interleaving, in as many states in any order of the search', () => {
    const { world } = preparation(mine, WORLD)
    const rules = { ...RULES, properties: [smallestFirst], limits: { states: 20_000 } }
    for (const reduction of ['off', 'auto'] as const) {
      const { properties, exhausted } = checkWorld(world, { ...rules, reduction })
      expect([properties[0].holds, exhausted]).toEqual([true, true])
    }
    const [usual, backwards] = sizes(world, RULES)
    expect(backwards).toBe(usual)
  })

  it('does the same when a counterexample is replayed', () => {
    const { world } = preparation(mine, WORLD)
    const properties = [neverAll]
    const found = checkWorld(world, { ...RULES, properties, limits: { states: 20_000 } })
    const { detail } = found.properties[0]
    const again = replay(world, RULES, properties, found.violated!.transitions)
    expect(again.properties[0].detail).toBe(detail)
    expect(detail).toContain('[7,130,300]')
  })

  it('finds it first between processes', async () => {
    const { world } = preparation(mine, WORLD)
    for (const seed of [1, 2, 3]) {
      const random = Random.from(seed)
      const { states } = await runInMemory(world, { random, unit: 1, starters: [HUB] })
      expect(states[HUB].leader).toBe(SMALLEST)
    }
  })
})

it('ring-list, which sends again in the order of a map, has as many states in any order', () => {
  const { world } = preparation(ringList, { n: 3 })
  const [usual, backwards] = sizes(world, { ...RULES, wake: 'any', faults: { crashes: 1 } })
  expect(backwards).toBe(usual)
})
