import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { lcr } from '../../algorithms/ring/lcr.ts'
import {
  algorithm,
  message,
  type Net,
  nat,
  network,
  type Property,
  Random,
  timer,
} from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import {
  checkWorld,
  type Mode,
  type ModelOptions,
  randomRun,
  replay,
  type TransitionJson,
} from '../index.ts'
import { minimised } from './minimise.ts'
import { PathReplay } from './path-replay.ts'
import { transitionJson } from './transition-json.ts'

const LETTER = message({ value: nat })
const BELL = timer()

/** A random protocol: its reactions are drawn once per state and event. */
function senseless(seed: number) {
  const fates = new Map<string, number>()
  const fate = (below: number, ...about: unknown[]) => {
    const key = about.join()
    const known = fates.get(key) ?? Random.from(seed).split(key).below(below)
    fates.set(key, known)
    return known
  }
  const act = (
    my: { mood: number; left: number; readonly id: number },
    net: Net<'coins'>,
    ...what: unknown[]
  ) => {
    const coin = fate(3, 'toss', what, my.mood) === 0 ? net.choose(2) : 0
    const about = [what, my.mood, my.id, coin]
    my.mood = fate(5, 'mood', about)
    for (const link of net.links) {
      if (my.left === 0 || fate(3, 'send', link, about) === 0) continue
      my.left--
      net.send(link, LETTER, { value: fate(2, 'value', link, about) })
    }
    if (my.left > 0 && fate(3, 'bell', about) === 0) net.after(1 + fate(2, 'time', about), BELL)
    if (my.left > 0) my.left--
  }
  return algorithm({
    name: 'senseless',
    needs: { topology: 'any', ids: 'numbers', knows: ['peers', 'liveness'], coins: true },
    messages: { LETTER },
    timers: { BELL },
    state: { mood: nat, left: nat },
    wakes: true,
    start(my, net) {
      my.left = 4
      act(my, net, 'start')
    },
    on: { LETTER: (my, { value }, net) => act(my, net, 'letter', value) },
    timeout: { BELL: (my, net) => act(my, net, 'bell') },
    down: (my, link, net) => act(my, net, 'down', link),
    up: (my, link, net) => act(my, net, 'up', link),
    theory: lcr.theory,
  })
}

const worlds = fc
  .record({ seed: fc.nat(), shape: fc.constantFrom('path:2', 'path:3', 'complete:3', 'star:3') })
  .map(({ seed, shape }): World => {
    const topology = network(shape, { random: Random.from(seed) })
    const ids = Float64Array.from({ length: topology.n }, (_, node) => 10 + node)
    return { algorithm: senseless(seed), topology, ids, params: {} }
  })

const count = fc.constantFrom(0, 0, 1)
const options: fc.Arbitrary<ModelOptions> = fc.record({
  mode: fc.constantFrom<Mode>('untimed', 'patient', { clocked: 1 }, { clocked: 2 }),
  order: fc.constantFrom('fifo', 'any'),
  wake: fc.constantFrom<ModelOptions['wake']>('any', [0], [1, 0]),
  faults: fc
    .record({ crashes: count, losses: count, duplicates: count, cuts: count, back: count })
    .map(({ back, ...rest }) => ({ ...rest, recoveries: Math.min(back, rest.crashes) })),
})

/** An arbitrary property of the global state. */
function moody(sum: number, when: Property['when']): Property {
  return {
    name: `moods below ${sum}`,
    says: '',
    when,
    broken({ n, state }) {
      const moods = Array.from({ length: n }, (_, node) => state(node).mood as number)
      const total = moods.reduce((a, b) => a + b)
      return total < sum ? null : `moods of ${total}`
    },
  }
}

const properties = fc
  .tuple(fc.integer({ min: 2, max: 9 }), fc.constantFrom('always' as const, 'at the end' as const))
  .map(([sum, when]) => moody(sum, when))

/** As it is read from a file. */
const filed = <T>(value: T): T => JSON.parse(JSON.stringify(value))

const limits = { states: 1000 }

