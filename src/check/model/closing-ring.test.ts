import { describe, expect, it } from 'vitest'
import { sample } from '../../../test/support/campaign.ts'
import { lcr } from '../../algorithms/ring/lcr.ts'
import { type Algorithm, algorithm, left, message, nat } from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { ring } from '../../core/networks/ring.ts'
import { type CheckOptions, checkWorld, type FaultOptions } from '../index.ts'

const options: CheckOptions = {
  mode: 'untimed',
  order: 'fifo',
  wake: 'any',
  limits: { states: 1_000_000 },
  properties: [],
}

function world(n: number, definition: Algorithm = caller): World {
  const ids = Float64Array.from({ length: n }, (_, node) => node)
  return { algorithm: definition, topology: ring(n), ids, params: {} }
}

const CALL = message({})

/** Sends CALL both ways, forwards the first CALL, and calls the next node after a crash. */
const caller = algorithm({
  name: 'caller',
  needs: { topology: 'ring', knows: ['liveness'] },
  messages: { CALL },
  state: { heard: nat, told: nat },
  wakes: false,
  start: (_, net) => net.sendAll(CALL, {}),
  on: {
    CALL(my, _, net) {
      my.heard += net.from === left ? 1 : 10
      if (my.heard < 11 && my.heard % 10 < 2) net.send(net.onward, CALL, {})
    },
  },
  down(my, link, net) {
    expect(net.up(link)).toBe(true)
    my.told += link === left ? 1 : 10
    net.send(link, CALL, {})
  },
  up(my, link) {
    my.told += link === left ? 100 : 1000
  },
  theory: lcr.theory,
})

/** Counts notices and sends nothing, so that more can happen to it. */
const listener: Algorithm = {
  ...caller,
  start() {},
  recover() {},
  down: told(1),
  up: told(100),
}

function told(unit: number): Algorithm['down'] {
  return (my, link) => {
    my.told = (my.told as number) + (link === left ? 1 : 10) * unit
  }
}

interface NaiveNode {
  life: 'asleep' | 'awake' | 'dead'
  heard: number
  told: number
  lacks: number[]
}

interface NaiveState {
  nodes: NaiveNode[]
  /** By sender, step of the sender (1: left, -1: right) and receiver. */
  messages: Record<string, number>
  /** By receiver: pending notices in order of delivery. */
  news: [about: number, what: 'down' | 'up'][][]
  crashes: number
  recoveries: number
}

