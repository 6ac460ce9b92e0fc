import { expect, it } from 'vitest'
import { stage } from '../../test/stage.ts'
import { lcr } from '../algorithms/ring/lcr.ts'
import { distinctStates } from './symmetry.ts'

it('equal nodes are in one state, until something tells them apart', () => {
  const { simulation } = stage(lcr, { ids: [1, 1, 1], synchronous: true })
  expect(distinctStates(simulation)).toBe(1)
  simulation.states[0].leader = 1
  expect(distinctStates(simulation)).toBe(2)
  simulation.states[2].stopped = true
  expect(distinctStates(simulation)).toBe(3)
})

it('nodes with ids are never in the same state', () => {
  expect(distinctStates(stage(lcr, { ids: [4, 2, 9] }).simulation)).toBe(3)
})
