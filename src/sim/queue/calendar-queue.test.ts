import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CalendarQueue } from './calendar-queue.ts'

it('gives cells by time, and equal times in the order of insertion, whichever are removed', () => {
  const step = fc.oneof(
    { weight: 2, arbitrary: fc.constant('take' as const) },
    fc.nat(1000).map((remove) => ({ remove })),
    // Near, at the edge of the wheel, far beyond it, and between whole numbers.
    fc.nat(30),
    fc.integer({ min: 250, max: 260 }),
    fc.integer({ min: 1000, max: 1050 }),
    fc.nat(10_000),
    fc.nat(40).map((quarters) => quarters / 4),
    fc.nat(40).map((parts) => parts / 4096),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.nat(2), (script, cells) => {
      const queue = new CalendarQueue(cells)
      const model: { time: number; turn: number }[] = []
      const sorted = () => model.sort((a, b) => a.time - b.time || a.turn - b.turn)
      let now = 0
      for (const [turn, one] of script.entries()) {
        if (typeof one === 'number') {
          const time = now + one
          model.push({ time, turn })
          queue.add(time, turn)
        } else if (model.length > 0) {
          const index = one === 'take' ? 0 : one.remove % model.length
          const [{ time, turn: cell }] = sorted().splice(index, 1)
          if (one !== 'take') queue.remove(cell)
          else {
            now = time
            expect(queue.first).toBe(time)
            expect(queue.take()).toBe(cell)
          }
          expect(queue.has(cell)).toBe(false)
          queue.remove(cell)
        }
        expect(queue.size).toBe(model.length)
        expect(queue.first).toBe(Math.min(...model.map(({ time }) => time)))
        const held: number[] = []
        queue.each((cell) => held.push(cell))
        expect(held).toEqual(model.map(({ turn: cell }) => cell).toSorted((a, b) => a - b))
      }
    }),
    { numRuns: 1000 },
  )
})

it('shows each entry of an open bucket once before it is taken', () => {
  const queue = new CalendarQueue(100)
  for (let cell = 0; cell < 100; cell++) queue.add(1 + (cell % 4) / 512, cell)
  const seen: number[] = []
  const taken: number[] = []
  queue.remove(50)
  for (let left = 99; left > 0; left--) {
    if (taken.length > 0) {
      const unseen = queue.unseen(7)
      for (let i = 0; i < unseen; i++) seen.push(queue.ahead(i))
    }
    taken.push(queue.take())
  }
  // The bucket opens with the first one that is taken.
  expect(seen.filter((cell) => cell >= 0)).toEqual(taken.slice(1))
})