describe('serialised transitions', () => {
  it('reproduce a counterexample event by event, and violate the property at the end', () => {
    let found = 0
    fc.assert(
      fc.property(worlds, options, properties, (world, options, property) => {
        const { violated } = checkWorld(world, { ...options, properties: [property], limits })
        if (violated === null) return
        found++
        const again = replay(world, options, [property], filed(violated.transitions))
        expect(filed(again.events)).toEqual(filed(violated.events))
        expect(again.trace).toEqual(violated.trace)
        expect(again.properties).toMatchObject([{ name: property.name, holds: false }])
        const { properties } = replay(world, options, [property], violated.transitions.slice(0, -1))
        if (violated.transitions.length > 0) expect(properties[0].holds).not.toBe(false)
      }),
      { numRuns: campaign(480) },
    )
    expect(found).toBeGreaterThan(campaign(480) / 5)
  })

  it('reproduce any run, also without a violation', () => {
    fc.assert(
      fc.property(worlds, options, fc.nat(), (world, options, seed) => {
        const run = randomRun(world, options, seed)
        const again = replay(world, options, [], filed(run.transitions))
        expect(filed(again)).toEqual({ ...filed(run), properties: [] })
      }),
      { numRuns: campaign(640) },
    )
  })

  it('are rejected at the first that is not enabled', () => {
    fc.assert(
      fc.property(worlds, options, fc.nat(), fc.nat(), (world, options, seed, place) => {
        const { transitions } = randomRun(world, options, seed)
        const wrong = place % transitions.length
        const strange = { ...transitions[wrong], node: 99 }
        expect(() => replay(world, options, [], transitions.with(wrong, strange))).toThrow(
          `move ${wrong + 1}: {"event":`,
        )
      }),
      { numRuns: campaign(400) },
    )
  })

  it('do not contain the age of messages, which a later transition may reveal', () => {
    const twice = algorithm({
      name: 'twice',
      needs: { topology: 'any' },
      messages: { LETTER },
      timers: { BELL },
      state: {},
      wakes: true,
      start(_, net) {
        if (net.degree === 0) return
        net.send(net.links[0], LETTER, { value: 1 })
        net.after(1, BELL)
      },
      on: { LETTER: () => {} },
      timeout: { BELL: (_, net) => net.send(net.links[0], LETTER, { value: 1 }) },
      theory: lcr.theory,
    })
    const topology = network('path:2', { random: Random.from(1) })
    const world = { algorithm: twice, topology, ids: Float64Array.of(0, 1), params: {} }
    const timed: ModelOptions = { mode: { clocked: 2 }, order: 'any', wake: [0, 1] }
    const tick = { event: 'tick', time: 1 } as const
    const bell = (node: number): TransitionJson => ({ event: 'timeout', node, timer: 'bell' })
    const get = (node: number): TransitionJson => ({
      ...{ event: 'receive', node, from: 1 - node, link: 0, type: 'letter', body: { value: 1 } },
    })
    const wake = [0, 1].map((node): TransitionJson => ({ event: 'wake', node }))
    // Each gets the older one when it must, and the other a unit of time later.
    const transitions = [
      ...wake,
      tick,
      bell(0),
      bell(1),
      tick,
      get(0),
      get(1),
      tick,
      get(0),
      get(1),
    ]
    const { events } = replay(world, timed, [], transitions)
    const received = events.filter(({ event }) => event === 'receive')
    expect(received.map(({ node, at }) => [node, at])).toEqual([
      [0, 2],
      [1, 2],
      [0, 3],
      [1, 3],
    ])
  })

  it('decide properties of the end only if the run ends', () => {
    const world: World = {
      algorithm: lcr,
      topology: network('ring:2', { random: Random.from(1) }),
      ids: Float64Array.of(1, 2),
      params: {},
    }
    const options: ModelOptions = { mode: 'untimed', order: 'fifo', wake: [0, 1] }
    const fine: Property = { name: 'fine', says: '', when: 'at the end', broken: () => null }
    const { transitions } = randomRun(world, options, 1)
    const holds = (length: number) =>
      replay(world, options, [fine], transitions.slice(0, length)).properties[0].holds
    expect(transitions.map((_, i) => holds(i + 1))).toEqual([
      ...transitions.slice(1).map(() => null),
      true,
    ])
  })
})

/** A timer of the starter fires forever, whether it reads its message to itself or not. */
const restless = algorithm({
  name: 'restless',
  needs: { topology: 'ring' },
  messages: { LETTER },
  timers: { BELL },
  state: {},
  wakes: false,
  start(_, net) {
    net.send(0, LETTER, { value: 0 })
    net.after(1, BELL)
  },
  on: { LETTER: () => {} },
  timeout: { BELL: (_, net) => net.after(1, BELL) },
})

