import { describe, expect, it } from 'vitest'
import { bully, changRoberts, peterson } from '../algorithms/index.ts'
import type { Algorithm } from '../core/algorithm.ts'
import { ring } from '../core/index.ts'
import { seatOf } from './assembly.ts'
import { Member } from './member.ts'
import { keyOf } from './membership.ts'
import { memoryNetwork } from './transports/memory.ts'

const ids = [3, 1, 4, 2]

function members(algorithm: Algorithm, worths: readonly number[], starts: readonly number[]) {
  const world = { algorithm, topology: ring(4), ids: Float64Array.from(ids), params: {} }
  const transports = memoryNetwork(world.topology)
  return ids.map(
    (_, position) =>
      new Member({
        ...seatOf(world, position),
        transport: transports[position],
        starts: starts.includes(position),
        worth: () => worths[position],
      }),
  )
}

describe('a member that is elected by its worth', () => {
  it.each([
    [changRoberts, [5, 9, 0, 1], [0, 1, 2, 3], 1],
    [changRoberts, [5, 5, 5, 5], [2], 4],
    [peterson, [7, 2, 7, 0], [0, 3], 4],
  ] as const)('%o', async (algorithm, worths, starts, leader) => {
    const all = members(algorithm, worths, starts)
    await Promise.all(all.map((member) => member.open()))
    await Promise.all(all.map((member) => member.ended))
    expect(all.map((member) => member.outcome.leader)).toEqual(ids.map(() => leader))
  })

  it('is asked when it wakes, and not before', async () => {
    const worths = [0, 0, 0, 0]
    const all = members(changRoberts, worths, [0, 1, 2, 3])
    worths[1] = 8
    await Promise.all(all.map((member) => member.open()))
    await Promise.all(all.map((member) => member.ended))
    expect(all[0].outcome.leader).toBe(1)
  })

  it('is refused where members know each other before', () => {
    expect(() => members(bully, [1, 2, 3, 4], [0])).toThrow(/learns them by messages/)
    expect(() => keyOf(0.5, 1)).toThrow(/whole number/)
    expect(() => keyOf(2 ** 40, 1)).toThrow(/whole number/)
  })
})
