import { describe, expect, it } from 'vitest'
import { changRoberts } from '../algorithms/ring/chang-roberts.ts'
import { franklin } from '../algorithms/ring/franklin.ts'
import { hirschbergSinclair } from '../algorithms/ring/hirschberg-sinclair.ts'
import { lcr } from '../algorithms/ring/lcr.ts'
import { peterson } from '../algorithms/ring/peterson.ts'
import { slowFast } from '../algorithms/ring/slow-fast.ts'
import { timeSlice } from '../algorithms/ring/time-slice.ts'
import { type Algorithm, algorithm, left, message, nat, type Property } from '../core/index.ts'
import type { World } from '../core/language/world.ts'
import { ring } from '../core/networks/ring.ts'
import { leaderElection } from '../problems/leader-election.ts'
import { type CheckOptions, checkWorld, type SearchProgress } from './index.ts'

const options: CheckOptions = {
  mode: 'untimed',
  order: 'fifo',
  wake: 'any',
  limits: { states: 1_000_000 },
  properties: leaderElection.properties(false),
}

/** For elections in rounds, which another node than the largest may win. */
const inRounds: Partial<CheckOptions> = {
  mode: { clocked: 1 },
  properties: leaderElection.properties(false, { elects: 'another' }),
}

function on(definition: Algorithm, ...ids: number[]): World {
  const topology = ring(ids.length)
  return { algorithm: definition, topology, ids: Float64Array.from(ids), params: {} }
}

/** The properties without termination of the leader. */
function failures(world: World, changes: Partial<CheckOptions>): string[] {
  const { exhausted, properties } = checkWorld(world, { ...options, ...changes })
  expect(exhausted).toBe(true)
  return properties.filter(({ holds }) => holds !== true).map(({ name }) => name)
}

const permutations = [[1], [1, 2], [2, 1], [1, 2, 3], [3, 2, 1], [2, 4, 1, 3], [4, 3, 2, 1]]

describe('the catalogue', () => {
  for (const definition of [lcr, changRoberts, hirschbergSinclair, peterson, franklin])
    it(`${definition.name} elects whatever the schedule`, () => {
      for (const ids of permutations) expect(failures(on(definition, ...ids), {})).toEqual([])
    })

  it('slow-fast elects in rounds with any starters', () => {
    for (const ids of permutations) expect(failures(on(slowFast, ...ids), inRounds)).toEqual([])
  })

  it('time-slice elects in rounds when all start', () => {
    for (const ids of permutations) {
      const wake = ids.map((_, node) => node)
      expect(failures(on(timeSlice, ...ids), { ...inRounds, wake })).toEqual([])
    }
  })

  it('shows that time-slice needs rounds', () => {
    const world = on(timeSlice, 1, 3, 2)
    const wake = [0, 1, 2]
    // Id 1 speaks at time 3; at two units a hop, id 2 hears of it at 7 and has spoken at 6.
    const { violated } = checkWorld(world, { ...options, wake, mode: { clocked: 2 } })
    expect(violated?.property).toBe('at most one leader')
    expect(violated?.trace.at(-1)).toMatchObject({ at: 6, event: 'timeout', node: 2 })
  })

  it('shows that peterson needs FIFO links', () => {
    const { violated } = checkWorld(on(peterson, 1, 2, 3), { ...options, order: 'any' })
    expect(violated?.property).toBe('exactly one leader at the end')
  })
})

