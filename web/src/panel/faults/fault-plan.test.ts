import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FaultList, faultsOf, LISTS, newFault, withFaults } from './fault-plan.ts'

const TEXTS: Readonly<Record<FaultList, string>> = {
  crashes: '7,3@12,0.5@10',
  recoveries: '7@30,3@30:id=2,1@4:amnesia',
  retirements: '7@20',
  suspicions: '3@10..20,4@5',
  pauses: '2@10..20',
  cuts: '0-1@5..9,0to1@5..9,2-3',
  partitions: '0,1,2/3,4@10..50;0/1@60',
}

describe('the faults of a draft', () => {
  it('come back as they were written', () => {
    for (const [list, text] of Object.entries(TEXTS) as [FaultList, string][]) {
      const read = faultsOf({ [LISTS[list]]: text })!
      expect(read[list].length).toBeGreaterThan(0)
      expect(withFaults(list, read[list])).toEqual({ [LISTS[list]]: text })
    }
    expect(withFaults('crashes', [])).toEqual({ crash: undefined })
  })

  it('are not read where a text is malformed', () => {
    expect(faultsOf({ crash: 'nobody' })).toBe(null)
    expect(faultsOf({})?.crashes).toEqual([])
  })

  it('may be new ones of every kind, in any network', () => {
    const lists = fc.constantFrom(...(Object.keys(LISTS) as FaultList[]))
    fc.assert(
      fc.property(lists, fc.integer({ min: 2, max: 9 }), fc.nat(20), (list, n, at) => {
        const fields = withFaults(list, [newFault(list, n - 1, at, n)])
        expect(faultsOf(fields)?.[list]).toHaveLength(1)
      }),
    )
  })
})
