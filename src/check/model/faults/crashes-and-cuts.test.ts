import { describe, expect, it } from 'vitest'
import { lcr } from '../../../algorithms/ring/lcr.ts'
import {
  algorithm,
  message,
  nat,
  type Property,
  type TraceEvent,
  timer,
} from '../../../core/index.ts'
import { complete } from '../../../core/networks/complete.ts'
import { network } from '../../../core/networks/network.ts'
import { ring } from '../../../core/networks/ring.ts'
import { Random } from '../../../core/runtime/random.ts'
import { type CheckOptions, checkWorld, type FaultOptions } from '../../index.ts'

const options: CheckOptions = {
  mode: 'untimed',
  order: 'fifo',
  wake: 'any',
  limits: { states: 100_000 },
  properties: [],
}

const PING = message({ lap: nat })
const BEAT = timer()

/** Forwards numbered pings, and counts the pings and notices it gets. */
const pinger = algorithm({
  name: 'pinger',
  needs: { topology: 'any', ids: 'numbers', knows: ['peers', 'liveness'] },
  messages: { PING },
  timers: { BEAT },
  state: { heard: nat, down: nat, up: nat, peer: nat },
  wakes: false,
  start(_, net) {
    net.sendAll(PING, { lap: 1 })
    net.after(2, BEAT)
  },
  on: {
    PING(my, { lap }, net) {
      my.heard++
      my.peer = net.peer(net.from)
      if (lap < 2) net.sendAll(PING, { lap: lap + 1 })
    },
  },
  timeout: { BEAT: (_, net) => net.sendAll(PING, { lap: 2 }) },
  down(my, link, net) {
    my.down++
    expect(net.up(link)).toBe(false)
  },
  up(my, link, net) {
    my.up++
    my.peer = net.peer(link)
    expect(net.up(link)).toBe(true)
  },
  theory: lcr.theory,
})

function never(what: string, wrong: (state: Record<string, unknown>) => boolean): Property {
  return {
    name: what,
    says: what,
    when: 'always',
    broken: ({ n, alive, state }) =>
      Array.from({ length: n }, (_, node) => node).some((node) => alive(node) && wrong(state(node)))
        ? what
        : null,
  }
}

const triangle = network('edges:0-1,1-2,0-2', { random: Random.from(1) })
const world = { algorithm: pinger, topology: triangle, ids: Float64Array.of(4, 5, 6), params: {} }

function run(wrong: (state: Record<string, unknown>) => boolean, changes: Partial<CheckOptions>) {
  const { violated } = checkWorld(world, {
    ...options,
    properties: [never('it', wrong)],
    ...changes,
  })
  return violated!
}

type Of<E> = Extract<TraceEvent, { event: E }>

/** Replays the events and validates each against the rules of the model. */
function expectPossible(events: readonly TraceEvent[], faults: FaultOptions, fixedDelay: boolean) {
  const dead = new Set<number>()
  const cut = new Set<string>()
  const changedAt = new Map<string, number>()
  const copies = new Map<number, number>()
  const sent = new Map<number, Of<'send'>>()
  const counts: Record<string, number> = {}
  const link = (a: number, b: number) => [a, b].toSorted().join('-')
  for (const event of events) {
    counts[event.event] = (counts[event.event] ?? 0) + 1
    const { node, at } = event
    const bystander = ['lose', 'double', 'cut', 'recover', 'vanish'].includes(event.event)
    if (!bystander) expect(dead.has(node)).toBe(false)
    if (event.event === 'crash') {
      dead.add(node)
      for (const other of [0, 1, 2]) changedAt.set(`${other} down ${node}`, at)
    } else if (event.event === 'recover') {
      expect(dead.delete(node)).toBe(true)
      for (const other of [0, 1, 2]) changedAt.set(`${other} up ${node}`, at)
    } else if (event.event === 'cut') {
      cut.add(link(node, event.to))
      changedAt.set(`${node} down ${event.to}`, at).set(`${event.to} down ${node}`, at)
    } else if (event.event === 'send') {
      sent.set(event.message, event)
      copies.set(event.message, 1)
    } else if (event.event === 'lose' || event.event === 'double') {
      expect(sent.get(event.message)).toMatchObject({ node, to: event.to, body: event.body })
      expect(copies.get(event.message)).toBeGreaterThan(0)
      const more = event.event === 'double' ? 1 : -1
      copies.set(event.message, copies.get(event.message)! + more)
      if (cut.has(link(node, event.to))) counts.lose--
    } else if (event.event === 'receive' || event.event === 'vanish') {
      expect(sent.get(event.message)).toMatchObject({ node: event.from, to: node })
      expect(copies.get(event.message)).toBeGreaterThan(0)
      copies.set(event.message, copies.get(event.message)! - 1)
      expect(dead.has(node)).toBe(event.event === 'vanish')
    } else if (event.event === 'down' || event.event === 'up') {
      const since = changedAt.get(`${node} ${event.event} ${event.peer}`)
      expect(since).toBeDefined()
      if (fixedDelay) expect(at - since!).toBe(faults.detect ?? 1)
    }
  }
  expect(counts.crash ?? 0).toBeLessThanOrEqual(faults.crashes ?? 0)
  expect(counts.lose ?? 0).toBeLessThanOrEqual(faults.losses ?? 0)
  expect(counts.double ?? 0).toBeLessThanOrEqual(faults.duplicates ?? 0)
  expect(counts.cut ?? 0).toBeLessThanOrEqual(faults.cuts ?? 0)
  expect(counts.recover ?? 0).toBeLessThanOrEqual(faults.recoveries ?? 0)
}

