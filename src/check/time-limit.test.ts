import { describe, expect, it } from 'vitest'
import { preparation } from '../../test/support/random-worlds.ts'
import { lcr } from '../algorithms/index.ts'
import {
  type Algorithm,
  algorithm,
  message,
  nat,
  type Property,
  right,
  timer,
  type World,
} from '../core/index.ts'
import { type CheckOptions, checkWorld } from './check.ts'
import { worstCase } from './cost/worst-case.ts'
import { strongComponents } from './liveness/strong-components.ts'
import {
  examineInTime,
  GraphWatch,
  type SearchBudget,
  type SearchProgress,
  TIME_LIMIT_REASON,
} from './search/budget.ts'

/* The time limit is held in the middle of everything that a check does after the search. */

const TURNS = 40
const STOP = message({})
const TICK = timer()

/** Every node turns a wheel for ever, up to a message that stops it, or by random steps. */
function wheels(how: 'stopped' | 'by chance' | 'for ever'): Algorithm {
  return algorithm({
    name: 'wheels',
    needs: { topology: 'ring', ids: 'unique', coins: true },
    messages: { STOP },
    timers: { TICK },
    state: { turned: nat },
    wakes: true,
    start(_, net) {
      net.after(1, TICK)
      if (how === 'stopped') net.send(right, STOP, {})
    },
    on: { STOP: (_, __, net) => net.stop() },
    timeout: {
      TICK(my, net) {
        my.turned = (my.turned + 1 + (how === 'by chance' ? net.choose(2) : 0)) % TURNS
        net.after(1, TICK)
      },
    },
  })
}

/** Broken in the one state that is farthest from the beginning. */
const farAway: Property = {
  name: 'not both at the end',
  says: 'The two wheels are not both at their last place.',
  when: 'from some time on',
  broken: ({ n, state }) =>
    Array.from({ length: n }, (_, node) => state(node).turned).every((it) => it === TURNS - 1)
      ? 'both are'
      : null,
}

const RULES = { mode: 'untimed', order: 'fifo', wake: [0, 1] } as const
const STATES = 200_000

function checked(world: World, given: Partial<CheckOptions>, limits: SearchBudget) {
  const { properties, reason } = checkWorld(world, { ...RULES, properties: [], ...given, limits })
  return reason ?? properties.find(({ detail }) => detail?.includes(TIME_LIMIT_REASON))?.detail
}

function pair(how: Parameters<typeof wheels>[0]): World {
  return preparation(wheels(how), { n: 2 }).world
}

function costs(n: number, of: 'messages' | 'time', limits: SearchBudget) {
  const { world } = preparation(lcr, { n, ids: 'decreasing' })
  return worstCase(world, { ...RULES, wake: 'any' }, limits, of).reason
}

/**
 * What is done within a budget, and how often at least the clock is looked at meanwhile, from the
 * number of states and edges; it returns why something is not known.
 */
const WORK: readonly (readonly [
  what: string,
  looks: Partial<Record<NonNullable<SearchProgress['examined']>, number>>,
  run: (limits: SearchBudget) => string | null | undefined,
])[] = [
  [
    'cycles that are all unfair',
    { fairness: 15 },
    (limits) => checked(pair('stopped'), { fairRuns: true }, limits),
  ],
  [
    'end components',
    { fairness: 12 },
    (limits) => checked(pair('by chance'), { fairRuns: true }, limits),
  ],
  [
    'a fair cycle through a state far away',
    { fairness: 10 },
    (limits) => checked(pair('for ever'), { properties: [farAway] }, limits),
  ],
  ['the most and the fewest messages', { costs: 6 }, (limits) => costs(8, 'messages', limits)],
  ['causal time', { cycles: 1 }, (limits) => costs(6, 'time', limits)],
]

/** Runs something whose time is over at the given look at the clock. */
function within(most: number, run: (limits: SearchBudget) => string | null | undefined) {
  let looks = 0
  const examined: string[] = []
  const limits: SearchBudget = {
    states: STATES,
    expired: () => ++looks > most,
    onProgress: (progress) => progress.examined && examined.push(progress.examined),
  }
  return { result: run(limits), looks: () => looks, examined }
}

describe.each(WORK)('the time limit: %s', (_, least, run) => {
  it('is held wherever it is reached, and what is done is told', () => {
    const whole = within(Number.POSITIVE_INFINITY, run)
    expect(whole.result ?? '').not.toContain(TIME_LIMIT_REASON)
    for (const [examined, times] of Object.entries(least))
      expect(whole.examined.filter((it) => it === examined).length).toBeGreaterThanOrEqual(times)
    const all = whole.looks()
    for (let part = 1; part < 4; part++) {
      const most = Math.floor((all * part) / 4)
      const { result, looks } = within(most, run)
      expect(result).toContain(TIME_LIMIT_REASON)
      // Nothing goes on: each question that is left looks once at the clock.
      expect(looks()).toBeLessThanOrEqual(most + 4)
    }
  })
})

it('the search for strong components looks at the clock within a graph of any size', () => {
  const size = 1_000_000
  const ring = {
    size,
    edges: (state: number) => state,
    target: (edge: number) => (edge + 1) % size,
  }
  let looks = 0
  const watch = new GraphWatch({ expired: () => ++looks === 5 }, ring)
  const found = examineInTime<unknown>(
    () => strongComponents(ring, watch).count,
    (reason) => reason,
  )
  expect([found, looks]).toEqual([TIME_LIMIT_REASON, 5])
})

it('the shrinking of a counterexample ends with the shortest run so far', () => {
  const { world } = preparation(lcr, { n: 5, ids: 'decreasing' })
  const never: Property = {
    name: 'nobody leads',
    says: 'No node leads.',
    when: 'always',
    broken: ({ leaders }) => (leaders.length > 0 ? 'one does' : null),
  }
  const shrunk = (most: number) => {
    let looks = 0
    const limits = { states: STATES, expired: () => ++looks > most }
    const { violated } = checkWorld(world, { ...RULES, wake: 'any', properties: [never], limits })
    return { steps: violated?.trace.length, looks: () => looks }
  }
  const whole = shrunk(Number.POSITIVE_INFINITY)
  const late = shrunk(whole.looks() - 3)
  expect(late.steps).toBe(whole.steps)
  expect(late.looks()).toBeLessThan(whole.looks())
})
