import { afterEach, describe, expect, it, vi } from 'vitest'
import * as algorithms from '../../../src/algorithms/index.ts'
import { type CheckOptions, type CheckResult, checkWorld } from '../../../src/check/index.ts'
import { LastEvents } from '../../../src/check/reduction/last-events.ts'
import { ParallelSearch } from '../../../src/check/search/threads/parallel-search.ts'
import { SharedFingerprints } from '../../../src/check/search/threads/shared-memory.ts'
import type { Algorithm, Property, World } from '../../../src/core/index.ts'
import { leaderElection } from '../../../src/problems/leader-election.ts'
import { inOrder } from '../../support/compared-reductions.ts'
import { randomProtocols } from '../../support/random-protocols.ts'
import { preparation } from '../../support/random-worlds.ts'
import { WaitingThreads } from '../../support/waiting-threads.ts'

const LONG = process.env.LONG_TESTS !== undefined
const PROTOCOLS = LONG ? 10_000 : 40
const MOST_STATES = 3000

const two = new WaitingThreads(2)
const three = new WaitingThreads(3)
const BASE = { reduction: 'off', mode: 'untimed', order: 'fifo', wake: 'any' } as const
type Given = Omit<CheckOptions, 'threads' | 'limits'> & Partial<Pick<CheckOptions, 'limits'>>

/** How many searches several threads have finished, and left to one. */
function watched() {
  const run = vi.spyOn(ParallelSearch.prototype, 'run')
  return {
    get finished() {
      return run.mock.results.filter(({ value }) => value === null).length
    },
    get left() {
      return run.mock.results.filter(({ value }) => value !== null).length
    },
  }
}

function checked(world: World, given: Given, threads?: WaitingThreads): CheckResult {
  return checkWorld(world, { limits: { states: 1e6 }, ...given, ...(threads && { threads }) })
}

function expectSame(world: World, given: Given): CheckResult {
  const alone = checked(world, given)
  for (const threads of [two, three]) expect(checked(world, given, threads)).toEqual(alone)
  return alone
}

/** Some as they would be explored by default, and some otherwise. */
function rulesFor(seed: number, { topology: { n } }: World) {
  if (seed % 8 === 1) return { ...BASE, order: 'any' as const }
  if (seed % 8 === 2) return { ...BASE, wake: seed % 16 === 2 ? [n - 1, 0] : [1] }
  if (seed % 8 === 3) return { ...BASE, mode: 'patient' as const }
  return BASE
}

/** The random protocols on which several threads find something else than one. */
function different(count: number, firstSeed = 1): number[] {
  const wrong: number[] = []
  for (const { seed, world } of randomProtocols(count, MOST_STATES, firstSeed)) {
    const some = [[], [inOrder], leaderElection.properties(false).slice(0, 3)][seed % 3]
    const given = { ...rulesFor(seed, world), properties: some as Property[], fairRuns: true }
    const limits = { states: seed % 5 === 0 ? 50 : MOST_STATES }
    const [alone, together] = [undefined, seed % 4 === 0 ? three : two].map((threads) =>
      JSON.stringify(checked(world, { ...given, limits }, threads)),
    )
    if (alone !== together) wrong.push(seed)
  }
  return wrong
}

describe('a search in several threads', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('reports what one thread reports, on elections of the catalogue', () => {
    const watch = watched()
    const worlds: [Algorithm, Record<string, unknown>][] = [
      // The table of its states grows.
      [algorithms.lcr, { n: 8, ids: 'decreasing' }],
      [algorithms.hirschbergSinclair, { ids: [3, 1, 4, 2] }],
      [algorithms.franklin, { n: 4 }],
      [algorithms.peterson, { n: 4 }],
      [algorithms.echoExtinction, { topology: 'complete:3' }],
    ]
    for (const [algorithm, given] of worlds) {
      const { world, properties } = preparation(algorithm, given)
      const { violated, exhausted } = expectSame(world, { ...BASE, properties, fairRuns: true })
      expect({ violated, exhausted }).toEqual({ violated: null, exhausted: true })
    }
    expect(watch).toMatchObject({ finished: 2 * worlds.length, left: 0 })
  })

  it('leaves a violation to one thread, for the same shortest counterexample', () => {
    const watch = watched()
    const { world, properties } = preparation(algorithms.lcr, { n: 6, ids: 'decreasing' })
    const never: Property = {
      name: 'no leader',
      says: 'No node leads.',
      when: 'always',
      sees: 'leaders',
      broken: ({ leaders }) => (leaders.length > 0 ? 'a node leads' : null),
    }
    const { violated } = expectSame(world, { ...BASE, properties: [...properties, never] })
    expect(violated).toMatchObject({ property: 'no leader', shortest: true })
    expect(watch).toMatchObject({ finished: 0, left: 2 })
  })

  it('leaves limits of states and memory to one thread, for the same counts', () => {
    const watch = watched()
    const { world, properties } = preparation(algorithms.lcr, { n: 9, ids: 'decreasing' })
    const given = { ...BASE, properties }
    expect(expectSame(world, { ...given, limits: { states: 1000 } }).states).toBe(1000)
    expectSame(world, { ...given, limits: { states: 1e6, memoryMB: 1 } })
    expect(watch).toMatchObject({ finished: 0, left: 4 })
  })

  it('ends when the time is over', () => {
    const { world, properties } = preparation(algorithms.lcr, { n: 9, ids: 'decreasing' })
    const run = vi.spyOn(ParallelSearch.prototype, 'run')
    const limits = { states: 1e6, expired: () => run.mock.calls.length > 0 }
    const { states, reason } = checked(world, { ...BASE, properties, limits }, two)
    expect(reason).toBe('the time limit was reached')
    expect(states).toBeLessThan(36_000)
  })

  it(`reports what one thread reports, on ${PROTOCOLS} random protocols`, {
    timeout: 3_600_000,
  }, () => {
    const watch = watched()
    expect(different(PROTOCOLS)).toEqual([])
    expect(watch.finished).toBeGreaterThan(PROTOCOLS / 5)
    expect(watch.left).toBeGreaterThan(PROTOCOLS / 50)
  })

  it('does without threads that do not start, also when its table grows', () => {
    const watch = watched()
    const grow = vi.spyOn(SharedFingerprints.prototype, 'take')
    const { world, properties } = preparation(algorithms.lcr, { n: 7, ids: 'decreasing' })
    const options = { ...BASE, properties, limits: { states: 1e6 } }
    const threads = { count: 2, least: 1, start: () => ({ send() {} }) }
    expect(checkWorld(world, { ...options, threads })).toEqual(checkWorld(world, options))
    expect(watch.finished).toBe(1)
    expect(grow).toHaveBeenCalled()
  })

  it('knows before each level whether a step that it skips has several outcomes', () => {
    // In this protocol a thread would often skip one without having asked for its row.
    for (let time = 0; time < 12; time++) expect(different(1, 262)).toEqual([])
  })

  it('would be caught if it skipped a step that only another step enables', () => {
    const { store } = LastEvents.prototype
    vi.spyOn(LastEvents.prototype, 'store').mockImplementation(function (this: LastEvents, ...of) {
      store.apply(this, of)
      const [fast, , , to, at] = of
      const { n } = fast.shape
      // No channel depends on its sender.
      for (let cell = n; cell < fast.shape.stageCell; cell++)
        to[at + (cell >>> 5)] &= ~(1 << (cell & 31))
    })
    expect(different(40)).not.toEqual([])
  })
})
