import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CalendarQueue } from './calendar-queue.ts'

it('a schedule gives moments by time, and equal ones in the order they were put in', () => {
  const step = fc.oneof(
    fc.constant('take' as const),
    // Near, at the edge of the wheel, far beyond it, and not whole.
    fc.nat(30),
    fc.integer({ min: 1000, max: 1050 }),
    fc.nat(10_000),
    fc.nat(40).map((quarters) => quarters / 4),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (script) => {
      const schedule = new CalendarQueue()
      const model: { time: number; turn: number; number: number }[] = []
      let now = 0
      for (const [turn, one] of script.entries()) {
        if (one !== 'take') {
          const time = now + one
          model.push({ time, turn, number: schedule.add(time, turn) })
        } else if (model.length > 0) {
          model.sort((a, b) => a.time - b.time || a.turn - b.turn)
          const [first] = model.splice(0, 1)
          now = first.time
          expect([schedule.first, schedule.value, schedule.number]).toEqual([
            first.time,
            first.turn,
            first.number,
          ])
          expect(schedule.take()).toBe(first.turn)
        }
        expect(schedule.size).toBe(model.length)
        expect(schedule.first).toBe(Math.min(...model.map(({ time }) => time)))
        expect(new Set(model.map(({ number }) => number)).size).toBe(model.length)
      }
    }),
  )
})
