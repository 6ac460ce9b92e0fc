import { describe, expect, it } from 'vitest'
import {
  changRoberts,
  franklin,
  hirschbergSinclair,
  hirschbergSinclairOneWay,
  lcr,
  peterson,
} from '../algorithms/index.ts'
import type { Algorithm } from '../core/index.ts'
import { ring } from '../core/networks/ring.ts'
import { renewed } from '../core/renewal.ts'
import { leaderElection } from '../problems/leader-election.ts'
import { type CheckOptions, check, type FaultRules } from './index.ts'

function explore(
  definition: Algorithm,
  ids: readonly number[],
  faults: FaultRules,
  mode: CheckOptions['mode'] = 'untimed',
) {
  const topology = ring(ids.length)
  return check(
    { algorithm: definition, topology, ids: Float64Array.from(ids), params: {} },
    {
      mode,
      order: 'fifo',
      wake: 'any',
      limits: { states: 1_000_000 },
      properties: leaderElection.properties(true),
      faults,
    },
  )
}

/** Every circle of the ids 1 to n, each once. */
function arrangements(n: number): number[][] {
  if (n === 1) return [[1]]
  return arrangements(n - 1).flatMap((rest) =>
    Array.from({ length: n - 1 }, (_, i) => rest.toSpliced(i + 1, 0, n)),
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

describe.each(elections)('on a ring that closes, %s', (_, definition, most) => {
  it('renewed, survives a crash at any moment, whoever is told first', () => {
    const sizes = Array.from({ length: most }, (_, i) => i + 1)
    for (const ids of sizes.flatMap(arrangements)) {
      const result = explore(renewed(definition), ids, { crashes: 1 })
      expect([ids, result.exhausted, result.violated]).toEqual([ids, true, null])
    }
  })

  it('renewed, survives all crashes but the last one on a ring of three', () => {
    const crashes = { crashes: 2 }
    for (const result of [
      explore(renewed(definition), [1, 3, 2], crashes),
      explore(renewed(definition), [1, 3, 2], { ...crashes, detect: 0 }, { clocked: 1 }),
      explore(renewed(definition), [1, 3, 2], { ...crashes, detect: 2 }, { clocked: 2 }),
    ])
      expect([result.exhausted, result.violated]).toEqual([true, null])
  })

  it('survives no crash as it is, nor one that nobody is told of', () => {
    const broken = 'all live nodes follow the largest'
    expect(explore(definition, [1, 3, 2], { crashes: 1 }).violated?.property).toBe(broken)
    const silent = { crashes: 1, detect: 'off' } as const
    expect(explore(renewed(definition), [1, 3, 2], silent).violated?.property).toBe(broken)
  })
})
