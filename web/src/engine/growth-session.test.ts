import { describe, expect, it } from 'vitest'
import { definitionNamed } from '../../../src/algorithms/index.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { growthSession, sized } from './growth-session.ts'
import type { EngineAnswer, GrowthPoint } from './protocol.ts'

function grown(name: string, given: ScenarioInput, sizes: readonly number[], seeds = 1) {
  const points: (GrowthPoint | null)[] = []
  const take = (answer: EngineAnswer) => {
    if (answer.what === 'grown') points.push(answer.point)
  }
  const algorithm = definitionNamed(name) as Algorithm
  for (const _ of growthSession(given, algorithm, { sizes, seeds }, take));
  return points
}

describe('the growth of an election', () => {
  it('is what is proven for the worst and the best ring of LCR', () => {
    const sizes = [2, 3, 8, 40]
    const worst = grown('lcr', { ids: 'decreasing' }, sizes)
    expect(worst.map((point) => point?.costs)).toEqual([
      ...sizes.map((n) => [(n * (n + 1)) / 2]),
      undefined,
    ])
    const best = grown('lcr', { ids: 'increasing' }, sizes)
    expect(best.slice(0, -1).map((point) => point?.costs[0])).toEqual(sizes.map((n) => 2 * n - 1))
    const atMost = worst[2]?.bounds.find(({ kind }) => kind === 'worst')
    expect(atMost).toEqual({ kind: 'worst', formula: 'n(n+1)/2', value: 36 })
  })

  it('has a cost for each seed', () => {
    const [point] = grown('hirschberg-sinclair', {}, [16], 4)
    expect(new Set(point?.costs).size).toBeGreaterThan(1)
    expect(point?.costs).toHaveLength(4)
  })

  it('makes a network by name in other sizes', () => {
    expect(sized({ topology: 'small-world:40:6:0.1' }, 7)).toEqual({
      topology: 'small-world:7:6:0.1',
    })
    expect(sized({ ids: 'random' }, 7)).toEqual({ ids: 'random', n: 7 })
  })
})