describe('a counterexample with faults', () => {
  const modes: CheckOptions['mode'][] = ['untimed', 'patient', { clocked: 1 }, { clocked: 2 }]
  const cases: [string, FaultOptions, (state: Record<string, unknown>) => boolean][] = [
    ['crashes', { crashes: 2, detect: 2 }, ({ down }) => down === 2],
    ['a cut', { cuts: 1 }, ({ down }) => down === 1],
    ['cuts', { cuts: 2 }, ({ down, heard }) => down === 2 && heard === 1],
    ['duplicates', { duplicates: 2 }, ({ heard }) => heard === 3],
    ['recoveries', { crashes: 1, recoveries: 1 }, ({ up }) => up === 1],
    ['another id', { crashes: 1, recoveries: 1, reappear: true }, ({ id, peer }) => id === peer],
  ]
  for (const mode of modes)
    it.each(cases)(`is a run that can happen (%s, ${JSON.stringify(mode)})`, (_, faults, wrong) => {
      for (const order of ['fifo', 'any'] as const) {
        const { events } = run(wrong, { mode, order, faults, limits: { states: 1_000_000 } })
        expectPossible(events, faults, typeof mode !== 'string')
      }
    })

  it('describes every fault in words', () => {
    const said = (wrong: Parameters<typeof run>[0], faults: FaultOptions) =>
      run(wrong, { faults }).trace.map(({ text }) => text)
    expect(said(({ down }) => down === 1, { crashes: 1 })).toEqual([
      'Position 0 (id 4) crashes.',
      'Position 1 (id 5) is notified that position 0 is down; down: 0 -> 1.',
    ])
    expect(said(({ down }) => down === 1, { cuts: 1 })[0]).toBe(
      'The link between positions 0 and 1 is cut.',
    )
    expect(
      said(({ id, peer }) => id === peer, { crashes: 1, recoveries: 1, reappear: true }),
    ).toEqual([
      'Position 0 (id 4) crashes.',
      'Position 0 (id 5) recovers and sends ping(lap 1) to positions 1 and 2; it sets timer beat.',
      'Position 1 (id 5) is notified that position 0 is down; down: 0 -> 1.',
      'Position 1 (id 5) is notified that position 0 is up; up: 0 -> 1, peer: 0 -> 5.',
    ])
  })

  it('describes sends that a crash interrupts', () => {
    const alone = never('alone', ({ heard }) => heard === 1)
    const [first] = checkWorld(world, {
      ...options,
      wake: [0],
      properties: [{ ...alone, broken: (now) => (now.alive(0) ? null : alone.broken(now)) }],
      faults: { crashes: 1 },
    }).violated!.trace
    expect(first).toMatchObject({ event: 'crash', node: 0, sends: [{ to: 1 }] })
    expect(first.text).toBe('Position 0 (id 4) wakes, sends ping(lap 1) to position 1 and crashes.')
  })
})

