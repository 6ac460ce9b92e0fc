import { describe, expect, it } from 'vitest'
import { catalogue } from '../../src/algorithms/index.ts'
import { extremeIds } from '../../web/src/panel/available-fields.ts'
import { necklaces } from '../support/oracles.ts'
import { simulate } from '../support/random-worlds.ts'

const rings = catalogue.filter(({ needs }) => needs.topology === 'ring')

describe('orders of ids that cost most and least', () => {
  it.each(rings.map((algorithm) => [algorithm.name, algorithm] as const))(
    '%s: none of all permutations costs more than the worst, or less than the best',
    (name, algorithm) => {
      for (const n of [2, 3, 4, 5]) {
        const worst = extremeIds(name, 'worst', n)
        const best = extremeIds(name, 'best', n)
        if (worst === null && best === null) continue
        const cost = (given: object) => simulate(algorithm, { n, ...given }).messages.total
        const all = necklaces(n).map((ids) => cost({ ids }))
        if (worst) expect(cost({ ids: worst }), `worst of ${n}`).toBe(Math.max(...all))
        if (best) expect(cost({ ids: best }), `best of ${n}`).toBe(Math.min(...all))
      }
    },
  )

  it('are claimed where messages depend on the order, and for no network but rings', () => {
    const claimed = catalogue.filter(({ name }) => extremeIds(name, 'best', 8) !== null)
    expect(claimed.map(({ needs }) => needs.topology)).toEqual(claimed.map(() => 'ring'))
    expect(extremeIds('peterson', 'worst', 8)).toBe('bit-reversal')
    expect(extremeIds('peterson', 'worst', 6)).toBeNull()
    expect(extremeIds('bully', 'worst', 8)).toBeNull()
  })
})
