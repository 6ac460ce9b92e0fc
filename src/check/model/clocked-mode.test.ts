import { describe, expect, it } from 'vitest'
import { lcr } from '../../algorithms/ring/lcr.ts'
import { slowFast } from '../../algorithms/ring/slow-fast.ts'
import { timeSlice } from '../../algorithms/ring/time-slice.ts'
import {
  type Algorithm,
  algorithm,
  flag,
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

function on(definition: Algorithm, ids: readonly number[], params = {}): World {
  const topology = ring(ids.length)
  return { algorithm: definition, topology, ids: Float64Array.from(ids), params }
}

function explore(world: World, changes: Partial<CheckOptions>): CheckResult {
  const budget = { states: 100_000 }
  return checkWorld(world, {
    mode: 'untimed',
    order: 'fifo',
    wake: 'any',
    limits: budget,
    properties: [],
    ...changes,
  })
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

const nobodyLeads = never('leading', ({ status }) => status === 'leader')

/** The earliest time at which some node is leader. */
function elected(world: World, changes: Partial<CheckOptions>): number | undefined {
  const { violated } = explore(world, { ...changes, properties: [nobodyLeads] })
  return violated?.events.find(({ event }) => event === 'lead')?.at
}

const GREETING = message({})
const PATIENCE = timer()

/** Both nodes greet; a node whose timer fires before the greeting arrives is late. */
const greeting = algorithm({
  name: 'greeting',
  needs: { topology: 'ring' },
  messages: { GREETING },
  timers: { PATIENCE },
  params: { patience: { says: 'how long to wait', value: () => 0 } },
  state: { late: flag },
  wakes: true,
  start(my, net) {
    net.after(my.patience, PATIENCE)
    net.send(left, GREETING, {})
  },
  on: { GREETING: (_, __, net) => net.cancel(PATIENCE) },
  timeout: {
    PATIENCE(my) {
      my.late = true
    },
  },
  theory: lcr.theory,
})

describe('timers', () => {
  const nobodyLate = never('late', ({ late }) => late === true)
  const holds = (patience: number, mode: CheckOptions['mode']) => {
    const world = on(greeting, [0, 0], { patience })
    const { exhausted, properties, violated } = explore(world, { mode, properties: [nobodyLate] })
    expect(exhausted).toBe(violated === null)
    return properties[0].holds
  }

  it('may fire at any time when untimed', () => {
    expect(holds(1000, 'untimed')).toBe(false)
  })

  it('fire only when no message is in flight when patient', () => {
    expect(holds(0, 'patient')).toBe(true)
  })

  it.each([1, 2, 3])('fire on time with delays up to %i units', (longest) => {
    for (let patience = 0; patience < 8; patience++)
      expect([patience, holds(patience, { clocked: longest })]).toEqual([
        patience,
        patience >= 2 * longest,
      ])
  })

  it('report the time at which they fire', () => {
    const world = on(greeting, [0, 0], { patience: 3 })
    const late = { properties: [nobodyLate], mode: { clocked: 2 } }
    expect(explore(world, late).violated?.trace.at(-1)).toMatchObject({
      at: 3,
      event: 'timeout',
      timer: 'patience',
      text: 'Position 0: timer patience fires; late: false -> true.',
    })
  })

  it('fire in the order in which they were set, with delay 0 at the same time', () => {
    const [FIRST, SECOND, THIRD] = [timer(), timer(), timer()]
    const ringing = algorithm({
      name: 'ringing',
      needs: { topology: 'ring' },
      messages: { GREETING },
      timers: { FIRST, SECOND, THIRD },
      state: { order: list(nat) },
      wakes: true,
      start(_, net) {
        net.after(5, SECOND)
        net.after(7, FIRST)
        net.after(5, FIRST)
      },
      on: { GREETING: () => {} },
      timeout: {
        FIRST: (my) => void my.order.push(1),
        SECOND(my, net) {
          my.order.push(2)
          net.after(0, THIRD)
        },
        THIRD: (my) => void my.order.push(3),
      },
      theory: lcr.theory,
    })
    const another = never('in another order', ({ order }) => !'2,1,3'.startsWith(String(order)))
    const clocked = { mode: { clocked: 1 }, properties: [another] }
    const result = explore(on(ringing, [0]), clocked)
    // Asleep, awake, five rounds later, and after each of the three.
    expect(result).toMatchObject({ states: 6, transitions: 5, exhausted: true, violated: null })
    expect(explore(on(ringing, [0]), { ...clocked, mode: 'untimed' }).violated).not.toBeNull()
  })

  it.each([
    ['of a node that has stopped', 1, true],
    ['beyond what a clock can count', 2 ** 60, false],
  ])('%s never fire', (_, delay, stop) => {
    const napping = algorithm({
      name: 'napping',
      needs: { topology: 'ring' },
      messages: { GREETING },
      timers: { PATIENCE },
      state: {},
      wakes: true,
      start(_, net) {
        net.after(delay, PATIENCE)
        if (stop) net.stop()
      },
      on: { GREETING: () => {} },
      timeout: { PATIENCE: () => {} },
      theory: lcr.theory,
    })
    const result = explore(on(napping, [0]), { mode: { clocked: 1 } })
    expect(result).toMatchObject({ states: 2, transitions: 1 })
  })

  it('reject fractions of a round', () => {
    const world = on(greeting, [0, 0], { patience: 0.5 })
    expect(() => explore(world, { mode: { clocked: 1 } })).toThrow('but a timer is set to 0.5')
    expect(explore(world, { mode: 'patient' }).exhausted).toBe(true)
  })
})

describe('one unit of time', () => {
  const FRESH = timer()
  const newcomer = algorithm({
    name: 'newcomer',
    needs: { topology: 'ring' },
    messages: { GREETING },
    timers: { FRESH },
    state: { fresh: flag, surprised: flag },
    wakes: false,
    start(my, net) {
      my.fresh = true
      net.after(0, FRESH)
      net.send(left, GREETING, {})
    },
    on: {
      GREETING(my) {
        if (my.fresh) my.surprised = true
      },
    },
    timeout: {
      FRESH(my) {
        my.fresh = false
      },
    },
    theory: lcr.theory,
  })
  const properties = [never('surprised', ({ surprised }) => surprised === true)]

  it.each([1, 2])('has deliveries, then starts, then timers (clocked:%i)', (clocked) => {
    const result = explore(on(newcomer, [0, 0, 0]), { mode: { clocked }, properties })
    expect(result).toMatchObject({ exhausted: true, violated: null })
  })

  it('has the states and transitions counted by hand', () => {
    const NAP = timer()
    const napping = algorithm({
      name: 'napping',
      needs: { topology: 'ring' },
      messages: { GREETING },
      timers: { NAP },
      state: { rested: flag },
      wakes: true,
      start: (_, net) => net.after(2, NAP),
      on: { GREETING: () => {} },
      timeout: {
        NAP(my) {
          my.rested = true
        },
      },
      theory: lcr.theory,
    })
    // A: asleep, 2 1 0: time left, R: rested. While one sleeps: AA; 2A 1A 0A RA (its moment not
    // over) RA (over), and mirrored. With both awake: 22 00 RR; 12 02 01 R2 R1 R0, and mirrored.
    const result = explore(on(napping, [0, 0]), { mode: { clocked: 1 } })
    expect(result).toMatchObject({ states: 1 + 2 * 5 + 3 + 2 * 6, exhausted: true })
    // AA 2; 2A 1A 0A two each, RA one each; 22 one, 00 two, RR none; the others one each.
    expect(result.transitions).toBe(2 + 2 * 8 + 3 + 2 * 6)
  })

  it('has no such order without a clock', () => {
    expect(explore(on(newcomer, [0, 0, 0]), { properties }).violated).not.toBeNull()
  })
})

describe('rounds', () => {
  const mode = { clocked: 1 }

  it('elect with LCR in round n + 1 when all start', () => {
    for (const ids of [[1], [2, 1], [1, 3, 2], [4, 2, 3, 1], [2, 5, 3, 1, 4]]) {
      const wake = ids.map((_, node) => node)
      expect(elected(on(lcr, ids), { mode, wake })).toBe(ids.length + 1)
    }
  })

  it('elect with LCR in round 12 on the ring of Burman with position 0 awake', () => {
    expect(elected(on(lcr, [3, 2, 7, 8, 5, 4, 1, 6]), { mode, wake: [0] })).toBe(12)
  })

  it('elect with slow-fast in round wake + d + (n - d) 2^L', () => {
    const world = on(slowFast, [3, 1, 4, 2])
    expect(elected(world, { mode, wake: [1, 2] })).toBe(1 + 1 + 3 * 2)
    expect(elected(world, { mode, wake: [0, 3] })).toBe(1 + 1 + 3 * 4)
    expect(elected(world, { mode, wake: [2] })).toBe(1 + 4)
  })

  it('without events are skipped', () => {
    const billion = 1_000_000_000
    const world = on(timeSlice, [billion + 2, billion, billion + 1])
    const result = explore(world, { mode, wake: [0, 1, 2] })
    expect(result.exhausted).toBe(true)
    expect(result.states).toBeLessThan(20)
    expect(elected(world, { mode, wake: [0, 1, 2] })).toBe(3 * billion + 1)
    const run = explore(world, { mode, wake: [0, 1, 2], properties: [nobodyLeads] }).violated
    expect(run?.trace.map(({ text }) => text)).toContain('3000000000 rounds pass.')
  })
})
