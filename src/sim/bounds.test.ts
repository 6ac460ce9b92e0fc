import { describe, expect, it } from 'vitest'
import { play, type Staging } from '../../test/support/simulation-fixture.ts'
import { hirschbergSinclair } from '../algorithms/ring/hirschberg-sinclair.ts'
import { lcr } from '../algorithms/ring/lcr.ts'
import { peterson } from '../algorithms/ring/peterson.ts'
import { timeSlice } from '../algorithms/ring/time-slice.ts'
import type { Algorithm } from '../core/index.ts'
import { boundsOf, factsForBounds } from './bounds.ts'

const ids = [5, 9, 2, 7]
const boundsIn = (staging: Staging, algorithm: Algorithm = lcr) =>
  boundsOf(play(algorithm, { ids, ...staging }).simulation)

describe('facts', () => {
  const factsWith = (starts: Staging['starts']) => {
    const { simulation } = play(lcr, { ids, ...(starts && { starts }) })
    return factsForBounds(simulation.world, simulation.conditions)
  }

  it('have the nodes and the initiators', () => {
    const { networkDiameter, ...facts } = factsWith(undefined)
    expect(networkDiameter!()).toBe(2)
    expect(facts).toEqual({
      n: 4,
      links: 4,
      smallestId: 2,
      largestId: 9,
      starters: 4,
      smallestStarter: 2,
      rounds: false,
      together: true,
      largestDelay: 1,
      diameter: Number.NaN,
      leaderId: null,
      ids: Float64Array.from(ids),
      settings: {},
    })
    expect(factsWith([[0, 0]])).toMatchObject({ starters: 1, smallestStarter: 5, together: false })
    const late = ids.map((_, node) => [node, 3] as const)
    expect(factsWith(late).together).toBe(true)
    expect(factsWith([...late.slice(1), [0, 0]]).together).toBe(false)
  })
})

describe('bounds', () => {
  it('are compared without the announcement, and in units of the largest delay', () => {
    const delay = { model: 'constant', delay: 2.5 } as const
    expect(boundsIn({ delay })).toEqual([
      { of: 'messages', formula: 'n(n+1)/2', value: 10, measured: 8, within: true },
      { of: 'time', formula: 'n', value: 4, measured: 4, within: true },
      { of: 'time', formula: '2n-1', value: 7, measured: 4, within: true },
    ])
  })

  it('count time from the first start, in rounds as in time units', () => {
    const starts = ids.map((_, node) => [node, 6] as const)
    for (const synchronous of [false, true]) {
      expect(boundsIn({ starts, synchronous }).map(({ measured }) => measured)).toEqual([8, 4, 4])
    }
  })

  it('on time need delays that have a largest one', () => {
    const delay = { model: 'exponential', mean: 1 } as const
    expect(boundsIn({ delay }).map(({ of }) => of)).toEqual(['messages'])
  })

  it('that hold only for some worlds are left out in the others', () => {
    const formulas = (staging: Staging) =>
      boundsIn(staging, hirschbergSinclair).map(({ formula }) => formula)
    expect(formulas({})).toEqual(['8n ceil(log2 n) + 4n', '3n-2'])
    expect(formulas({ ids: [1, 2, 3] })).toEqual(['8n ceil(log2 n) + 4n', '5n-2'])
    expect(formulas({ starts: [[0, 0]] })).toEqual(['8n ceil(log2 n) + 4n'])
  })

  it('are not proven for crashes, equal ids, or overtaking where it must not be', () => {
    expect(boundsIn({ crashes: [[0, 100]] })).toEqual([])
    expect(boundsIn({ ids: [1, 1, 1], synchronous: true })).toEqual([])
    expect(boundsIn({ fifo: false }, peterson)).toEqual([])
    expect(boundsIn({ fifo: false }, lcr)).not.toEqual([])
  })

  it('that are the message count itself count the announcement', () => {
    expect(boundsIn({ synchronous: true }, timeSlice)).toMatchObject([
      { of: 'messages', formula: 'n', value: 4, measured: 4 },
      { of: 'time', value: 8, measured: 8 },
    ])
  })
})
