import { expect, it } from 'vitest'
import { itaiRodeh } from '../algorithms/ring/itai-rodeh.ts'
import { lcr } from '../algorithms/ring/lcr.ts'
import { algorithm, message, Random } from '../core/index.ts'
import { complete } from '../core/networks/complete.ts'
import { network } from '../core/networks/network.ts'
import { type CheckOptions, check, type FaultOptions, ringCloses } from './index.ts'

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
  return check(
    { algorithm: definition, topology, ids, params: {} },
    { mode, order: 'fifo', wake: 'any', limits: { states: 1000 }, properties: [], faults },
  )
}

it.each<[string, FaultOptions, string]>([
  ['ring:3', { crashes: -1 }, 'crashes is a whole number from 0, but it is -1'],
  ['ring:3', { losses: 0.5 }, 'losses is a whole number from 0, but it is 0.5'],
  ['ring:3', { crashes: 4 }, 'only 3 nodes can die, but 4 deaths are asked for'],
  ['ring:3', { crashes: 3, dead: [1] }, 'but 4 deaths are asked for'],
  ['ring:3', { dead: [3] }, 'by its position, but 3 is given as dead'],
  ['ring:3', { dead: [0, 1, 2] }, 'some node is up'],
  ['ring:3', { cuts: 1 }, 'for any network, but anonymous needs a ring one'],
  ['ring:3', { recoveries: 1 }, 'but 1 recoveries and 0 deaths are asked for'],
  ['ring:3', { crashes: 1, recoveries: 1, reappear: true }, 'but they are anonymous'],
  ['ring:3', { crashes: 1, detect: -1 }, 'a time of 0 or more'],
])('on %s the faults %j are refused', (name, faults, complaint) => {
  expect(() => attempt(name, faults)).toThrow(complaint)
})

it.each(['ring:1001', 'complete:142'])('%s is too large to be explored', (name) => {
  expect(() => attempt(name, {})).toThrow('at most 1000 nodes and 10000 links can be explored')
})

it('links are cut under algorithms for any network, but not more than there are', () => {
  const cut = (name: string, cuts: number) => attempt(name, { cuts }, 'untimed', anywhere)
  for (const name of ['ring:3', 'complete:3', 'path:3']) expect(cut(name, 1).violated).toBe(null)
  expect(() => cut('path:3', 3)).toThrow('path:3 has 2 links, but 3 cuts are asked for')
})

it('time goes in whole units for the detector too', () => {
  const faults = { crashes: 1, detect: 0.5 }
  expect(() => attempt('ring:2', faults, { clocked: 1 })).toThrow('it was given 0.5')
  expect(attempt('ring:2', faults).exhausted).toBe(true)
})

it('faults that are not asked for cost no state', () => {
  const none = { crashes: 0, losses: 0, duplicates: 0, cuts: 0, recoveries: 0, detect: 2 }
  expect(attempt('ring:3', none)).toEqual(attempt('ring:3', {}))
})

it('a ring closes over dead that are reported, unless nodes count on their number', () => {
  const topology = network('ring:3', { random: Random.from(1) })
  const world = { algorithm: lcr, topology, ids: Float64Array.of(1, 2, 3), params: {} }
  expect(ringCloses(world, { crashes: 1 })).toBe(true)
  expect(ringCloses(world, { dead: [1] })).toBe(true)
  expect(ringCloses(world, { losses: 1 })).toBe(false)
  expect(ringCloses(world, { crashes: 1, detect: 'off' })).toBe(false)
  expect(ringCloses({ ...world, algorithm: itaiRodeh }, { crashes: 1 })).toBe(false)
  expect(ringCloses({ ...world, topology: complete(3) }, { crashes: 1 })).toBe(false)
})
