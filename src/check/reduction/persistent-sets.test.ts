import { describe, expect, it } from 'vitest'
import { sample } from '../../../test/support/campaign.ts'
import { named, preparation, shuffled } from '../../../test/support/random-worlds.ts'
import { catalogue, lcr } from '../../algorithms/index.ts'
import {
  type Algorithm,
  algorithm,
  flag,
  message,
  nat,
  type Property,
  Random,
} from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { network } from '../../core/networks/network.ts'
import { leaderElection } from '../../problems/leader-election.ts'
import { type CheckOptions, type CheckResult, checkWorld } from '../index.ts'

const STATES = 5000

/** A property that always holds and records the states that it is evaluated on. */
interface Notes {
  readonly ends: Set<string>
  readonly localStates: Set<string>
  readonly leaders: Set<string>
  readonly deposed: Set<string>
}

function takingNotes(notes: Notes): Property[] {
  return [
    {
      ...{ name: 'ends', says: 'Ends are noted.', when: 'at the end' },
      broken: ({ n, state }) => {
        notes.ends.add(JSON.stringify(Array.from({ length: n }, (_, node) => state(node))))
        return null
      },
    },
    {
      ...{ name: 'locals', says: 'States are noted.', when: 'always', sees: 'single nodes' },
      broken: ({ n, state }) => {
        for (let node = 0; node < n; node++)
          notes.localStates.add(`${node} ${JSON.stringify(state(node))}`)
        return null
      },
    },
    {
      ...{ name: 'leaders', says: 'Leaders are noted.', when: 'always', sees: 'leaders' },
      broken: ({ leaders, deposed }) => {
        notes.leaders.add(leaders.join())
        notes.deposed.add(deposed.join())
        return null
      },
    },
  ]
}

function seen(world: World, options: Partial<CheckOptions>): Notes & { result: CheckResult } {
  const notes = {
    ends: new Set(),
    localStates: new Set(),
    leaders: new Set(),
    deposed: new Set(),
  } as Notes
  const result = checkWorld(world, {
    mode: 'untimed',
    order: 'fifo',
    wake: 'any',
    limits: { states: STATES },
    properties: takingNotes(notes),
    ...options,
  })
  return { ...notes, result }
}

/** Compares explorations with and without reduction; returns whether both were exhaustive. */
function expectSame(world: World, options: Partial<CheckOptions> = {}): boolean {
  const full = seen(world, { ...options, reduction: 'off' })
  if (!full.result.exhausted) return false
  const { result, ...reduced } = seen(world, { ...options, reduction: 'auto' })
  const { result: whole, ...everything } = full
  expect(result.reduction.persistentSets).toBe(true)
  expect(result.exhausted).toBe(true)
  expect(result.states).toBeLessThanOrEqual(whole.states)
  expect(reduced).toEqual(everything)
  return true
}

const FAMILIES = {
  ring: ['ring:2', 'ring:3', 'ring:4'],
  complete: ['complete:2', 'complete:3', 'complete:4'],
  tree: ['path:2', 'path:3', 'star:4', 'path:4'],
  hypercube: ['hypercube:1', 'hypercube:2'],
  any: ['path:2', 'path:3', 'ring:3', 'star:4', 'ring:4'],
}

/** Algorithms with random choices may run forever. */
const untimed = catalogue.filter(
  ({ needs, quiet }) => needs.time === undefined && !needs.coins && quiet === null,
)

