import { describe, expect, it } from 'vitest'
import {
  type Algorithm,
  algorithm,
  incarnation,
  list,
  message,
  nat,
  type Property,
  Random,
  stable,
  timer,
} from '../../../core/index.ts'
import { network } from '../../../core/networks/network.ts'
import { type CheckOptions, checkWorld, type FaultOptions, replay } from '../../index.ts'

type Explored = Partial<CheckOptions> & { readonly topology?: string }

/** Explores a definition on a small network where all nodes start at the beginning. */
function explore(definition: Algorithm, faults: FaultOptions, options: Explored = {}) {
  const { topology: name = 'complete:3', ...rest } = options
  const topology = network(name, { random: Random.from(1) })
  const ids = Float64Array.from({ length: topology.n }, (_, node) => node + 1)
  const world = { algorithm: definition, topology, ids, params: {} }
  const model = {
    ...({ mode: { clocked: 1 }, order: 'fifo', wake: Array.from(ids, (id) => id - 1) } as const),
    faults: { detect: 'off', ...faults } as const,
  }
  const result = checkWorld(world, { ...model, properties: [], limits: { states: 1e6 }, ...rest })
  return { ...result, world, model: { ...model, ...rest } }
}

/** All values that a function of the global state has. */
function valuesOf(of: (state: Parameters<Property['broken']>[0]) => unknown) {
  const values = new Set<string>()
  const property: Property = {
    name: 'it only listens',
    when: 'always',
    broken(global) {
      values.add(JSON.stringify(of(global)))
      return null
    },
  }
  return { values, properties: [property] }
}

const NOTE = message({ from: nat })
const LATER = timer()
const AGAIN = timer()

/** Every node but the first sends it a note after 2 times its id; the first keeps the order. */
const reporters = algorithm({
  name: 'reporters',
  needs: { topology: 'complete', ids: 'numbers', knows: ['peers'] },
  messages: { NOTE },
  timers: { LATER },
  state: { order: list(nat) },
  wakes: true,
  start(my, net) {
    if (my.id > 1) net.after(2 * my.id, LATER)
  },
  on: {
    NOTE(my, { from }) {
      my.order.push(from)
    },
  },
  timeout: {
    LATER(my, net) {
      const first = net.links.find((link) => net.peer(link) === 1)!
      net.send(first, NOTE, { from: my.id })
    },
  },
})

describe('drift', () => {
  /** Every order of arrivals of timers of 4 and 6, each early or late by at most so much. */
  function orders(drift: number): Set<string> {
    const found = new Set<string>()
    const errors = Array.from({ length: 2 * drift + 1 }, (_, i) => i - drift)
    for (const a of errors.map((error) => 4 + Math.max(-2, Math.min(2, error))))
      for (const b of errors.map((error) => 6 + Math.max(-3, Math.min(3, error)))) {
        if (a <= b) found.add('[2,3]')
        if (b <= a) found.add('[3,2]')
      }
    return found
  }

  it.each([0, 1, 2, 3])('of %i units: timers fire in every order that it allows', (drift) => {
    const { values, properties } = valuesOf(({ state }) => state(0).order)
    const { exhausted } = explore(reporters, { drift, losses: 0 }, { properties })
    expect(exhausted).toBe(true)
    const whole = [...values].filter((order) => JSON.parse(order).length === 2)
    expect(new Set(whole)).toEqual(orders(drift))
  })

  it('is said of the timers of a counterexample, which can be replayed', () => {
    const swapped: Property = {
      name: 'in order',
      when: 'always',
      broken: ({ state }) => (`${state(0).order}` === '3,2' ? 'out of order' : null),
    }
    const { violated, world, model } = explore(reporters, { drift: 2 }, { properties: [swapped] })
    const fired = violated!.trace.filter(({ event }) => event === 'timeout')
    const offBy = fired.reduce((sum, { late = 0 }) => sum + Math.abs(late), 0)
    expect(offBy).toBe(2)
    expect(violated!.trace.map(({ text }) => text).join()).toMatch(/fires \d units? (early|late)/)
    const again = replay(world, model, [swapped], violated!.transitions)
    expect(again.properties).toEqual([{ name: 'in order', holds: false, detail: 'out of order' }])
  })
})

