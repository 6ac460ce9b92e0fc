import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BucketSort, ENTRY } from './bucket-sort.ts'

const PARTS = 64

/** Moments that are spread out, clustered, or equal to a few values. */
const shares = fc
  .tuple(fc.constantFrom(1, 1e-3, 1e-12), fc.constantFrom(3, 50, 2 ** 40))
  .chain(([width, moments]) =>
    fc.array(
      fc.nat(moments - 1).map((moment) => (moment / moments) * width),
      { maxLength: 400, size: 'max' },
    ),
  )

it('entries are in order of time, and those of one moment in the order they had', () => {
  const sorting = new BucketSort()
  fc.assert(
    fc.property(shares, fc.nat(1_000_000), fc.boolean(), (drawn, part, outlier) => {
      const begin = part / PARTS
      const times = [...drawn, ...(outlier ? [0.999] : [])]
        .map((share) => begin + share / PARTS)
        // What rounding puts on the end of a bucket lies in the next one.
        .filter((time) => time < begin + 1 / PARTS)
      const bucket = Float64Array.from(times.flatMap((time, i) => [time, 7 * i]))
      const room = new Float64Array(bucket.length + 30)
      const sorted = sorting.sort(bucket, room, bucket.length, begin, PARTS)
      const expected = times.map((time, i) => [time, 7 * i]).toSorted((a, b) => a[0] - b[0])
      expect([...sorted.subarray(0, ENTRY * times.length)]).toEqual(expected.flat())
    }),
  )
})
