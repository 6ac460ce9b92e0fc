import fc from 'fast-check'
import { expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { BucketLists, REMOVED } from './bucket-lists.ts'

const LISTS = 64
/** Few are used: the first of a word of bits, its last, and some between. */
const USED = [0, 1, 30, 31, 32, 63]

it('each list gives back what was put into it and not removed, in order', () => {
  const step = fc.record({
    list: fc.constantFrom(...USED),
    numbers: fc.nat(80),
    removed: fc.array(fc.nat(), { maxLength: 5 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const lists = new BucketLists(LISTS)
      /** By list: the numbers, and where they lie. */
      const model: { number: number; at: number }[][] = Array.from({ length: LISTS }, () => [])
      const lengths = Array<number>(LISTS).fill(0)
      let number = 0
      for (const { list, numbers, removed } of steps) {
        for (let i = 0; i < numbers; i++, number++) {
          const at = lists.add(list, number)
          expect(at).toBeGreaterThan(0)
          model[list].push({ number, at })
          lengths[list]++
        }
        for (const pick of removed) {
          if (model[list].length === 0) continue
          const [{ at }] = model[list].splice(pick % model[list].length, 1)
          lists.cells[at] = REMOVED
        }
        expect(lengths.map((_, i) => lists.length(i))).toEqual(lengths)
        for (const from of USED.filter(() => lengths.some((length) => length > 0))) {
          const order = lengths.map((_, i) => (from + i) % LISTS)
          expect(lists.nextFrom(from)).toBe(order.find((i) => lengths[i] > 0))
        }
        // A step that puts nothing in takes everything out.
        if (numbers > 0) continue
        const into = new Int32Array(lengths[list] + 1).fill(-7)
        const from = lists.empty(list, into)
        expect([...into.subarray(from)]).toEqual([...model[list].map((it) => it.number), -7])
        model[list] = []
        lengths[list] = 0
      }
    }),
    { numRuns: campaign(1000) },
  )
})
