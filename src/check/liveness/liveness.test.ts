import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lcr } from '../../algorithms/ring/lcr.ts'
import {
  type Algorithm,
  algorithm,
  left,
  message,
  nat,
  type Property,
  timer,
} from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { ring } from '../../core/networks/ring.ts'
import { type CheckOptions, type CheckResult, checkWorld } from '../index.ts'

const options: CheckOptions = {
  mode: 'untimed',
  order: 'fifo',
  wake: 'any',
  limits: { states: 10_000 },
  properties: [],
  fairRuns: true,
}

function on(definition: Algorithm, n: number): World {
  const ids = Float64Array.from({ length: n }, (_, i) => i + 1)
  return { algorithm: definition, topology: ring(n), ids, params: {} }
}

const led: Property = {
  name: 'led',
  says: 'Some node eventually leads.',
  when: 'eventually',
  broken: ({ leaders }) => (leaders.length === 0 ? 'no node leads' : null),
}

const TOKEN = message({})
const WORD = message({ said: nat })
const TIMER = timer()

/** Forwards every token, so that each start adds one that circulates forever. */
const restless = algorithm({
  name: 'restless',
  needs: { topology: 'ring' },
  messages: { TOKEN },
  state: {},
  wakes: false,
  start: (_, net) => net.send(left, TOKEN, {}),
  on: { TOKEN: (_, __, net) => net.send(left, TOKEN, {}) },
})

/** Rearms its timer until a message stops it. */
function bell(again: boolean) {
  return algorithm({
    name: 'bell',
    needs: { topology: 'ring' },
    messages: { TOKEN },
    timers: { TIMER },
    state: {},
    wakes: false,
    start(_, net) {
      net.send(left, TOKEN, {})
      net.after(1, TIMER)
    },
    on: {
      TOKEN(_, __, net) {
        if (!again) net.stop()
      },
    },
    timeout: { TIMER: (_, net) => net.after(1, TIMER) },
  })
}

/** Makes random choices until one is 1. */
const gambler = algorithm({
  name: 'gambler',
  needs: { topology: 'ring', coins: true },
  messages: { TOKEN },
  state: {},
  wakes: false,
  start: (_, net) => net.send(left, TOKEN, {}),
  on: {
    TOKEN(_, __, net) {
      if (net.choose(2) === 0) net.send(left, TOKEN, {})
      else net.lead()
    },
  },
})

/** A node rearms its timer with each message; it falls silent when the timer fires. */
const postponer = algorithm({
  name: 'postponer',
  needs: { topology: 'ring' },
  messages: { TOKEN },
  timers: { TIMER },
  state: {},
  wakes: false,
  start(_, net) {
    net.send(left, TOKEN, {})
    net.after(1, TIMER)
  },
  on: {
    TOKEN(_, __, net) {
      net.send(left, TOKEN, {})
      net.after(1, TIMER)
    },
  },
  timeout: { TIMER: (_, net) => net.stop() },
})

/**
 * The first node asks the second one again and again. That one answers while its own timer is set,
 * which it sets once, or again with each question; when it fires the node stops.
 */
function doorman(rearmed: boolean) {
  return algorithm({
    name: 'doorman',
    needs: { topology: 'ring', ids: 'numbers' },
    messages: { TOKEN },
    timers: { TIMER },
    state: {},
    wakes: false,
    start(my, net) {
      if (my.id === 1) net.send(left, TOKEN, {})
      net.after(1, TIMER)
    },
    on: {
      TOKEN(my, _, net) {
        if (my.id === 1 || rearmed) net.after(1, TIMER)
        if (my.id === 2) net.send(left, TOKEN, {})
      },
    },
    timeout: {
      TIMER(my, net) {
        if (my.id === 1) net.send(left, TOKEN, {})
        else net.stop()
      },
    },
  })
}

/** An initiator sends 1 and 2 to the other, which answers every 1 with 1 and leads at 2. */
const chatter = algorithm({
  name: 'chatter',
  needs: { topology: 'ring' },
  messages: { WORD },
  state: {},
  wakes: false,
  start(_, net) {
    net.send(left, WORD, { said: 1 })
    net.send(left, WORD, { said: 2 })
  },
  on: {
    WORD(_, { said }, net) {
      if (said === 1) net.send(left, WORD, { said })
      else net.lead()
    },
  },
})

function verdicts({ properties }: CheckResult): Record<string, boolean | null> {
  return Object.fromEntries(properties.map(({ name, holds }) => [name, holds]))
}

