import { describe, expect, it } from 'vitest'
import { lcr } from '../algorithms/ring/lcr.ts'
import { algorithm, left, message, type Uid, uid } from '../core/index.ts'
import type { World } from '../core/language/world.ts'
import { ring } from '../core/networks/ring.ts'
import { leaderElection } from '../problems/leader-election.ts'
import { type CheckOptions, checkWorld } from './index.ts'

const options: CheckOptions = {
  mode: 'untimed',
  order: 'fifo',
  wake: 'any',
  limits: { states: 1_000_000 },
  properties: leaderElection.properties(false),
}

function on(ids: readonly number[], definition = lcr): World {
  const topology = ring(ids.length)
  return { algorithm: definition, topology, ids: Float64Array.from(ids), params: {} }
}

/** The reaction of a node to an id. */
type Rule = <Id extends Uid | number>(id: Id, mine: Id) => { pass: boolean; win: boolean }

const right: Rule = (id, mine) => ({ pass: id > mine, win: id === mine })
const broken: Record<string, Rule> = {
  'forwards smaller ids too': (id, mine) => ({ pass: id !== mine, win: id === mine }),
  'never swallows': (id, mine) => ({ pass: true, win: id === mine }),
  'compares with >=': (id, mine) => ({ pass: id > mine, win: id >= mine }),
}

/** LCR with another rule, in the language of algorithms. */
function lcrWith(rule: Rule) {
  const ELECTION = message({ id: uid })
  const LEADER = message({ id: uid })
  return algorithm({
    name: 'lcr-variant',
    needs: { topology: 'ring', ids: 'unique' },
    messages: { ELECTION, LEADER },
    state: {},
    wakes: true,
    start: (my, net) => net.send(left, ELECTION, { id: my.id }),
    on: {
      ELECTION(my, { id }, net) {
        const { pass, win } = rule(id, my.id)
        if (pass) net.send(left, ELECTION, { id })
        if (win) {
          net.lead()
          net.send(left, LEADER, { id: my.id })
        }
      },
      LEADER(my, { id }, net) {
        if (id !== my.id) {
          net.follow(id)
          net.send(left, LEADER, { id })
        }
        net.stop()
      },
    },
    theory: lcr.theory,
  })
}

interface NaiveState {
  started: number
  nodes: { awake: boolean; leads: boolean; follows: number; stopped: boolean }[]
  queues: [type: string, id: number][][]
}

/** A naive checker for LCR, written independently with objects and JSON. */
function exploreNaively(ids: readonly number[], wake: 'any' | readonly number[], rule = right) {
  const n = ids.length
  const queues = ids.map(() => [])
  const nodes = ids.map(() => ({ awake: false, leads: false, follows: -1, stopped: false }))
  const level = new Map<string, number>()
  const first = JSON.stringify({ started: 0, nodes, queues } satisfies NaiveState)
  const todo = [first]
  level.set(first, 0)
  let transitions = 0
  let twoLeaders: number | null = null
  for (const text of todo) {
    const go = (change: (state: NaiveState) => void) => {
      const state: NaiveState = JSON.parse(text)
      change(state)
      transitions++
      const key = JSON.stringify(state)
      if (level.has(key)) return
      level.set(key, level.get(text)! + 1)
      if (state.nodes.filter(({ leads }) => leads).length > 1) twoLeaders ??= level.get(key)!
      todo.push(key)
    }
    const start = (state: NaiveState, node: number) => {
      state.nodes[node].awake = true
      state.queues[(node + 1) % n].push(['election', ids[node]])
    }
    const now: NaiveState = JSON.parse(text)
    if (wake !== 'any' && now.started < wake.length) {
      go((state) => start(state, wake[state.started++]))
      continue
    }
    for (let i = 0; i < n; i++) {
      if (wake === 'any' && !now.nodes[i].awake) go((state) => start(state, i))
      if (now.queues[i].length > 0)
        go((state) => {
          const node = state.nodes[i]
          const next = state.queues[(i + 1) % n]
          const [type, id] = state.queues[i].shift()!
          if (!node.awake) start(state, i)
          if (node.stopped) return
          if (type === 'leader') {
            node.stopped = true
            if (id === ids[i]) return
            node.leads = false
            node.follows = id
            next.push(['leader', id])
            return
          }
          const { pass, win } = rule(id, ids[i])
          if (pass) next.push(['election', id])
          if (!win) return
          node.leads = true
          node.follows = -1
          next.push(['leader', ids[i]])
        })
    }
  }
  return { states: level.size, transitions, depth: Math.max(...level.values()), twoLeaders }
}

const short = ['1,2', '2,1', '1,2,3', '3,1,2', '3,2,1', '4,3,2,1', '2,4,1,3']
const long = ['1,2,3,4,5', '3,5,1,4,2', '5,4,3,2,1', '3,6,2,5,1,4', '6,5,4,3,2,1']

describe('the checker on LCR', () => {
  it.each(['7', ...short, ...long])('explores what a naive checker does on ring %s', (list) => {
    const ids = list.split(',').map(Number)
    const result = checkWorld(on(ids), options)
    const { states, transitions, depth } = exploreNaively(ids, 'any')
    expect(result).toMatchObject({ states, transitions, depth, exhausted: true, violated: null })
    expect(result.properties.map(({ holds }) => holds)).not.toContain(false)
    expect(result.properties.map(({ holds }) => holds)).not.toContain(null)
  })

  it.each([[[0]], [[2]], [[1, 3]], [[3, 0, 1]], [[0, 1, 2, 3]]])(
    'sees what a naive checker sees when %j start',
    (wake) => {
      const ids = [2, 4, 1, 3]
      const { states, transitions, depth } = exploreNaively(ids, wake)
      expect(checkWorld(on(ids), { ...options, wake })).toMatchObject({
        states,
        transitions,
        depth,
        exhausted: true,
        violated: null,
      })
    },
  )

  // The same model with n = 12 has 1,604,676 states and 11,121,225 transitions in five other tools.
  it('has the known size for eight decreasing ids', () => {
    const result = checkWorld(on([8, 7, 6, 5, 4, 3, 2, 1]), options)
    expect(result).toMatchObject({ states: 9940, transitions: 47822, exhausted: true })
  })

  it('does not need FIFO links', () => {
    const result = checkWorld(on([4, 3, 2, 1]), { ...options, order: 'any' })
    expect(result).toMatchObject({ exhausted: true, violated: null })
  })
})

describe('a broken LCR', () => {
  for (const [fault, rule] of Object.entries(broken))
    it.each(short)(`that ${fault} goes wrong in the fewest steps on ring %s`, (list) => {
      const ids = list.split(',').map(Number)
      const { exhausted, properties, violated } = checkWorld(on(ids, lcrWith(rule)), {
        ...options,
        properties: options.properties.slice(0, 1),
      })
      expect(exhausted).toBe(false)
      expect(properties).toMatchObject([{ name: 'at most one leader', holds: false }])
      expect(violated?.property).toBe('at most one leader')
      expect(violated?.trace).toHaveLength(exploreNaively(ids, 'any', rule).twoLeaders!)
    })
})
