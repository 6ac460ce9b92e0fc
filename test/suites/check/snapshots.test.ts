import { expect, it } from 'vitest'
import { changRoberts } from '../../../src/algorithms/ring/chang-roberts.ts'
import { randomRun, snapshotsOf } from '../../../src/check/index.ts'
import { prepare } from '../../../src/scenario/index.ts'

it.each([1, 2, 3, 4, 5])('has the states of all nodes after each transition, seed %i', (seed) => {
  const { world } = prepare({ ids: [3, 1, 4, 2], seed }, changRoberts, String)
  const rules = { mode: 'untimed', order: 'fifo', wake: 'any' } as const
  const { transitions: moves, events } = randomRun(world, rules, seed)
  const snapshots = snapshotsOf(world, rules, moves)
  expect(snapshots).toHaveLength(moves.length)
  expect(snapshots.at(-1)?.events).toBe(events.length)
  for (const { events: count, states } of snapshots) {
    // A node takes part from its first ELECTION until it receives LEADER.
    const participant = [false, false, false, false]
    for (const event of events.slice(0, count)) {
      if (event.event === 'wake') participant[event.node] = true
      if (event.event === 'receive') participant[event.node] = event.type === 'election'
    }
    expect(states.map((state) => state.participant)).toEqual(participant)
  }
})