const ENDS = 'every fair run ends'

describe('fair runs', () => {
  it('end if the state graph has no cycle', () => {
    const result = checkWorld(on(lcr, 4), { ...options, properties: [led] })
    expect(verdicts(result)).toEqual({ [ENDS]: true, led: true })
  })

  it('that do not end are reported as a lasso', () => {
    const { violated, exhausted } = checkWorld(on(restless, 2), { ...options, wake: [0] })
    expect(exhausted).toBe(true)
    expect(violated).toMatchObject({ property: ENDS, loop: 3 })
    expect(violated?.trace.map(({ event, node }) => [event, node])).toEqual([
      ['wake', 0],
      ['receive', 1],
      ['receive', 0],
      ['receive', 1],
    ])
  })

  it('are decided or left undecided, whenever the time limit is reached', () => {
    const judgedWithin = (asked: number) => {
      let looks = 0
      const limits = { ...options.limits, expired: () => looks++ >= asked }
      const { properties } = checkWorld(on(postponer, 2), { ...options, limits })
      return properties[0]
    }
    const answers = Array.from({ length: 30 }, (_, asked) => judgedWithin(asked))
    const late = answers.filter(
      ({ detail }) => detail === 'not decided because the time limit was reached',
    )
    const final = answers.at(-1)!
    // The search, the reduced and the full state graph and the components each check the clock.
    expect(late.length).toBeGreaterThanOrEqual(4)
    expect(final.detail).toContain('rearmed')
    expect(answers).toEqual([...late, ...answers.slice(late.length).map(() => final)])
  })

  it('do not leave a message in flight forever', () => {
    const world = on(bell(false), 1)
    expect(verdicts(checkWorld(world, options))).toEqual({ [ENDS]: true })
    expect(checkWorld(on(bell(true), 1), options).violated).toMatchObject({ property: ENDS })
  })

  it('end with probability 1 if only unlucky random choices prevent it', () => {
    const result = checkWorld(on(gambler, 1), { ...options, properties: [led] })
    expect(verdicts(result)).toEqual({ [ENDS]: true, led: true })
    expect(result.properties.map(({ detail }) => detail)).toEqual([
      'with probability 1, since an end is reachable from every state under every schedule',
      'with probability 1, eventually',
    ])
    expect(result.violated).toBeNull()
  })

  it('are undecided if a timer is always rearmed', () => {
    const result = checkWorld(on(postponer, 1), options)
    expect(verdicts(result)).toEqual({ [ENDS]: null })
    expect(result.properties[0].detail).toContain('rearmed')
  })

  it.each(['patient', 'untimed'] as const)(
    'do not put an timer off that is set once, %s',
    (mode) => {
      const judged = (rearmed: boolean) =>
        checkWorld(on(doorman(rearmed), 2), { ...options, mode, wake: [0, 1] }).properties[0]
      // After the second node has stopped, no message is answered and the run ends.
      expect(judged(false)).toMatchObject({ name: ENDS, holds: true })
      expect(judged(true)).toMatchObject({ name: ENDS, holds: null })
      expect(judged(true).detail).toContain('rearmed')
    },
  )

  it('deliver every message eventually, also without FIFO order', () => {
    const world = on(chatter, 1)
    const any = checkWorld(world, { ...options, order: 'any', properties: [led] })
    expect(verdicts(any)).toEqual({ [ENDS]: false, led: true })
  })

  it('may end too soon', () => {
    const idle = algorithm({ ...silent, name: 'idle', start: () => {} })
    const { violated } = checkWorld(on(idle, 2), { ...options, properties: [led] })
    expect(violated).toMatchObject({ property: 'led', trace: [{ event: 'wake' }] })
    expect(violated).not.toHaveProperty('loop')
  })

  it('are undecided if the exploration is incomplete', () => {
    const result = checkWorld(on(lcr, 4), { ...options, properties: [led], limits: { states: 20 } })
    expect(verdicts(result)).toEqual({ [ENDS]: null, led: null })
    expect(result.properties[0].detail).toBe(`not decided because ${result.reason}`)
  })
})

const silent = {
  needs: { topology: 'ring' },
  messages: { TOKEN },
  state: {},
  wakes: false,
  on: { TOKEN: () => {} },
} as const

/** By state and message: the next state, the message to send (2: none) and the link. */
type Table = readonly (readonly (readonly [next: number, says: number, link: number])[])[]

