import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BucketLists } from './bucket-lists.ts'
import { ENTRY } from './bucket-sort.ts'

const LISTS = 5

it('each list gives back what was put into it, in order, however they take turns', () => {
  const step = fc.record({ list: fc.nat(LISTS - 1), entries: fc.nat(60) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const lists = new BucketLists(LISTS)
      const model: number[][][] = Array.from({ length: LISTS }, () => [])
      let number = 0
      for (const { list, entries } of steps) {
        for (let i = 0; i < entries; i++, number++) {
          lists.add(list, number / 4, 2 * number, number)
          model[list].push([number / 4, 2 * number, number])
        }
        // A step that puts nothing in takes everything out.
        if (entries === 0) {
          const into = new Float64Array(ENTRY * model[list].length + 1).fill(-1)
          lists.empty(list, into)
          expect([...into]).toEqual([...model[list].flat(), -1])
          model[list] = []
        }
        const seen: number[] = []
        lists.each((value) => seen.push(value))
        expect(seen.toSorted((a, b) => a - b)).toEqual(
          model
            .flat()
            .map(([, value]) => value)
            .toSorted((a, b) => a - b),
        )
        expect(model.map((_, i) => lists.length(i))).toEqual(model.map((it) => ENTRY * it.length))
      }
    }),
  )
})
