import { expect, it } from 'vitest'
import { itaiRodeh } from '../algorithms/ring/itai-rodeh.ts'
import { lcr } from '../algorithms/ring/lcr.ts'
import { algorithm, message, Random } from '../core/index.ts'
import { complete } from '../core/networks/complete.ts'
import { network } from '../core/networks/network.ts'
import { type CheckOptions, checkWorld, type FaultOptions, ringCloses } from './index.ts'

const TOKEN = message({})
const anonymous = algorithm({
  name: 'anonymous',
  needs: { topology: 'ring' },
  messages: { TOKEN },
  state: {},
  wakes: false,
  start: (_, net) => net.sendAll(TOKEN, {}),
  on: { TOKEN: () => {} },
  theory: lcr.theory,
})

const anywhere = { ...anonymous, needs: { topology: 'any' } as const }

function attempt(
  name: string,
  faults: FaultOptions,
  mode: CheckOptions['mode'] = 'untimed',
  definition = anonymous,
) {
  const topology = network(name, { random: Random.from(1) })
  const ids = Float64Array.from({ length: topology.n }, (_, node) => node + 1)
  return checkWorld(
    { algorithm: definition, topology, ids, params: {} },
    { mode, order: 'fifo', wake: 'any', limits: { states: 1000 }, properties: [], faults },
  )
}

it.each<[string, FaultOptions, string]>([
  ['ring:3', { crashes: -1 }, 'crashes must be a whole number from 0; -1 was given'],
  ['ring:3', { losses: 0.5 }, 'losses must be a whole number from 0; 0.5 was given'],
  ['ring:3', { crashes: 4 }, '4 crashes are too many for 3 nodes'],
  ['ring:3', { crashes: 3, dead: [1] }, '4 crashes are too many for 3 nodes'],
  ['ring:3', { dead: [3] }, 'different positions from 0 to 2; 3 was given'],
  ['ring:3', { dead: [0, 1, 2] }, 'at least one node must be alive'],
  ['ring:3', { cuts: 1 }, 'link cuts work with algorithms for general graphs and complete'],
  ['ring:3', { partitions: 1 }, 'complete networks; anonymous requires a ring'],
  ['ring:3', { pauses: 1 }, 'pauses need a clock, but mode untimed has none'],
  ['ring:3', { drift: 1 }, 'drift needs a clock, but mode untimed has none'],
  ['ring:3', { drift: 0.5 }, 'a whole number of units from 0; 0.5 was given'],
  ['ring:3', { oneWay: true }, 'one-way needs at least one cut or partition'],
  ['ring:3', { amnesia: 1 }, 'the number of recoveries (1) exceeds the number of crashes (0)'],
  ['ring:3', { recoveries: 1 }, 'the number of recoveries (1) exceeds the number of crashes (0)'],
  ['ring:3', { crashes: 1, recoveries: 1, reappear: true }, 'the nodes of anonymous are anonymous'],
  ['ring:3', { crashes: 1, detect: -1 }, 'must be 0 or more'],
])('on %s the faults %j are rejected', (name, faults, message) => {
  expect(() => attempt(name, faults)).toThrow(message)
})

it.each(['ring:1001', 'complete:142'])('%s is too large to be explored', (name) => {
  expect(() => attempt(name, {})).toThrow(
    'but at most 1,000 nodes and 10,000 links can be explored',
  )
})

it('link cuts need an algorithm for general graphs, and not more cuts than links', () => {
  const cut = (name: string, cuts: number) => attempt(name, { cuts }, 'untimed', anywhere)
  for (const name of ['ring:3', 'complete:3', 'path:3']) expect(cut(name, 1).violated).toBe(null)
  expect(() => cut('path:3', 3)).toThrow('3 cuts exceed the number of links of path:3 (2)')
})

it('partitions are explored in small networks only', () => {
  const part = (name: string) => attempt(name, { partitions: 1 }, 'untimed', anywhere)
  expect(part('complete:3').violated).toBe(null)
  expect(() => part('path:11')).toThrow('11 nodes have too many partitions; at most 10 nodes')
})

it('clocked:any is for algorithms that need no largest delay', () => {
  const mode = { clocked: Number.POSITIVE_INFINITY }
  expect(attempt('ring:2', {}, mode).exhausted).toBe(true)
  const needy = { ...anonymous, needs: { ...anonymous.needs, time: 'bounded delay' as const } }
  expect(() => attempt('ring:2', {}, mode, needy)).toThrow('anonymous needs a largest delay')
})

it('in mode clocked the delay of the detector is a whole number', () => {
  const faults = { crashes: 1, detect: 0.5 }
  expect(() => attempt('ring:2', faults, { clocked: 1 })).toThrow('0.5 was given')
  expect(attempt('ring:2', faults).exhausted).toBe(true)
})

it('fault kinds with a budget of 0 add no state', () => {
  const none = { crashes: 0, losses: 0, duplicates: 0, cuts: 0, recoveries: 0, detect: 2 }
  expect(attempt('ring:3', none)).toEqual(attempt('ring:3', {}))
})

it('a ring closes over crashed nodes that are reported, unless nodes know their number', () => {
  const topology = network('ring:3', { random: Random.from(1) })
  const world = { algorithm: lcr, topology, ids: Float64Array.of(1, 2, 3), params: {} }
  expect(ringCloses(world, { crashes: 1 })).toBe(true)
  expect(ringCloses(world, { dead: [1] })).toBe(true)
  expect(ringCloses(world, { losses: 1 })).toBe(false)
  expect(ringCloses(world, { crashes: 1, detect: 'off' })).toBe(false)
  expect(ringCloses({ ...world, algorithm: itaiRodeh }, { crashes: 1 })).toBe(false)
  expect(ringCloses({ ...world, topology: complete(3) }, { crashes: 1 })).toBe(false)
})