const STATES = 3
const NOTHING = 2
const upTo = (max: number) => fc.integer({ min: 0, max })
const entry = fc.tuple(upTo(STATES - 1), upTo(NOTHING), upTo(1))
const tables: fc.Arbitrary<Table> = fc.array(fc.array(entry, { minLength: 2, maxLength: 2 }), {
  minLength: STATES,
  maxLength: STATES,
})

/** The first node sends a message to each side; all nodes follow the table. */
function protocol(table: Table) {
  return algorithm({
    name: 'table',
    needs: { topology: 'ring' },
    messages: { WORD },
    state: { at: nat },
    wakes: false,
    start: (_, net) => net.sendAll(WORD, { said: 0 }),
    on: {
      WORD(my, { said }, net) {
        const [next, says, link] = table[my.at][said]
        my.at = next
        if (says !== NOTHING) net.send(link, WORD, { said: says })
      },
    },
  })
}

interface NaiveState {
  started: boolean
  at: number[]
  /** By receiver: the messages from the previous position, and from the next. */
  queues: number[][][]
}

/**
 * Whether all fair runs end, by enumeration: two states that reach each other lie on one cycle, and
 * a cycle is fair if every channel is empty somewhere on it or read from on it.
 */
function endsByEnumeration(table: Table, n: number): { ends: boolean; circles: boolean } {
  const keys = new Map<string, number>()
  const states: NaiveState[] = []
  const edges: { from: number; to: number; channel: number }[] = []
  const add = (state: NaiveState) => {
    const key = JSON.stringify(state)
    if (!keys.has(key)) {
      keys.set(key, states.length)
      states.push(state)
    }
    return keys.get(key)!
  }
  const say = (state: NaiveState, node: number, link: number, said: number) =>
    state.queues[(node + (link === left ? 1 : n - 1)) % n][link].push(said)
  const first = Array.from({ length: n }, () => [[], []])
  add({ started: false, at: Array(n).fill(0), queues: first })
  for (let from = 0; from < states.length; from++) {
    if (!states[from].started) {
      const next = structuredClone(states[from])
      next.started = true
      for (const link of [0, 1]) say(next, 0, link, 0)
      add(next)
      continue
    }
    for (let channel = 0; channel < 2 * n; channel++) {
      const [node, side] = [channel >> 1, channel & 1]
      const next = structuredClone(states[from])
      const said = next.queues[node][side].shift()
      if (said === undefined) continue
      const [at, says, link] = table[next.at[node]][said]
      next.at[node] = at
      if (says !== NOTHING) say(next, node, link, says)
      edges.push({ from, to: add(next), channel })
    }
  }
  const targets = states.map(() => [] as number[])
  for (const { from, to } of edges) targets[from].push(to)
  const reachable = states.map((_, start) => {
    const seen = new Set<number>()
    const todo = [start]
    for (const state of todo)
      for (const to of targets[state]) {
        if (seen.has(to)) continue
        seen.add(to)
        todo.push(to)
      }
    return seen
  })
  const circles = states
    .map((_, one) => [...reachable[one]].filter((other) => reachable[other].has(one)))
    .filter((circle) => circle.length > 0)
  const ends = circles.every((circle) => {
    const inside = edges.filter(({ from, to }) => circle.includes(from) && circle.includes(to))
    return Array.from({ length: 2 * n }, (_, channel) => channel).some(
      (channel) =>
        circle.every((state) => states[state].queues[channel >> 1][channel & 1].length > 0) &&
        inside.every((edge) => edge.channel !== channel),
    )
  })
  return { ends, circles: circles.length > 0 }
}

describe('random protocols', () => {
  it('end in all fair runs exactly if a naive search says so', () => {
    let [endless, unfair] = [0, 0]
    fc.assert(
      fc.property(tables, fc.integer({ min: 1, max: 2 }), (table, n) => {
        const result = checkWorld(on(protocol(table), n), { ...options, wake: [0] })
        const { ends, circles } = endsByEnumeration(table, n)
        expect(verdicts(result)).toEqual({ [ENDS]: ends })
        if (!ends) endless++
        else if (circles) unfair++
      }),
      // The seed is fixed, so that the counts below are.
      { numRuns: 300, seed: 1 },
    )
    // Both fair and unfair cycles have occurred.
    expect(endless).toBeGreaterThan(20)
    expect(unfair).toBeGreaterThan(2)
  })
})
