import { expect, test } from 'vitest'
import type { Topology } from '../language/topology.ts'
import { Random } from '../runtime/random.ts'
import { components, isConnected } from './components.ts'
import { network } from './network.ts'

function build(text: string): Topology {
  return network(text, { random: Random.from(1), allowComponents: true })
}

function labels(text: string, ...dead: number[]): number[] {
  return Array.from(components(build(text), (node) => !dead.includes(node)))
}

test('components are numbered by their first nodes, crashed nodes have none', () => {
  expect(labels('path:5')).toEqual([0, 0, 0, 0, 0])
  expect(labels('path:5', 2)).toEqual([0, 0, -1, 1, 1])
  expect(labels('path:5', 0, 2)).toEqual([-1, 0, -1, 1, 1])
  expect(labels('ring:6', 1)).toEqual([0, -1, 0, 0, 0, 0])
  expect(labels('ring:6', 1, 4)).toEqual([0, -1, 1, 1, -1, 0])
  expect(labels('star:4', 0)).toEqual([-1, 0, 1, 2])
  expect(labels('complete:4', 1, 3)).toEqual([0, -1, 0, -1])
  expect(labels('edges:0-3,1-2')).toEqual([0, 1, 1, 0])
  expect(labels('ring:1', 0)).toEqual([-1])
})

test('connected is what has one component', () => {
  expect(isConnected(build('edges:0-3,1-2'))).toBe(false)
  expect(isConnected(build('edges:0-3,1-2,1-3'))).toBe(true)
  expect(isConnected(build('complete:1'))).toBe(true)
})

test('a large complete network is not gone through link by link', () => {
  expect(isConnected(build('complete:1000000'))).toBe(true)
})