describe('with reduction', () => {
  it.each(named(sample(untimed, 2)))(
    '%s has the same ends, local states and leaders',
    (_, definition) => {
      let explored = 0
      for (const topology of FAMILIES[definition.needs.topology]) {
        const { world, conditions } = preparation(definition, { topology, seed: 3 })
        const all = [...conditions.starts.nodes]
        for (const order of ['fifo', 'any'] as const)
          for (const wake of ['any', [0], all] as const)
            if (expectSame(world, { order, wake })) explored++
      }
      expect(explored).toBeGreaterThanOrEqual(4)
    },
  )

  it.each(['lcr', 'chang-roberts', 'hirschberg-sinclair', 'peterson', 'franklin'])(
    '%s keeps its verdicts on any permutation',
    (name) => {
      const definition = catalogue.find((one) => one.name === name)!
      for (const n of [1, 2, 3, 4])
        for (let seed = 1; seed <= 4; seed++) {
          const { world, properties } = preparation(definition, { ids: shuffled(n, seed).join() })
          const [full, reduced] = (['off', 'auto'] as const).map((reduction) =>
            checkWorld(world, { ...untimedAny, properties, reduction }),
          )
          const verdicts = ({ properties: all }: CheckResult) => all.map(({ holds }) => holds)
          expect(verdicts(reduced)).toEqual(verdicts(full))
        }
    },
  )
})

const untimedAny = {
  mode: 'untimed',
  order: 'fifo',
  wake: 'any',
  limits: { states: 200_000 },
} as const

const PING = message({})

function on(text: string, definition: Algorithm): World {
  const topology = network(text, { random: Random.from(1), allowComponents: true })
  const ids = Float64Array.from({ length: topology.n }, (_, node) => node + 1)
  return { algorithm: definition, topology, ids, params: {} }
}

const shell = { needs: { topology: 'any', ids: 'numbers' }, messages: { PING } } as const

/** Every node answers every message; those of the second part only a few times. */
const endless = algorithm({
  ...shell,
  ...{ name: 'endless', wakes: true, state: { one: flag, two: flag, three: flag } },
  start: (_, net) => net.sendAll(PING, {}),
  on: {
    PING(my, _, net) {
      if (my.id <= 2) net.sendAll(PING, {})
      else if (!my.one) my.one = true
      else if (!my.two) my.two = true
      else my.three = true
      if (my.id > 2 && !my.two) net.sendAll(PING, {})
    },
  },
})

/** A node leads at its first message and withdraws at the next. */
const fickle = algorithm({
  ...shell,
  ...{ name: 'fickle', wakes: true, state: {} },
  start(_, net) {
    net.sendAll(PING, {})
    net.sendAll(PING, {})
  },
  on: {
    PING(my, _, net) {
      if (my.status === 'leader') net.follow(null)
      else if (my.status === 'unknown') net.lead()
    },
  },
})

/** A start that no node, or only some nodes, can notice. */
const secretive = algorithm({
  ...shell,
  ...{ name: 'secretive', wakes: true, state: { heard: flag } },
  start(my, net) {
    if (my.id === 1) net.sendAll(PING, {})
  },
  on: {
    PING(my) {
      my.heard = true
    },
  },
})

/** Sends to one neighbour only: on a path one end wakes all nodes, the other does not. */
const oneSided = (which: 0 | -1) =>
  algorithm({
    ...shell,
    ...{ name: 'one-sided', wakes: true, state: { heard: flag } },
    start: (_, net) => net.send(net.links.at(which)!, PING, {}),
    on: {
      PING(my) {
        my.heard = true
      },
    },
  })

/** Starts differently when a message wakes it. */
const polite = algorithm({
  ...shell,
  ...{ name: 'polite', wakes: true, state: { heard: flag } },
  start(_, net) {
    for (const link of net.links) if (link !== net.from) net.send(link, PING, {})
  },
  on: {
    PING(my) {
      my.heard = true
    },
  },
})

/** An initiator draws how often to send; a receiver draws once whether to answer. */
const gambler = algorithm({
  ...{ ...shell, needs: { ...shell.needs, coins: true }, name: 'gambler', wakes: true },
  state: { answered: flag, luck: nat },
  start(my, net) {
    my.luck = net.choose(3)
    for (let i = 0; i < my.luck; i++) net.sendAll(PING, {})
  },
  on: {
    PING(my, _, net) {
      if (my.answered) return
      my.answered = true
      if (net.choose(2) === 1) net.sendAll(PING, {})
      else net.lead()
    },
  },
})