describe('the failure detector in mode clocked', () => {
  const TICK = timer()
  const last = 5
  /** Counts units of time, and records when notices arrive. */
  const watcher = algorithm({
    name: 'watcher',
    needs: { topology: 'ring' },
    messages: { PING },
    timers: { TICK },
    state: { age: nat, told: nat },
    wakes: false,
    start: (_, net) => net.after(1, TICK),
    on: { PING: () => {} },
    timeout: {
      TICK(my, net) {
        my.age++
        if (my.age < last) net.after(1, TICK)
      },
    },
    down(my) {
      my.told = my.age + 1
    },
    theory: lcr.theory,
  })

  it.each([0, 1, 2, 3])('reports a crash after %i units, before timers fire', (detect) => {
    const told = new Set<unknown>()
    const listen: Property = {
      name: 'listen',
      says: 'It only listens.',
      when: 'always',
      broken({ state }) {
        told.add(state(0).told)
        return null
      },
    }
    const topology = ring(2)
    const { exhausted } = checkWorld(
      { algorithm: watcher, topology, ids: Float64Array.of(1, 2), params: {} },
      {
        ...options,
        mode: { clocked: 1 },
        wake: [0],
        properties: [listen],
        faults: { crashes: 1, detect },
      },
    )
    expect(exhausted).toBe(true)
    // At time T the timer has fired T - 1 times when the notice arrives; the crash happens at
    // any time from 0 on, also after the timer of that time, which only detect 0 can show.
    const earliest = Math.max(detect, 1)
    const moments = Array.from({ length: last + 2 - earliest }, (_, i) => earliest + i)
    expect([...told].toSorted()).toEqual([0, ...moments])
  })

  it('has the states counted by hand', () => {
    const napping = algorithm({
      name: 'napping',
      needs: { topology: 'ring' },
      messages: { PING },
      timers: { TICK },
      state: { rested: nat, told: nat },
      wakes: false,
      start: (_, net) => net.after(2, TICK),
      on: { PING: () => {} },
      timeout: {
        TICK(my) {
          my.rested = 1
        },
      },
      down(my) {
        my.told = 1
      },
      theory: lcr.theory,
    })
    const states = (faults: FaultOptions) =>
      checkWorld(
        { algorithm: napping, topology: complete(2), ids: Float64Array.of(1, 2), params: {} },
        { ...options, mode: { clocked: 1 }, wake: [0], faults },
      ).states
    // A: asleep, 2 1 0: time left, R: rested. No crash: A 2 0 R, at any time.
    expect(states({})).toBe(4)
    // The sleeper crashes: A 2 0 R again. The other does: one more.
    expect(states({ crashes: 1, detect: 'off' })).toBe(9)
    // No crash: A 2 1 0 R. The sleeper crashes, and the notice is one unit off: A 2 1 0 R; is due:
    // 1 0 R; has come: 1 0 R. The other does: the sleeper's notice is off, is due, has come.
    expect(states({ crashes: 1, detect: 1 })).toBe(5 + (5 + 3 + 3) + 3)
  })

  it('knows nodes that are dead from the start, and reports nothing when off', () => {
    const views = (faults: FaultOptions) => {
      const seen = new Set<string>()
      const asker = algorithm({
        name: 'asker',
        needs: { topology: 'complete', knows: ['liveness'] },
        messages: { PING },
        state: { up: nat, told: nat },
        wakes: false,
        start(my, net) {
          my.up = net.links.filter((link) => net.up(link)).length
        },
        on: { PING: () => {} },
        down(my) {
          my.told++
        },
        theory: lcr.theory,
      })
      const listen: Property = {
        name: 'listen',
        says: 'It only listens.',
        when: 'at the end',
        broken({ state }) {
          seen.add(`${state(0).up},${state(0).told}`)
          return null
        },
      }
      const ids = Float64Array.of(1, 2, 3)
      checkWorld(
        { algorithm: asker, topology: complete(3), ids, params: {} },
        { ...options, wake: [0], properties: [listen], faults },
      )
      return [...seen].toSorted()
    }
    expect(views({ dead: [2] })).toEqual(['1,0'])
    expect(views({ dead: [2], detect: 'off' })).toEqual(['2,0'])
    expect(views({ crashes: 1 })).toEqual(['2,0', '2,1'])
    expect(views({ crashes: 1, detect: 'off' })).toEqual(['2,0'])
  })
})
