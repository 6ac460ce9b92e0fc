import { describe, expect, it } from 'vitest'
import { lcr } from '../../algorithms/ring/lcr.ts'
import {
  type Algorithm,
  algorithm,
  left,
  list,
  message,
  nat,
  type Property,
  timer,
} from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { ring } from '../../core/networks/ring.ts'
import { type CheckOptions, type CheckResult, checkWorld } from '../index.ts'

function on(definition: Algorithm, ...ids: number[]): World {
  const topology = ring(ids.length)
  return { algorithm: definition, topology, ids: Float64Array.from(ids), params: {} }
}

const options: CheckOptions = {
  mode: 'untimed',
  order: 'fifo',
  wake: 'any',
  limits: { states: 100_000 },
  properties: [],
}

function explore(world: World, changes: Partial<CheckOptions>): CheckResult {
  return checkWorld(world, { ...options, ...changes })
}

function never(what: string, wrong: (state: Record<string, unknown>) => boolean): Property {
  return {
    name: `never ${what}`,
    says: `No node is ever ${what}.`,
    when: 'always',
    broken: ({ n, state }) =>
      Array.from({ length: n }, (_, node) => state(node)).some(wrong) ? what : null,
  }
}

const GREETING = message({})

describe('random choices', () => {
  const tossing = (draw: (choose: (k: number) => number, random: () => number) => number) =>
    algorithm({
      name: 'tossing',
      needs: { topology: 'ring', coins: true },
      messages: { GREETING },
      state: { sum: nat },
      wakes: true,
      start(my, net) {
        my.sum = draw(
          (k) => net.choose(k),
          () => net.random(),
        )
      },
      on: { GREETING: () => {} },
      theory: lcr.theory,
    })

  it('have every outcome, also if later choices depend on earlier ones', () => {
    const either = tossing((choose) => (choose(2) === 0 ? choose(3) : 3 + choose(4)))
    expect(explore(on(either, 0), {})).toMatchObject({ states: 8, transitions: 7, depth: 1 })
    expect(explore(on(either, 0, 0), {})).toMatchObject({ states: 64, transitions: 2 * 7 * 8 })
  })

  it('are in the trace', () => {
    const properties = [never('five', ({ sum }) => sum === 5)]
    const dice = tossing((choose) => choose(2) + 2 * choose(3))
    expect(explore(on(dice, 0), { properties }).violated?.trace).toMatchObject([
      {
        draws: [1, 2],
        text: 'Position 0 wakes and draws 1, 2; sum: 0 -> 5.',
      },
    ])
  })

  it.each([
    [tossing((_, random) => random()), 'net.random() has too many outcomes'],
    [tossing((choose) => choose(0)), 'above 0; 0 was given'],
    [tossing((choose) => choose(1.5)), 'above 0; 1.5 was given'],
    [
      tossing((choose) => {
        while (choose(2) === 0);
        return 0
      }),
      'more than 1000 random choices',
    ],
    [tossing((choose) => choose(1000) * choose(1000)), 'one has more than 100000.'],
  ])('with too many outcomes are rejected (%#)', (definition, complaint) => {
    expect(() => explore(on(definition, 0), {})).toThrow(complaint)
  })
})

describe('channels', () => {
  const NUMBER = message({ value: nat })
  const counting = algorithm({
    name: 'counting',
    needs: { topology: 'ring' },
    messages: { NUMBER },
    state: { heard: list(nat) },
    wakes: false,
    start(_, net) {
      for (const value of [1, 2, 3]) net.send(left, NUMBER, { value })
    },
    on: { NUMBER: (my, { value }) => void my.heard.push(value) },
    theory: lcr.theory,
  })

  it.each(['untimed' as const, { clocked: 1 }, { clocked: 3 }])('keep the order (%j)', (mode) => {
    const properties = [never('muddled', ({ heard }) => !'1,2,3'.startsWith(String(heard)))]
    const result = explore(on(counting, 0, 0), { mode, wake: [0], properties })
    expect(result).toMatchObject({ exhausted: true, violated: null })
    expect(
      explore(on(counting, 0, 0), { mode, wake: [0], properties, order: 'any' }),
    ).toMatchObject({ exhausted: false, violated: { property: 'never muddled' } })
  })

  it('lose and invent nothing', () => {
    // Asleep, then every sequence of different numbers heard so far: 1 + (1 + 3 + 6 + 6).
    const any = explore(on(counting, 0, 0), { wake: [0], order: 'any' })
    expect(any).toMatchObject({ states: 17, transitions: 1 + 15, depth: 4 })
    const fifo = explore(on(counting, 0, 0), { wake: [0] })
    expect(fifo).toMatchObject({ states: 5, transitions: 4, depth: 4 })
  })

  it('without order are multisets', () => {
    const sending = (...orders: number[][]) =>
      algorithm({
        name: 'sending',
        needs: { topology: 'ring', coins: true },
        messages: { NUMBER },
        state: { heard: list(nat) },
        wakes: false,
        start(_, net) {
          for (const value of orders[net.choose(orders.length)]) net.send(left, NUMBER, { value })
        },
        on: { NUMBER: (my, { value }) => void my.heard.push(value) },
        theory: lcr.theory,
      })
    const bag = { wake: [0], order: 'any' as const }
    // Heard: nothing; 1 2; 11 12 21; 112 121 211.
    expect(explore(on(sending([1, 1, 2]), 0, 0), bag)).toMatchObject({ states: 10, transitions: 9 })
    // Heard: nothing; 1 2; 12 21. Two ways lead to the first.
    const swapped = on(sending([1, 2], [2, 1]), 0, 0)
    expect(explore(swapped, bag)).toMatchObject({ states: 6, transitions: 6 })
    expect(explore(swapped, { wake: [0] })).toMatchObject({ states: 7, transitions: 6 })
  })

  it('cannot be used on a network without links', () => {
    const astray = algorithm({
      name: 'astray',
      needs: { topology: 'ring' },
      messages: { GREETING },
      state: {},
      wakes: true,
      start: (_, net) => net.send(2, GREETING, {}),
      on: { GREETING: () => {} },
      theory: lcr.theory,
    })
    expect(() => explore(on(astray, 0, 0), {})).toThrow(
      'astray: position 0 sends over link 2, but its links are 0 to 1',
    )
  })
})

describe('timers', () => {
  it('without a clock are the same in whatever order they were set', () => {
    const [TEA, EGG] = [timer(), timer()]
    const cooking = algorithm({
      name: 'cooking',
      needs: { topology: 'ring', coins: true },
      messages: { GREETING },
      timers: { TEA, EGG },
      state: {},
      wakes: true,
      start(_, net) {
        for (const timer of net.choose(2) === 0 ? [TEA, EGG] : [EGG, TEA]) net.after(1, timer)
      },
      on: { GREETING: () => {} },
      timeout: { TEA: () => {}, EGG: () => {} },
      theory: lcr.theory,
    })
    // Asleep; both set, by two ways; either; none.
    expect(explore(on(cooking, 0), {})).toMatchObject({ states: 5, transitions: 6 })
  })
})