/** A naive checker for these two algorithms, written independently. */
function exploreNaively(n: number, faults: FaultOptions, talks = true): number {
  const { crashes = 0, recoveries = 0, dead = [] } = faults
  const places = Array.from({ length: n }, (_, node) => node)
  const seen = new Set<string>()
  const todo: NaiveState[] = []

  const meet = (state: NaiveState) => {
    for (const key of Object.keys(state.messages))
      if (state.messages[key] === 0) delete state.messages[key]
    const text = JSON.stringify([
      state.nodes,
      Object.entries(state.messages).sort(),
      state.news,
      state.crashes,
      state.recoveries,
    ])
    if (seen.has(text)) return
    seen.add(text)
    todo.push(state)
  }

  /** The next node in the view of a node. */
  const next = (node: number, step: number, lacks: readonly number[]) => {
    let other = node
    do other = (other + step + n) % n
    while (lacks.includes(other) && other !== node)
    return other
  }

  const spread = (state: NaiveState, about: number, what: 'down' | 'up') => {
    for (const node of places)
      if (node !== about && state.nodes[node].life !== 'dead') state.news[node].push([about, what])
  }

  const crash = (state: NaiveState, node: number) => {
    state.crashes--
    state.nodes[node] = { life: 'dead', heard: 0, told: 0, lacks: [] }
    state.news[node] = []
    spread(state, node, 'down')
    if (recoveries > 0) return
    for (const key of Object.keys(state.messages))
      if (key.endsWith(`>${node}`)) delete state.messages[key]
  }

  /** Runs a handler, completely and interrupted after each number of sends. */
  const act = (
    now: NaiveState,
    node: number,
    happen: (state: NaiveState, me: NaiveNode) => (readonly [to: number, step: number])[],
  ) => {
    for (let cut = -1; cut === -1 || now.crashes > 0; cut++) {
      const state = structuredClone(now)
      const sends = happen(state, state.nodes[node])
      if (cut > sends.length) break
      for (const [to, step] of cut < 0 ? sends : sends.slice(0, cut)) {
        if (state.nodes[to].life === 'dead' && recoveries === 0) continue
        const key = `${node} ${step}>${to}`
        state.messages[key] = (state.messages[key] ?? 0) + 1
      }
      if (cut >= 0) crash(state, node)
      meet(state)
    }
  }

  const calls = (node: number, { lacks }: NaiveNode, steps: readonly number[]) =>
    talks ? steps.map((step) => [next(node, step, lacks), step] as const) : []

  meet({
    nodes: places.map((node) =>
      dead.includes(node)
        ? { life: 'dead', heard: 0, told: 0, lacks: [] }
        : { life: 'asleep', heard: 0, told: 0, lacks: [...dead] },
    ),
    messages: {},
    news: places.map(() => []),
    crashes,
    recoveries,
  })
  for (const now of todo) {
    for (const node of places) {
      const { life } = now.nodes[node]
      if (life === 'asleep')
        act(now, node, (_, me) => {
          me.life = 'awake'
          return calls(node, me, [1, -1])
        })
      if (life !== 'dead' && now.crashes > 0) {
        const state = structuredClone(now)
        crash(state, node)
        meet(state)
      }
      if (life === 'dead' && now.recoveries > 0)
        act(now, node, (state, me) => {
          state.recoveries--
          me.life = 'awake'
          me.lacks = places.filter((it) => state.nodes[it].life === 'dead')
          spread(state, node, 'up')
          return calls(node, me, [1, -1])
        })
    }
    for (const key of Object.keys(now.messages)) {
      const [step, to] = key.split(' ')[1].split('>').map(Number)
      if (now.nodes[to].life === 'dead') {
        const state = structuredClone(now)
        state.messages[key]--
        meet(state)
      } else
        act(now, to, (state, me) => {
          state.messages[key]--
          me.life = 'awake'
          me.heard += step === 1 ? 10 : 1
          return me.heard < 11 && me.heard % 10 < 2 ? calls(to, me, [step]) : []
        })
    }
    for (const node of places.filter((it) => now.news[it].length > 0))
      act(now, node, (state, me) => {
        const [about, what] = state.news[node].shift()!
        const before = me.lacks
        me.lacks = before.filter((it) => it !== about)
        if (what === 'down') me.lacks = [...me.lacks, about].sort()
        const steps = [1, -1].filter(
          (step) => next(node, step, what === 'down' ? before : me.lacks) === about,
        )
        for (const step of steps) me.told += (step === 1 ? 1 : 10) * (what === 'down' ? 1 : 100)
        return what === 'down' ? calls(node, me, steps) : []
      })
  }
  return seen.size
}

describe('a ring that closes over crashed nodes', () => {
  const worlds: [number, FaultOptions][] = [
    [1, { crashes: 1 }],
    [2, { crashes: 1 }],
    [2, { crashes: 2 }],
    [3, { crashes: 1 }],
    [3, { dead: [1] }],
    [3, { dead: [0], crashes: 1 }],
    [3, { dead: [2], recoveries: 1 }],
    [2, { crashes: 1, recoveries: 1 }],
    [4, { dead: [1, 2] }],
  ]

  it.each(sample(worlds, 2))(
    'of %i nodes with %j has as many states as a naive checker finds',
    (n, faults) => {
      const { states, exhausted } = checkWorld(world(n), { ...options, faults })
      expect([states, exhausted]).toEqual([exploreNaively(n, faults), true])
    },
  )

  const listening: [number, FaultOptions][] = [
    [4, { crashes: 2 }],
    [3, { crashes: 3, recoveries: 2 }],
    [4, { dead: [1, 2], crashes: 1, recoveries: 2 }],
  ]

  it.each(sample(listening, 3))(
    'of %i listeners with %j has as many states as a naive checker finds',
    (n, faults) => {
      const { states, exhausted } = checkWorld(world(n, listener), { ...options, faults })
      expect([states, exhausted]).toEqual([exploreNaively(n, faults, false), true])
    },
  )

  it('is reported: nodes call the nodes behind crashed ones', () => {
    const { violated } = checkWorld(world(4), {
      ...options,
      faults: { crashes: 2 },
      properties: [
        {
          name: 'never past two',
          says: 'No node is notified of two crashes on its left.',
          when: 'always',
          broken: ({ state, alive }) => (alive(0) && state(0).told === 2 ? 'it did' : null),
        },
      ],
    })
    expect(violated!.trace.map(({ text }) => text)).toEqual([
      'Position 1 crashes.',
      'Position 2 crashes.',
      'Position 0 is notified that position 1 is down and sends call to position 2; told: 0 -> 1.',
      'Position 0 is notified that position 2 is down and sends call to position 3; told: 1 -> 2.',
    ])
    expect(violated!.events.filter(({ event }) => event === 'down')).toMatchObject([
      { node: 0, link: left, peer: 1 },
      { node: 0, link: left, peer: 2 },
    ])
  })
})