describe('a run that can continue forever', () => {
  const ring = network('ring:1', { random: Random.from(1) })
  const world: World = { algorithm: restless, topology: ring, ids: Float64Array.of(1), params: {} }
  const options: ModelOptions = { mode: 'untimed', order: 'fifo', wake: [0] }
  const told: Property = {
    ...{ name: 'told', says: 'Some node eventually leads.', when: 'eventually' },
    broken: ({ leaders }) => (leaders.length === 0 ? 'no node leads' : null),
  }
  const judged = (transitions: readonly TransitionJson[]) => {
    const { properties } = replay(world, options, [told], filed(transitions))
    return properties.map(({ name, holds, detail }) => [name, holds, detail])
  }

  it('violates the same property again', () => {
    const asked = { ...options, properties: [told], limits, fairRuns: true }
    const { violated, properties } = checkWorld(world, asked)
    expect(violated).toMatchObject({ property: 'every fair run ends', loop: 3 })
    const forEver = 'the last step repeats forever'
    expect(properties[0]).toMatchObject({ holds: false, detail: forEver })
    expect(judged(violated!.transitions)).toEqual([
      ['told', false, forEver],
      ['every fair run ends', false, forEver],
    ])
  })

  it('violates nothing if it has no cycle, or if the cycle is unfair', () => {
    const [wake, read, ring] = checkWorld(world, {
      ...options,
      properties: [],
      limits,
      fairRuns: true,
    }).violated!.transitions
    const open = [['told', null, 'not decided because this run does not end here']]
    expect(judged([wake])).toEqual(open)
    expect(judged([wake, read])).toEqual(open)
    expect(judged([wake, ring])).toEqual(open)
    expect(judged([wake, ring, ring])).toEqual(open)
    // The message can be received all the time, and finally it is.
    expect(judged([wake, ring, read])).toEqual(open)
  })
})

/** A random run until the property is violated; null if it is not for a long time. */
function wander(
  world: World,
  options: ModelOptions,
  property: Property,
  seed: number,
): TransitionJson[] | null {
  const random = Random.from(seed)
  const path = new PathReplay(world, options, [property])
  const finding = path.evaluator.findings.find((one) => one.property === property)!
  const made: TransitionJson[] = []
  while (finding.broken === null) {
    const transitions = path.enabled()
    if (transitions.length === 0 || made.length > 60) return null
    made.push(transitionJson(transitions[random.below(transitions.length)], path.system.cache))
    path.take(made[made.length - 1])
  }
  return made
}

describe('a random counterexample', () => {
  it('is shrunk until every transition is necessary', () => {
    let shortened = 0
    fc.assert(
      fc.property(worlds, options, properties, fc.nat(), (world, options, property, seed) => {
        const made = wander(world, options, property, seed)
        if (made === null) return
        const { transitions } = minimised(world, options, property, made)
        const broken = (some: readonly TransitionJson[]) =>
          replay(world, options, [property], some).properties[0].holds === false
        expect(broken(transitions)).toBe(true)
        expect(transitions.length).toBeLessThanOrEqual(made.length)
        if (transitions.length < made.length) shortened++
        for (const i of transitions.keys())
          expect(attempt(() => broken(transitions.toSpliced(i, 1)))).not.toBe(true)
      }),
      { numRuns: 40 },
    )
    // A few of forty: which worlds are drawn differs from run to run.
    expect(shortened).toBeGreaterThan(0)
  })

  it('is reordered into causal chains', () => {
    const world: World = {
      algorithm: lcr,
      topology: network('ring:4', { random: Random.from(1) }),
      ids: Float64Array.of(3, 1, 4, 2),
      params: {},
    }
    const options: ModelOptions = { mode: 'untimed', order: 'fifo', wake: 'any' }
    const awake: Property = {
      name: 'some node sleeps',
      says: '',
      when: 'always',
      broken: ({ n, state }) =>
        Array.from({ length: n }, (_, node) => state(node).status).includes('asleep')
          ? null
          : 'no node sleeps',
    }
    const wake = (node: number): TransitionJson => ({ event: 'wake', node })
    const receive = (node: number, id: number): TransitionJson => ({
      ...{ event: 'receive', node, from: node - 1, link: 1, type: 'election', body: { id } },
    })
    const jumping = [wake(0), wake(2), receive(1, 3), receive(3, 4)]
    const { transitions, trace } = minimised(world, options, awake, jumping)
    expect(transitions).toEqual([wake(0), receive(1, 3), wake(2), receive(3, 4)])
    expect(trace.map(({ at }) => at)).toEqual([1, 2, 3, 4])
  })
})

function attempt<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}
