import fc from 'fast-check'
import { expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { CalendarQueue } from './calendar-queue.ts'

it('gives cells by time, and equal times in the order of insertion, whichever are removed', () => {
  // Often one of the next, which lie in the open bucket.
  const which = fc.oneof(fc.nat(3), fc.nat(1000))
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant('take' as const) },
    which.map((remove) => ({ remove })),
    // Several at one moment.
    { weight: 3, arbitrary: fc.constant(1) },
    // At the same moment as another, too: in the open bucket.
    fc.record({ again: which, later: fc.constantFrom(0, 0, 1 / 4096, 1 / 64, 300) }),
    // Near, at the edge of the wheel, far beyond it, and between whole numbers.
    fc.nat(30),
    fc.integer({ min: 250, max: 260 }),
    fc.integer({ min: 1000, max: 1050 }),
    fc.nat(10_000),
    fc.nat(40).map((quarters) => quarters / 4),
    fc.nat(40).map((parts) => parts / 4096),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: 'max' }), fc.nat(2), (script, cells) => {
      const queue = new CalendarQueue(cells)
      const model: { time: number; turn: number; cell: number }[] = []
      const add = (time: number, turn: number, cell: number) => {
        model.push({ time, turn, cell })
        queue.add(time, cell)
      }
      const sorted = () => model.sort((a, b) => a.time - b.time || a.turn - b.turn)
      let now = 0
      for (const [turn, one] of script.entries()) {
        if (typeof one === 'number') {
          add(now + one, turn, turn)
        } else if (model.length > 0) {
          const index = one === 'take' ? 0 : 'again' in one ? one.again : one.remove
          const [{ time, cell }] = sorted().splice(index % model.length, 1)
          if (one !== 'take') queue.remove(cell)
          else {
            now = time
            expect(queue.first).toBe(time)
            expect(queue.take()).toBe(cell)
          }
          expect(queue.has(cell)).toBe(false)
          queue.remove(cell)
          if (one !== 'take' && 'again' in one) add(time + one.later, turn, cell)
        }
        expect(queue.size).toBe(model.length)
        expect(queue.first).toBe(Math.min(...model.map(({ time }) => time)))
        const held: number[] = []
        queue.each((cell) => held.push(cell))
        expect(held).toEqual(model.map(({ cell }) => cell).toSorted((a, b) => a - b))
      }
    }),
    { numRuns: campaign(2400) },
  )
})

it('does not know cells for which it never had room', () => {
  const queue = new CalendarQueue(2)
  queue.remove(5)
  expect([queue.has(5), queue.size]).toEqual([false, 0])
})

it('takes no more room when a cell is set and removed again and again', () => {
  const queue = new CalendarQueue(2)
  const roomOf = () => (queue as unknown as { wheel: { cells: Int32Array } }).wheel.cells.length
  queue.add(1e9, 1)
  for (let i = 0; i < 1e6; i++) {
    queue.add(2 + i / 8, 0)
    queue.remove(0)
  }
  expect(roomOf()).toBeLessThan(1e6)
  queue.add(3e5, 0)
  expect([queue.take(), queue.take(), queue.size]).toEqual([0, 1, 0])
})
