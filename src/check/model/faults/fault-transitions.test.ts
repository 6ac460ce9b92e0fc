import { describe, expect, it } from 'vitest'
import { sample } from '../../../../test/support/campaign.ts'
import { lcr } from '../../../algorithms/ring/lcr.ts'
import { algorithm, message, nat, Random, type Topology } from '../../../core/index.ts'
import { network } from '../../../core/networks/network.ts'
import { type CheckOptions, checkWorld, type FaultOptions } from '../../index.ts'

const HELLO = message({})
const ANSWER = message({})

/** Greets all, answers the first greeting to all live neighbours, and counts greetings. */
const greeter = algorithm({
  name: 'greeter',
  needs: { topology: 'any', knows: ['liveness'] },
  messages: { HELLO, ANSWER },
  state: { heard: nat, told: nat },
  wakes: false,
  start: (_, net) => net.sendAll(HELLO, {}),
  on: {
    HELLO(my, _, net) {
      my.heard += 1
      if (my.heard % 10 !== 1) return
      for (const link of net.links) if (net.up(link)) net.send(link, ANSWER, {})
    },
    ANSWER(my) {
      my.heard += 10
    },
  },
  down(my) {
    my.told += 1
  },
  up(my) {
    my.told += 10
  },
  theory: lcr.theory,
})

interface NaiveNode {
  life: 'asleep' | 'awake' | 'dead'
  heard: number
  told: number
  /** Positions that it considers unreachable. */
  lacks: number[]
}

interface NaiveState {
  nodes: NaiveNode[]
  messages: Record<string, string[]>
  news: Record<string, string[]>
  cut: string[]
  left: Record<'crashes' | 'losses' | 'duplicates' | 'cuts' | 'recoveries', number>
}

interface Setup {
  readonly order: 'fifo' | 'any'
  readonly faults: FaultOptions
}

/** A naive checker for the greeter, written independently. */
function exploreNaively(topology: Topology, { order, faults }: Setup) {
  const { n } = topology
  const near = Array.from({ length: n }, (_, node) =>
    Array.from({ length: topology.degree(node) }, (_, i) =>
      topology.neighbor(node, i + topology.firstLink),
    ),
  )
  const { dead = [], detect = 1, recoveries = 0, crashes = 0 } = faults
  const { losses = 0, duplicates = 0, cuts = 0 } = faults
  const told = detect !== 'off'
  const first: NaiveState = {
    nodes: near.map((others, node) => ({
      life: dead.includes(node) ? 'dead' : 'asleep',
      heard: 0,
      told: 0,
      lacks: told && !dead.includes(node) ? others.filter((it) => dead.includes(it)) : [],
    })),
    messages: {},
    news: {},
    cut: [],
    left: { recoveries, crashes, losses, duplicates, cuts },
  }
  const seen = new Set<string>()
  const todo: NaiveState[] = []

  const meet = (state: NaiveState) => {
    for (const pile of [state.messages, state.news])
      for (const key of Object.keys(pile)) if (pile[key].length === 0) delete pile[key]
    const sorted = (pile: Record<string, string[]>) =>
      Object.entries(pile).sort(([a], [b]) => (a < b ? -1 : 1))
    for (const letters of Object.values(state.messages)) if (order === 'any') letters.sort()
    const text = JSON.stringify([
      state.nodes.map(({ life, ...rest }) => (life === 'dead' ? 'dead' : [life, rest])),
      sorted(state.messages),
      sorted(state.news),
      state.cut.toSorted(),
      state.left,
    ])
    if (seen.has(text)) return
    seen.add(text)
    todo.push(state)
  }

  const reaches = (state: NaiveState, from: number, to: number) =>
    state.nodes[to].life !== 'dead' && !state.cut.includes(pair(from, to))

  /** Applies a fault and queues the notices for neighbours. */
  const applyFault = (state: NaiveState, change: () => void) => {
    const before = near.map((others, node) => others.map((it) => reaches(state, node, it)))
    change()
    for (const [node, others] of near.entries())
      for (const [i, other] of others.entries()) {
        const now = reaches(state, node, other)
        if (now === before[node][i] || !told) continue
        state.news[`${node}<${other}`] ??= []
        state.news[`${node}<${other}`].push(now ? 'up' : 'down')
      }
    if (recoveries > 0) return
    for (const [node, { life }] of state.nodes.entries())
      for (const other of near[node])
        if (life === 'dead') {
          delete state.news[`${node}<${other}`]
          delete state.messages[`${other}>${node}`]
        }
  }

  const crash = (state: NaiveState, node: number) => {
    state.left.crashes--
    applyFault(state, () => {
      state.nodes[node] = { life: 'dead', heard: 0, told: 0, lacks: [] }
    })
  }

  /** Runs a handler, completely and interrupted after each number of sends. */
  const act = (
    now: NaiveState,
    node: number,
    happen: (state: NaiveState, me: NaiveNode) => [to: number, letter: string][],
  ) => {
    for (let cut = -1; cut === -1 || now.left.crashes > 0; cut++) {
      const state = structuredClone(now)
      const sends = happen(state, state.nodes[node])
      if (cut > sends.length) break
      for (const [to, letter] of cut < 0 ? sends : sends.slice(0, cut)) {
        if (state.cut.includes(pair(node, to))) continue
        if (state.nodes[to].life === 'dead' && recoveries === 0) continue
        state.messages[`${node}>${to}`] ??= []
        state.messages[`${node}>${to}`].push(letter)
      }
      if (cut >= 0) crash(state, node)
      meet(state)
    }
  }

  const greet = (node: number) => near[node].map((it): [number, string] => [it, 'hello'])

  meet(first)
  for (const now of todo) {
    const change = (happen: (state: NaiveState) => void) => {
      const state = structuredClone(now)
      happen(state)
      meet(state)
    }
    for (const [node, { life }] of now.nodes.entries()) {
      if (life === 'asleep')
        act(now, node, (_, me) => {
          me.life = 'awake'
          return greet(node)
        })
      if (life !== 'dead' && now.left.crashes > 0) change((state) => crash(state, node))
      if (life === 'dead' && now.left.recoveries > 0)
        act(now, node, (state, me) => {
          state.left.recoveries--
          me.lacks = near[node].filter((it) => {
            const [coming] = state.news[`${node}<${it}`] ?? []
            return told && (coming === undefined ? !reaches(state, node, it) : coming === 'up')
          })
          applyFault(state, () => {
            me.life = 'awake'
          })
          return greet(node)
        })
    }
    for (const [key, letters] of Object.entries(now.messages)) {
      const to = Number(key.split('>')[1])
      for (const i of letters.keys()) {
        if (now.left.losses > 0)
          change((state) => {
            state.left.losses--
            state.messages[key].splice(i, 1)
          })
        if (now.left.duplicates > 0)
          change((state) => {
            state.left.duplicates--
            state.messages[key].splice(i, 0, letters[i])
          })
        if (order === 'fifo' && i > 0) continue
        if (now.nodes[to].life === 'dead') change((state) => void state.messages[key].splice(i, 1))
        else
          act(now, to, (state, me) => {
            const [letter] = state.messages[key].splice(i, 1)
            me.life = 'awake'
            me.heard += letter === 'hello' ? 1 : 10
            if (letter !== 'hello' || me.heard % 10 !== 1) return []
            return near[to].flatMap((it): [number, string][] =>
              me.lacks.includes(it) ? [] : [[it, 'answer']],
            )
          })
      }
    }
    for (const [key, [what]] of Object.entries(now.news))
      change((state) => {
        const [node, about] = key.split('<').map(Number)
        state.news[key].shift()
        const me = state.nodes[node]
        if (me.life === 'dead') return
        me.told += what === 'down' ? 1 : 10
        me.lacks = me.lacks.filter((it) => it !== about)
        if (what === 'down') me.lacks = [...me.lacks, about].sort()
      })
    for (const [node, others] of near.entries())
      for (const other of others) {
        if (node > other || now.left.cuts === 0 || now.cut.includes(pair(node, other))) continue
        const [a, b] = [now.nodes[node].life, now.nodes[other].life]
        if (recoveries === 0 && (a === 'dead' || b === 'dead')) continue
        change((state) => {
          state.left.cuts--
          applyFault(state, () => state.cut.push(pair(node, other)))
        })
      }
  }
  return seen.size
}

