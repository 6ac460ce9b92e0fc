import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BinaryHeap } from './binary-heap.ts'

/** Times of all sorts, often equal, some beyond 32 bits, some between whole numbers. */
const times = fc.oneof(
  fc.nat(5),
  fc.integer({ min: -3, max: 100 }).map((number) => number / 4),
  fc.constantFrom(2 ** 31, 2 ** 32, 2 ** 40 + 0.5, Number.MAX_SAFE_INTEGER),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
)
const steps = fc.array(fc.oneof({ weight: 3, arbitrary: times }, fc.constant('take' as const)), {
  maxLength: 200,
})

describe('a queue of moments', () => {
  it('gives what a list gives that is sorted by time and then by turn', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const queue = new BinaryHeap()
        let list: { time: number; number: number; value: number }[] = []
        let put = 0
        const takeBoth = () => {
          const [first, ...rest] = list
          expect(queue.number).toBe(first.number)
          expect(queue.value).toBe(first.value)
          expect(queue.take()).toBe(first.value)
          list = rest
        }
        for (const step of script) {
          if (step !== 'take') {
            const number = put++
            const value = 1000 - number
            expect(queue.add(step, value)).toBe(number)
            list.push({ time: step, number, value })
            list.sort((a, b) => a.time - b.time || a.number - b.number)
          } else if (list.length > 0) takeBoth()
          expect(queue.size).toBe(list.length)
          expect(queue.first).toBe(list[0]?.time ?? Number.POSITIVE_INFINITY)
        }
        while (list.length > 0) takeBoth()
      }),
    )
  })

  it('holds many of the same time in their order', () => {
    const queue = new BinaryHeap()
    for (let i = 0; i < 1000; i++) queue.add(7, i)
    expect(Array.from({ length: 1000 }, () => queue.take())).toEqual(
      Array.from({ length: 1000 }, (_, i) => i),
    )
  })
})
