import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ListedFaultName } from '../../../../src/options/list-faults.ts'
import { FAULT_LISTS, faultsOf, newFault, withFaults } from './fault-plan.ts'

const TEXTS: Readonly<Partial<Record<ListedFaultName, string>>> = {
  crash: '7,3@12,0.5@10',
  recover: '7@30,3@30:id=2,1@4:amnesia',
  retire: '7@20',
  suspect: '3@10..20,4@5',
  pause: '2@10..20',
  cut: '0-1@5..9,0to1@5..9,2-3',
  partition: '0,1,2/3,4@10..50;0/1@60',
}

describe('the faults of a draft', () => {
  it('come back as they were written', () => {
    for (const [list, text] of Object.entries(TEXTS) as [ListedFaultName, string][]) {
      const read = faultsOf({ [list]: text })!
      expect(read[list].length).toBeGreaterThan(0)
      expect(withFaults(list, read[list])).toEqual({ [list]: text })
    }
    expect(withFaults('crash', [])).toEqual({ crash: undefined })
  })

  it('are not read where a text is malformed', () => {
    expect(faultsOf({ crash: 'nobody' })).toBe(null)
    expect(faultsOf({})?.crash).toEqual([])
  })

  it('may be new ones of every kind, in any network', () => {
    const lists = fc.constantFrom(...FAULT_LISTS)
    fc.assert(
      fc.property(lists, fc.integer({ min: 2, max: 9 }), fc.nat(20), (list, n, at) => {
        const fields = withFaults(list, [newFault(list, n - 1, at, n)])
        expect(faultsOf(fields)?.[list]).toHaveLength(1)
      }),
    )
  })
})