function pair(a: number, b: number): string {
  return [a, b].toSorted().join('-')
}

function named(name: string): Topology {
  return network(name, { random: Random.from(1) })
}

function explore(topology: Topology, changes: Partial<CheckOptions>) {
  const ids = Float64Array.from({ length: topology.n }, (_, node) => node)
  return checkWorld(
    { algorithm: greeter, topology, ids, params: {} },
    {
      mode: 'untimed',
      order: 'fifo',
      wake: 'any',
      limits: { states: 1_000_000 },
      properties: [],
      ...changes,
    },
  )
}

describe('faults', () => {
  const worlds: [string, FaultOptions][] = [
    ['complete:2', { crashes: 1 }],
    ['complete:2', { crashes: 2, detect: 'off' }],
    ['complete:2', { losses: 2 }],
    ['complete:2', { duplicates: 2 }],
    ['complete:2', { losses: 1, duplicates: 1, crashes: 1 }],
    ['complete:2', { crashes: 1, recoveries: 1 }],
    ['complete:2', { crashes: 2, recoveries: 1, losses: 1 }],
    ['complete:2', { crashes: 1, recoveries: 1, detect: 'off' }],
    ['complete:2', { dead: [0], recoveries: 1, crashes: 1 }],
    ['complete:3', { dead: [1] }],
    ['complete:3', { dead: [1], crashes: 1 }],
    ['complete:3', { dead: [2], detect: 'off', losses: 1 }],
    ['path:3', { crashes: 1 }],
    ['path:3', { crashes: 2, detect: 'off' }],
    ['path:3', { cuts: 1 }],
    ['path:2', { cuts: 1, losses: 1, crashes: 2 }],
    ['path:2', { cuts: 1, crashes: 1, recoveries: 1 }],
    ['path:3', { dead: [1], recoveries: 1 }],
  ]

  it.each(sample(worlds, 3))(
    'on %s with %j reach as many states as a naive checker finds',
    (name, faults) => {
      for (const order of ['fifo', 'any'] as const) {
        const topology = named(name)
        const { states, exhausted } = explore(topology, { order, faults })
        expect([order, states, exhausted]).toEqual([
          order,
          exploreNaively(topology, { order, faults }),
          true,
        ])
      }
    },
  )
})
