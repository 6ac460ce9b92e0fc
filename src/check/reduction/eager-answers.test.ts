import { describe, expect, it } from 'vitest'
import { raft } from '../../algorithms/complete/raft.ts'
import type { World } from '../../core/language/world.ts'
import { complete } from '../../core/networks/complete.ts'
import { oneLeaderPerTerm } from '../../problems/index.ts'
import { type CheckOptions, checkWorld } from '../index.ts'
import { TransitionSystem } from '../model/transition-system.ts'
import { BreadthFirstSearch } from '../search/breadth-first.ts'
import { EagerAnswers } from './eager-answers.ts'

function world(n: number, prevote: 'on' | 'off' = 'off'): World {
  const ids = Float64Array.from({ length: n }, (_, i) => i + 1)
  return {
    ...{ algorithm: raft, topology: complete(n), ids },
    params: { patience: 10, beat: 3, prevote },
  }
}

const options: CheckOptions = {
  mode: 'untimed',
  order: 'lossy',
  wake: 'any',
  bounds: { term: 1 },
  limits: { states: 200_000 },
  properties: [oneLeaderPerTerm],
}

/** The local states and the messages that a whole search comes upon. */
function found(given: World, faults: CheckOptions['faults'], eager: boolean) {
  const all = { ...options, ...(faults && { faults }) }
  const system = new TransitionSystem(given, all)
  const answers = new EagerAnswers(system)
  if (eager) system.eager = () => answers.next()
  const search = new BreadthFirstSearch(system, all.properties, all.limits)
  search.run()
  expect(search.reason).toBe(null)
  const { localStates, layouts } = {
    localStates: system.cache.localStates,
    layouts: given.algorithm.layout,
  }
  const locals = localStates.map(({ list }) =>
    list.map(({ state, timers }) => JSON.stringify([layouts.json(state), timers])).sort(),
  )
  return { locals, states: search.states }
}

describe('eager answers', () => {
  it.each([
    ['no fault', world(3), undefined],
    ['a crash and a recovery', world(3), { crashes: 1, recoveries: 1 }],
    ['two nodes with pre-votes', world(2, 'on'), { crashes: 1 }],
  ] as const)('reach every local state, with fewer states: %s', (_, given, faults) => {
    const whole = found(given, faults, false)
    const reduced = found(given, faults, true)
    expect(reduced.locals).toEqual(whole.locals)
    expect(reduced.states).toBeLessThan(whole.states / 2)
  })

  it('are used on lossy links, and only there', () => {
    const used = (more: Partial<CheckOptions>) =>
      checkWorld(world(2), { ...options, reduction: 'auto', ...more }).reduction.detail
    expect(used({})).toBe('eager answers')
    expect(used({ reduction: 'off' })).toBe('none (switched off)')
    expect(used({ order: 'any', limits: { states: 10 } })).toBe('stubborn sets')
    const seesAll = { ...oneLeaderPerTerm, sees: undefined } as never
    expect(used({ properties: [seesAll] })).toMatch(/^none/)
  })
})