describe('pauses', () => {
  const HEAR = message({})
  /** Node 2 hears of node 1 after one unit, and has a timer of two. */
  const hearer = algorithm({
    name: 'hearer',
    needs: { topology: 'complete', ids: 'numbers' },
    messages: { HEAR },
    timers: { LATER },
    state: { order: list(nat) },
    wakes: true,
    start(my, net) {
      if (my.id === 1) net.sendAll(HEAR, {})
      else net.after(2, LATER)
    },
    on: {
      HEAR(my) {
        my.order.push(1)
      },
    },
    timeout: {
      LATER(my) {
        my.order.push(2)
      },
    },
  })

  it.each([
    [0, ['[1,2]', '[1]', '[]']],
    [1, ['[1,2]', '[1]', '[2,1]', '[2]', '[]']],
  ])('up to %i: what waited is handled in any order', (pauses, orders) => {
    const { values, properties } = valuesOf(({ state }) => state(1).order)
    const { exhausted } = explore(hearer, { pauses }, { topology: 'complete:2', properties })
    expect(exhausted).toBe(true)
    expect([...values].sort()).toEqual(orders)
  })

  it('are told', () => {
    const never: Property = {
      name: 'never',
      when: 'always',
      broken: ({ state }) => (`${state(1).order}` === '2,1' ? 'the timer was first' : null),
    }
    const { violated } = explore(
      hearer,
      { pauses: 1 },
      { topology: 'complete:2', properties: [never] },
    )
    const texts = violated!.trace.map(({ text }) => text)
    expect(texts).toContain('Position 1 (id 2) pauses.')
    expect(texts).toContain('Position 1 (id 2) goes on.')
  })
})

describe('partitions and cuts', () => {
  /** Every node tells all others its id at the beginning and again after two units. */
  const tellers = algorithm({
    name: 'tellers',
    needs: { topology: 'complete', ids: 'numbers' },
    messages: { NOTE },
    timers: { AGAIN },
    state: { heard: list(nat) },
    wakes: true,
    start(my, net) {
      net.after(2, AGAIN)
      net.sendAll(NOTE, { from: my.id })
    },
    on: {
      NOTE(my, { from }) {
        my.heard.push(from)
      },
    },
    timeout: {
      AGAIN(my, net) {
        net.sendAll(NOTE, { from: my.id })
      },
    },
  })
  /** How often each of two nodes heard of the other when nothing more happens. */
  function outcomes(faults: FaultOptions): string[] {
    const { values, properties } = valuesOf(({ state, n }) =>
      Array.from({ length: n }, (_, node) => (state(node).heard as number[]).length),
    )
    const ended = properties.map((property) => ({ ...property, when: 'at the end' as const }))
    const options = { topology: 'complete:2', properties: ended }
    expect(explore(tellers, faults, options).exhausted).toBe(true)
    return [...values].sort()
  }

  it.each<[FaultOptions, string[]]>([
    [{}, ['[2,2]']],
    [{ cuts: 1 }, ['[0,0]', '[1,1]', '[2,2]']],
    [{ cuts: 1, oneWay: true }, ['[0,0]', '[0,2]', '[1,1]', '[1,2]', '[2,0]', '[2,1]', '[2,2]']],
    // A partition may end between the two messages of a node, or begin there.
    [{ partitions: 1 }, ['[0,0]', '[1,1]', '[2,2]']],
    [
      { partitions: 1, oneWay: true },
      ['[0,0]', '[0,2]', '[1,1]', '[1,2]', '[2,0]', '[2,1]', '[2,2]'],
    ],
  ])('%j: what arrives', (faults, expected) => {
    expect(outcomes(faults)).toEqual(expected)
  })

  it('are told, and said to nodes that no longer hear another', () => {
    const never: Property = {
      name: 'never',
      when: 'always',
      broken: ({ state }) => (state(2).told === 2 ? 'it was told twice' : null),
    }
    const told = algorithm({
      name: 'told',
      needs: { topology: 'complete', ids: 'numbers', knows: ['liveness'] },
      messages: { NOTE },
      state: { told: nat },
      wakes: true,
      start() {},
      on: { NOTE() {} },
      down(my) {
        my.told++
      },
      up(my) {
        my.told++
      },
    })
    const faults = { partitions: 1, oneWay: true, detect: 1 }
    const { violated } = explore(told, faults, { properties: [never] })
    const texts = violated!.trace.map(({ text }) => text).join(' ')
    expect(texts).toMatch(/A partition begins/)
    expect(texts).toMatch(/Position 2 \(id 3\) is notified that position \d is down/)
  })
})

describe('recoveries without memory', () => {
  /** It counts its starts on disk, and has a name for each of them. */
  const counter = algorithm({
    name: 'counter',
    needs: { topology: 'complete', ids: 'numbers', knows: ['incarnation'] },
    messages: { NOTE },
    state: { starts: stable(nat), named: incarnation },
    wakes: true,
    start(my, net) {
      my.starts++
      my.named = net.incarnation
    },
    on: { NOTE() {} },
  })

  it.each<[FaultOptions, string[]]>([
    [{ crashes: 1, recoveries: 1 }, ['[0,""]', '[1,""]', '[1,"1"]', '[1,"2"]', '[2,"2"]']],
    [{ crashes: 1, amnesia: 1 }, ['[0,""]', '[1,""]', '[1,"1"]', '[1,"2"]']],
  ])('%j: what is left of a node', (faults, expected) => {
    const { values, properties } = valuesOf(({ state }) => [state(0).starts, state(0).named])
    const options = { topology: 'complete:2', properties }
    const { violated } = explore(counter, faults, options)
    expect(violated).toBeNull()
    for (const value of expected.slice(1)) expect([...values]).toContain(value)
    expect([...values].every((value) => expected.includes(value))).toBe(true)
  })
})
