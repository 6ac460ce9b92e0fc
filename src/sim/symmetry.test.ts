import { expect, it } from 'vitest'
import { stage } from '../../test/support/simulation-fixture.ts'
import { lcr } from '../algorithms/ring/lcr.ts'
import { distinctStates, SymmetryLog } from './symmetry.ts'

it('equal nodes are in one state, until something tells them apart', () => {
  const { simulation } = stage(lcr, { ids: [1, 1, 1], synchronous: true })
  expect(distinctStates(simulation)).toBe(1)
  Object.assign(simulation.states.of(0), { leader: 1 })
  expect(distinctStates(simulation)).toBe(2)
  Object.assign(simulation.states.of(2), { stopped: true })
  expect(distinctStates(simulation)).toBe(3)
})

it('nodes with ids are never in the same state', () => {
  expect(distinctStates(stage(lcr, { ids: [4, 2, 9] }).simulation)).toBe(3)
})

it('rounds have the messages sent since the last one, and the state that all nodes share', () => {
  const { simulation } = stage(lcr, { ids: [7, 7, 7], synchronous: true })
  const likenesses = new SymmetryLog()
  likenesses.look(0, simulation)
  simulation.finish()
  likenesses.look(3, simulation)
  Object.assign(simulation.states.of(1), { leader: null })
  likenesses.look(4, simulation)
  const nothing = { election: 0, leader: 0 }
  expect(likenesses.rounds).toEqual([
    {
      round: 0,
      distinctStates: 1,
      sent: nothing,
      state: { status: 'asleep', leader: null, stopped: false },
    },
    {
      round: 3,
      distinctStates: 1,
      sent: { election: 3, leader: 3 },
      state: { status: 'leader', leader: 7, stopped: true },
    },
    { round: 4, distinctStates: 2, sent: nothing, state: null },
  ])
})