describe('check', () => {
  it('finds two leaders with equal ids', () => {
    const { violated, properties } = checkWorld(on(lcr, 5, 5), options)
    expect(violated?.property).toBe('at most one leader')
    expect(violated?.trace.map(({ text }) => text)).toEqual([
      'Position 0 (id 5) wakes and sends election(id 5) to position 1.',
      'Position 1 (id 5) is woken by election(id 5) from position 0, ' +
        'sends election(id 5) to position 0, becomes leader and sends leader(id 5) to position 0.',
      'Position 0 (id 5) receives election(id 5) from position 1, ' +
        'becomes leader and sends leader(id 5) to position 1.',
    ])
    expect(properties[0].detail).toBe('nodes 5 (position 0), 5 (position 1) lead at once')
  })

  const HELLO = message({})
  const loner = algorithm({
    name: 'loner',
    needs: { topology: 'ring' },
    messages: { HELLO },
    state: {},
    wakes: false,
    start: () => {},
    on: { HELLO: () => {} },
    theory: lcr.theory,
  })

  it('evaluates the end while nodes sleep, but not before a node has woken', () => {
    const { violated } = checkWorld(on(loner, 0, 0, 0), options)
    expect(violated).toMatchObject({
      property: 'exactly one leader at the end',
      trace: [{ event: 'wake', node: 0, sends: [] }],
    })
  })

  it('evaluates no end before all given starters have started', () => {
    const allUp: Property = {
      name: 'all up',
      says: 'At the end no node sleeps.',
      when: 'at the end',
      broken: ({ state }) => (state(1).status === 'asleep' ? 'position 1 sleeps' : null),
    }
    const result = checkWorld(on(loner, 0, 0), { ...options, wake: [0, 1], properties: [allUp] })
    expect(result.properties).toEqual([
      { name: 'all up', holds: true, detail: 'in the one state where runs end' },
    ])
  })

  it('says that nothing was checked at the end if no run ends', () => {
    const TOKEN = message({})
    const restless = algorithm({
      name: 'restless',
      needs: { topology: 'ring' },
      messages: { TOKEN },
      state: {},
      wakes: false,
      start: (_, net) => net.send(left, TOKEN, {}),
      on: { TOKEN: (_, __, net) => net.send(left, TOKEN, {}) },
      theory: lcr.theory,
    })
    const result = checkWorld(on(restless, 0, 0), { ...options, wake: [0] })
    // Asleep; the token before the other, asleep; before the first; before the other, awake.
    expect(result).toMatchObject({ states: 4, transitions: 4, depth: 3, exhausted: true })
    expect(result.properties[2]).toMatchObject({
      holds: null,
      detail: 'not checked because no run ends',
    })
  })

  it('evaluates a step that deposes a leader, even into a visited state', () => {
    const TOKEN = message({})
    const twoWays = algorithm({
      name: 'two-ways',
      needs: { topology: 'ring', coins: true },
      messages: { TOKEN },
      state: {},
      wakes: false,
      start(_, net) {
        if (net.choose(2) === 0) net.follow(null)
        else net.lead()
        net.send(left, TOKEN, {})
      },
      on: { TOKEN: (_, __, net) => net.follow(null) },
      theory: lcr.theory,
    })
    const stays = options.properties.filter(({ name }) => name === 'a leader stays leader')
    const { violated, properties } = checkWorld(on(twoWays, 0), { ...options, properties: stays })
    expect(properties[0].detail).toBe('node at position 0 stopped leading')
    expect(violated?.trace).toMatchObject([
      { event: 'wake', draws: [1], becomes: 'leader' },
      { event: 'receive', from: 0, becomes: 'lost' },
    ])
  })

  it('evaluates the initial state', () => {
    const never: Property = {
      name: 'never',
      says: 'Nothing is right.',
      when: 'always',
      broken: () => 'wrong from the start',
    }
    const result = checkWorld(on(lcr, 1, 2), { ...options, properties: [never] })
    expect(result).toMatchObject({
      states: 1,
      transitions: 0,
      depth: 0,
      violated: { property: 'never', trace: [] },
      properties: [{ holds: false, detail: 'wrong from the start' }],
    })
  })

  it.each([
    [{ mode: { clocked: 0 } }, 'from 1; 0 was given'],
    [{ mode: { clocked: 1.5 } }, 'from 1; 1.5 was given'],
    [{ wake: [2] }, 'different positions from 0 to 1; 2 was given'],
    [{ wake: [] }, 'from 0 to 1; none was given'],
    [{ wake: [1, 1] }, 'from 0 to 1; 1, 1 was given'],
    [{ limits: { states: 0 } }, 'must be at least 1; 0 was given'],
  ])('rejects %j', (changes, message) => {
    expect(() => checkWorld(on(lcr, 1, 2), { ...options, ...changes })).toThrow(message)
  })
})

describe('limits', () => {
  const world = on(lcr, 6, 5, 4, 3, 2, 1)
  const { states } = checkWorld(world, options)

  it('ends at the limit of states, not before', () => {
    expect(checkWorld(world, { ...options, limits: { states } })).toMatchObject({ exhausted: true })
    const result = checkWorld(world, { ...options, limits: { states: states - 1 } })
    expect(result).toMatchObject({ states: states - 1, exhausted: false, violated: null })
    expect(result.reason).toBe(`the limit of ${states - 1} states was reached`)
    for (const { holds, detail } of result.properties)
      expect([holds, detail]).toEqual([null, `not decided because ${result.reason}`])
  })

  it('ends when the memory is used up', () => {
    const limits = { states: 1_000_000, memoryMB: 0.01 }
    expect(checkWorld(world, { ...options, limits })).toMatchObject({
      exhausted: false,
      reason: 'the limit of 0.01 MB was reached',
    })
  })

  it('ends at the time limit', () => {
    let asked = 0
    const limits = { states: 1_000_000, expired: () => ++asked === 3 }
    const result = checkWorld(on(lcr, 8, 7, 6, 5, 4, 3, 2, 1), { ...options, limits })
    expect(result).toMatchObject({ exhausted: false, reason: 'the time limit was reached' })
    expect(asked).toBe(3)
  })

  it('checks the clock often if states are large', () => {
    const many = Array.from({ length: 900 }, (_, i) => 900 - i)
    let asked = 0
    const limits = { states: 1_000_000, expired: () => ++asked > 1 }
    // Each leads to 900 others.
    const { states, reason } = checkWorld(on(lcr, ...many), { ...options, limits })
    expect(reason).toBe('the time limit was reached')
    expect(states).toBeLessThan(100)
  })

  it('reads the clock after a slow handler', () => {
    let runs = 0
    const NEXT = message({ count: nat })
    const slow = algorithm({
      name: 'slow',
      needs: { topology: 'ring', ids: 'unique' },
      messages: { NEXT },
      state: {},
      wakes: true,
      theory: lcr.theory,
      start: (_, net) => net.send(left, NEXT, { count: 0 }),
      on: {
        NEXT(_, { count }, net) {
          runs++
          net.send(left, NEXT, { count: count + 1 })
        },
      },
    })
    const limits = { states: 1_000_000, expired: () => runs >= 5 }
    const result = checkWorld(on(slow, 1, 2), { ...options, limits })
    expect(result).toMatchObject({ exhausted: false, reason: 'the time limit was reached' })
    // The handlers of one state run before the next look at the clock.
    expect(runs).toBeLessThan(8)
  })

  it('reports progress', () => {
    const seen: SearchProgress[] = []
    checkWorld(on(lcr, 8, 7, 6, 5, 4, 3, 2, 1), { ...options, onProgress: (now) => seen.push(now) })
    expect(seen[0]).toEqual({ states: 1, transitions: 0, depth: 0, frontier: 1 })
    expect(seen.length).toBeGreaterThan(3)
    for (const [i, now] of seen.entries())
      if (i > 0) expect(now.states).toBeGreaterThan(seen[i - 1].states)
  })
})
