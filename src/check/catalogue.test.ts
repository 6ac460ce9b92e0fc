import { describe, expect, it } from 'vitest'
import { bully } from '../algorithms/complete/bully.ts'
import { singh } from '../algorithms/complete/singh.ts'
import { wireless } from '../algorithms/graph/wireless.ts'
import { Random } from '../core/index.ts'
import type { World } from '../core/language/world.ts'
import { complete } from '../core/networks/complete.ts'
import { network } from '../core/networks/network.ts'
import { leaderElection } from '../problems/leader-election.ts'
import { type CheckOptions, type CheckResult, checkWorld } from './index.ts'

const faultless: CheckOptions = {
  mode: 'untimed',
  order: 'fifo',
  wake: 'any',
  limits: { states: 1_000_000 },
  properties: leaderElection.properties(false, { lasting: true }),
}
const faulty = { ...faultless, properties: leaderElection.properties(true) }

function expectHolds({ exhausted, properties }: CheckResult): void {
  expect(properties.filter(({ holds }) => holds !== true)).toEqual([])
  expect(exhausted).toBe(true)
}

function bullies(ids: readonly number[], patience: number): World {
  const topology = complete(ids.length)
  return { algorithm: bully, topology, ids: Float64Array.from(ids), params: { patience } }
}

describe('bully', () => {
  const permutations = [
    [1, 2, 3],
    [1, 3, 2],
  ]

  it.each([1, 2])('elects with delays up to %i', (longest) => {
    for (const ids of permutations)
      expectHolds(
        checkWorld(bullies(ids, 2 * longest), { ...faultless, mode: { clocked: longest } }),
      )
  })

  it.each([1, 2])('survives any crashes with delays up to %i', (longest) => {
    for (const ids of permutations)
      for (const crashes of [1, 2]) {
        const rules = { ...faulty, mode: { clocked: longest }, faults: { crashes } }
        expectHolds(checkWorld(bullies(ids, 2 * longest), rules))
      }
  })

  it('survives a crash with patient timers', () => {
    const rules: CheckOptions = { ...faulty, mode: 'patient', faults: { crashes: 1 } }
    expectHolds(checkWorld(bullies([1, 2, 3], 2), rules))
  })

  it('needs no FIFO order, and tolerates duplicates', () => {
    const mode = { clocked: 2 }
    expectHolds(checkWorld(bullies([1, 2, 3], 4), { ...faulty, mode, order: 'any' }))
    const twice = { ...faulty, mode: { clocked: 1 }, faults: { duplicates: 1 } }
    expectHolds(checkWorld(bullies([1, 2, 3], 2), twice))
  })

  it('elects two leaders with unbounded delays', () => {
    const { violated } = checkWorld(bullies([1, 2, 3], 2), faultless)
    expect(violated?.property).toBe('at most one leader')
    expect(violated?.trace.map(({ event }) => event)).toEqual(['wake', 'timeout', 'wake'])
  })

  it.each([
    [1, 1],
    [2, 2],
    [2, 3],
  ])('elects two leaders with delays up to %i and patience %i', (longest, patience) => {
    const rules = { ...faultless, mode: { clocked: longest } }
    const { violated } = checkWorld(bullies([1, 2, 3], patience), rules)
    expect(violated?.property).toBe('at most one leader')
    expect(violated?.events.find((it) => it.event === 'timeout')).toMatchObject({
      timer: 'silence',
    })
  })

  it('elects two leaders if an id reappears', () => {
    const faults = { crashes: 1, recoveries: 1, reappear: true }
    const rules = { ...faulty, mode: { clocked: 1 }, faults }
    const { violated, properties } = checkWorld(bullies([1, 2, 3], 2), rules)
    expect(violated?.property).toBe('no two leaders that reach each other')
    expect(properties[0].detail).toBe('nodes 3 (position 0), 3 (position 2) lead at once')
    expect(violated?.events.find((it) => it.event === 'recover')).toMatchObject({ node: 0, id: 3 })
  })

  it('does not tolerate message loss', () => {
    const rules = { ...faulty, mode: { clocked: 1 }, faults: { losses: 1 } }
    expect(checkWorld(bullies([1, 2, 3], 2), rules).violated?.property).toBe(
      'no two leaders that reach each other',
    )
  })
})

describe('singh', () => {
  it.each([2, 3, 4])('elects on %i nodes with any starters and without FIFO order', (n) => {
    const ids = Float64Array.from({ length: n }, (_, node) => ((node * 3) % 5) + 1)
    const params = { variant: 'forward' }
    const world = { algorithm: singh, topology: complete(n), ids, params }
    const properties = leaderElection.properties(false, { elects: 'another' })
    expectHolds(checkWorld(world, { ...faultless, order: 'any', properties }))
  })
})

describe('wireless', () => {
  const on = (text: string, ids: readonly number[]): World => ({
    algorithm: wireless,
    topology: network(text, { random: Random.from(1), allowComponents: true }),
    ids: Float64Array.from(ids),
    params: {},
  })

  it.each([
    ['path:3', [3, 1, 2]],
    ['edges:0-1,0-2,1-2', [1, 3, 2]],
    ['star:4', [2, 4, 1, 3]],
    ['path:4', [2, 4, 1, 3]],
  ])('survives the loss of a link of %s', (text, ids) => {
    expectHolds(checkWorld(on(text, ids), { ...faulty, faults: { cuts: 1 } }))
  })

  it('elects in each component of a network once a node starts there', () => {
    for (const wake of ['any', [0], [0, 3]] as const)
      expectHolds(checkWorld(on('edges:0-1,2-3', [1, 4, 2, 3]), { ...faulty, wake }))
  })

  it('survives the loss of a link of a square that one node starts on', () => {
    const square = on('edges:0-1,1-2,2-3,0-3', [2, 4, 1, 3])
    expectHolds(checkWorld(square, { ...faulty, wake: [0], faults: { cuts: 1 } }))
  })

  it.each([
    ['path:3', [3, 1, 2]],
    ['edges:0-1,0-2,1-2', [1, 3, 2]],
    ['grid:1x3', [1, 3, 2]],
  ])('survives a crash on %s', (text, ids) => {
    expectHolds(checkWorld(on(text, ids), { ...faulty, faults: { crashes: 1 } }))
  })
})