describe('a reduction', () => {
  it('explores every outcome of a random choice', () => {
    for (const text of ['path:2', 'path:3', 'edges:0-1,2-3'])
      for (const wake of ['any', [0], [0, 1]] as const)
        expect(expectSame(on(text, gambler), { wake, limits: { states: 60_000 } })).toBe(true)
  })

  it('postpones nothing forever', () => {
    const world = on('edges:0-1,2-3', endless)
    expect(expectSame(world)).toBe(true)
    expect(expectSame(world, { wake: [0, 1, 2, 3] })).toBe(true)
  })

  it('finds all nodes that can lead at once, though each withdraws soon', () => {
    for (const text of ['edges:0-1,2-3', 'path:3', 'ring:3']) {
      expect(expectSame(on(text, fickle))).toBe(true)
      const properties = leaderElection.properties(false).slice(0, 1)
      const { violated } = checkWorld(on(text, fickle), {
        ...untimedAny,
        properties,
        reduction: 'auto',
      })
      expect(violated?.property).toBe('at most one leader')
    }
  })

  it('wakes no node early if runs can end with sleepers, or if starts differ', () => {
    for (const definition of [secretive, polite, oneSided(0), oneSided(-1)]) {
      const world = on('path:3', definition)
      expect(expectSame(world)).toBe(true)
      expect(seen(world, { reduction: 'auto' }).result.reduction.eagerWake).toBe(false)
    }
    const awake = seen(on('path:3', fickle), { reduction: 'auto' }).result
    expect(awake.reduction.eagerWake).toBe(true)
  })

  it('is not used if a property reads the global state, and another with a clock or faults', () => {
    const { world } = preparation(lcr, { ids: '2,3,1' })
    const used = (changes: Partial<CheckOptions>) =>
      seen(world, { reduction: 'auto', ...changes }).result.reduction
    const says = { name: 'x', says: 'X.', when: 'always', broken: () => null } as const
    expect(used({ properties: [says] })).toMatchObject({
      persistentSets: false,
      detail: 'none ("x" may read several nodes at once)',
    })
    const stubborn = { persistentSets: false, stubbornSets: true, detail: 'stubborn sets' }
    expect(used({ mode: { clocked: 2 } })).toMatchObject(stubborn)
    expect(used({ faults: { losses: 1 } })).toMatchObject(stubborn)
    expect(used({ properties: [says], faults: { losses: 1 } }).detail).toMatch(/^none \("x"/)
    expect(used({}).detail).toBe('persistent sets, eager wake-up')
    expect(used({ reduction: 'off' }).detail).toBe('none (switched off)')
  })

  it('explores long rings in few states', () => {
    const ids = Array.from({ length: 20 }, (_, i) => 20 - i)
    const { world, properties } = preparation(lcr, { ids: ids.join() })
    const result = checkWorld(world, { ...untimedAny, properties, reduction: 'auto' })
    // All wake, then one order of n(n+1)/2 elections and n announcements.
    expect(result).toMatchObject({ exhausted: true, states: 1 + 20 + 210 + 20 })
  })

  it('returns a shortest counterexample, or says that it may not be shortest', () => {
    const properties = leaderElection.properties(false).slice(0, 1)
    const world = on('ring:6', fickle)
    const [full, reduced] = (['off', 'auto'] as const).map((reduction) =>
      checkWorld(world, { ...untimedAny, properties, reduction }),
    )
    expect(reduced.violated?.trace).toHaveLength(full.violated!.trace.length)
    expect(reduced.violated?.shortest).toBe(true)
    const limited = checkWorld(world, {
      ...{ ...untimedAny, properties, reduction: 'auto', limits: { states: 40 } },
    })
    expect(limited.violated?.shortest).toBe(false)
    expect(limited.violated!.trace.length).toBeGreaterThanOrEqual(full.violated!.trace.length)
  })
})
