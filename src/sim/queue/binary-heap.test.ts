import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BinaryHeap } from './binary-heap.ts'

const MOST = 200
/** Times of all sorts, often equal, some beyond 32 bits, some between whole numbers. */
const times = fc.oneof(
  fc.nat(5),
  fc.integer({ min: -3, max: 100 }).map((number) => number / 4),
  fc.constantFrom(2 ** 31, 2 ** 32, 2 ** 40 + 0.5, Number.MAX_SAFE_INTEGER),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
)
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: times.map((time) => ({ time })) },
    fc.constant('take' as const),
    fc.nat().map((remove) => ({ remove })),
  ),
  { maxLength: MOST },
)

describe('a heap of cells', () => {
  it('gives what a list gives that is sorted by time, then by turn, and removes any cell', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const places = new Int32Array(MOST)
        const heap = new BinaryHeap(places)
        let list: { time: number; order: number; cell: number }[] = []
        const takeBoth = () => {
          const [first, ...rest] = list
          expect(heap.firstOrder).toBe(first.order)
          expect(heap.take()).toBe(first.cell)
          list = rest
        }
        for (const step of script) {
          if (step === 'take') {
            if (list.length > 0) takeBoth()
          } else if ('remove' in step) {
            if (list.length > 0) {
              const [{ cell }] = list.splice(step.remove % list.length, 1)
              expect(places[cell]).toBeLessThan(0)
              heap.remove(-1 - places[cell])
            }
          } else {
            const order = heap.added
            const cell = MOST - 1 - order
            heap.add(step.time, cell)
            list.push({ time: step.time, order, cell })
            list.sort((a, b) => a.time - b.time || a.order - b.order)
          }
          expect(heap.size).toBe(list.length)
          expect(heap.first).toBe(list[0]?.time ?? Number.POSITIVE_INFINITY)
          const held = list.map(({ cell }) => -1 - places[cell])
          expect(held.toSorted((a, b) => a - b)).toEqual(list.map((_, index) => index))
        }
        while (list.length > 0) takeBoth()
      }),
    )
  })

  it('holds many of the same time in their order', () => {
    const heap = new BinaryHeap(new Int32Array(1000))
    for (let i = 0; i < 1000; i++) heap.add(7, i)
    expect(Array.from({ length: 1000 }, () => heap.take())).toEqual(
      Array.from({ length: 1000 }, (_, i) => i),
    )
  })
})
