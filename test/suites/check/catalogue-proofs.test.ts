import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import { propertiesOf } from '../../../src/problems/algorithm-properties.ts'
import { proveProperties } from '../../../src/prove/prove.ts'
import { sample } from '../../support/campaign.ts'
import { named } from '../../support/random-worlds.ts'

/* `explain` and docs/algorithms.md say of each that it is proved for every n. */

const stating = catalogue.filter((algorithm) => Object.keys(algorithm.invariant()).length > 0)
/** Proofs about complete networks take longer. */
const now = stating.filter(({ needs }) => process.env.LONG_TESTS || needs.topology === 'ring')

describe('an algorithm of the catalogue that states an invariant', () => {
  it('is there', () => expect(stating.map(({ name }) => name)).toContain('lcr'))

  it.each(named(sample(now, 2)))(
    '%s: is proved for every n, with each of its clauses',
    (_, algorithm) => {
      const { verdict, clauses } = proveProperties(algorithm, propertiesOf(algorithm, false))
      expect(verdict).toBe('proved')
      const open = clauses.filter(({ from, proved }) => from === 'stated' && !proved)
      expect(open.map(({ name }) => name)).toEqual([])
    },
  )
})
