import { describe, expect, it } from 'vitest'
import { sample } from '../../../test/support/campaign.ts'
import { necklaces } from '../../../test/support/oracles.ts'
import {
  changRoberts,
  franklin,
  hirschbergSinclair,
  hirschbergSinclairOneWay,
  lcr,
  peterson,
} from '../../algorithms/index.ts'
import type { Algorithm } from '../../core/index.ts'
import { ring } from '../../core/networks/ring.ts'
import { restarting } from '../../core/runtime/restart.ts'
import { leaderElection } from '../../problems/leader-election.ts'
import { type CheckOptions, checkWorld, type FaultOptions } from '../index.ts'

function explore(
  definition: Algorithm,
  ids: readonly number[],
  faults: FaultOptions,
  changes: Partial<CheckOptions> = {},
) {
  const topology = ring(ids.length)
  return checkWorld(
    { algorithm: definition, topology, ids: Float64Array.from(ids), params: {} },
    {
      mode: 'untimed',
      order: 'fifo',
      wake: 'any',
      limits: { states: 1_000_000 },
      properties: leaderElection.properties(true),
      faults,
      ...changes,
    },
  )
}

const elections: [string, Algorithm, number][] = [
  ['lcr', lcr, 4],
  ['chang-roberts', changRoberts, 4],
  ['peterson', peterson, 4],
  ['hirschberg-sinclair-one-way', hirschbergSinclairOneWay, 3],
  ['franklin', franklin, 3],
  ['hirschberg-sinclair', hirschbergSinclair, 3],
]

describe.each(sample(elections, 2))('on a ring that closes, %s', (_, definition, most) => {
  it('with restarts, survives a crash at any time, with notices in any order', () => {
    const sizes = Array.from({ length: most }, (_, i) => i + 1)
    for (const ids of sizes.flatMap(necklaces)) {
      const result = explore(restarting(definition), ids, { crashes: 1 })
      expect([ids, result.exhausted, result.violated]).toEqual([ids, true, null])
    }
  })

  it('with restarts, survives two crashes on a ring of three', () => {
    const crashes = { crashes: 2 }
    for (const result of [
      ...necklaces(3).map((ids) => explore(restarting(definition), ids, crashes)),
      explore(
        restarting(definition),
        [1, 3, 2],
        { ...crashes, detect: 0 },
        { mode: { clocked: 1 } },
      ),
      explore(
        restarting(definition),
        [1, 3, 2],
        { ...crashes, detect: 2 },
        { mode: { clocked: 2 } },
      ),
    ])
      expect([result.exhausted, result.violated]).toEqual([true, null])
  })

  it('with restarts, survives two crashes on a ring of four with one starter', () => {
    const mode = most < 4 ? { clocked: 1 } : 'untimed'
    const result = explore(
      restarting(definition),
      [2, 4, 1, 3],
      { crashes: 2 },
      { mode, wake: [3] },
    )
    expect([result.exhausted, result.violated]).toEqual([true, null])
  })

  it('with restarts, survives a crash and a recovery', () => {
    const faults = { crashes: 1, recoveries: 1 }
    for (const result of [
      explore(restarting(definition), [2, 1], faults),
      explore(restarting(definition), [1, 3, 2], faults, { mode: { clocked: 1 }, wake: [0] }),
      ...(most < 4 ? [] : [explore(restarting(definition), [1, 3, 2], faults)]),
    ])
      expect([result.exhausted, result.violated]).toEqual([true, null])
  })

  it('does not survive a crash without restarts or without a detector', () => {
    const broken = 'all live nodes follow the largest'
    expect(explore(definition, [1, 3, 2], { crashes: 1 }).violated?.property).toBe(broken)
    const silent = { crashes: 1, detect: 'off' } as const
    expect(explore(restarting(definition), [1, 3, 2], silent).violated?.property).toBe(broken)
  })
})
