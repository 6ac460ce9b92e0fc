import { expect, it } from 'vitest'
import { HandoverLog } from './handover-log.ts'

/** Node 1 leads since 2, and something joins at 5; node 2 leads since 6. */
function scene(longest: number): HandoverLog {
  const handovers = new HandoverLog(longest)
  handovers.becomesLeader(1, 2)
  handovers.joins(5)
  handovers.becomesLeader(2, 6)
  return handovers
}

it('to ask whether two may lead at once leaves no trace', () => {
  const handovers = scene(3)
  expect(handovers.allows(1, 2)).toBe(true)
  expect(handovers.allows(2, 1)).toBe(true)
  expect(handovers.all).toEqual([])
})

it('are written down once, the older leader first, until one of them is gone', () => {
  const handovers = scene(3)
  handovers.record(2, 1)
  handovers.record(1, 2)
  handovers.stopsLeading(1, 8)
  expect(handovers.all).toEqual([{ nodes: [1, 2], merged: false, from: 6, to: 8 }])
  expect(handovers.overlong).toBeUndefined()
})

it('are too long beyond their limit, and to the end of the run', () => {
  for (const end of [9.5, null]) {
    const handovers = scene(3)
    handovers.record(1, 2)
    if (end !== null) handovers.stopsLeading(1, end)
    expect(handovers.overlong?.nodes).toEqual([1, 2])
  }
})

it('of two that led before they could reach each other have no limit', () => {
  const handovers = scene(3)
  handovers.joins(7)
  handovers.record(1, 2)
  handovers.stopsLeading(1, 70)
  expect(handovers.all).toMatchObject([{ merged: true, from: 7 }])
  expect(handovers.overlong).toBeUndefined()
})

it('are not allowed when nothing has joined, after the election, or for later leaders', () => {
  const over = scene(3)
  over.electionEnded()
  over.record(1, 2)
  expect([over.all, over.allows(1, 2)]).toEqual([[], false])
  const late = scene(3)
  late.becomesLeader(1, 7)
  expect(late.allows(1, 2)).toBe(false)
  // Where there is no limit, the election that the change starts may have its time.
  const free = scene(Number.POSITIVE_INFINITY)
  free.becomesLeader(1, 7)
  expect(free.allows(1, 2)).toBe(true)
})

it('have a limit if a node leads from the moment of its recovery', () => {
  const handovers = new HandoverLog(3)
  handovers.becomesLeader(1, 2)
  handovers.joins(5)
  handovers.becomesLeader(2, 5)
  handovers.record(1, 2)
  expect(handovers.all).toMatchObject([{ merged: false, from: 5 }])
  expect(handovers.overlong?.nodes).toEqual([1, 2])
})
