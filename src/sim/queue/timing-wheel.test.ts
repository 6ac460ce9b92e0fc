import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OverflowQueue } from './timing-wheel.ts'

const steps = fc.array(fc.oneof(fc.constant('take' as const), fc.nat(40)), {
  maxLength: 200,
  size: 'max',
})

it('takes the slots of the overflow queue in order of time', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const queue = new OverflowQueue(2)
      // The storage of the records: each has its number in its slot.
      const slots: number[] = []
      let capacity = 2
      const list: { time: number; record: number }[] = []
      let now = 0
      for (const [record, step] of taken.entries()) {
        if (step !== 'take') {
          const time = now + step / 8
          if (queue.full) {
            expect(list.length).toBe(capacity)
            queue.grow()
            capacity *= 2
          }
          const slot = queue.add(time)
          expect(slot).toBeLessThan(capacity)
          slots[slot] = record
          const place = list.findLastIndex((it) => it.time <= time) + 1
          list.splice(place, 0, { time, record })
        } else if (list.length > 0) {
          const { time, record } = list.shift()!
          expect(queue.first).toBe(time)
          expect(slots[queue.take()]).toBe(record)
          now = time
        }
        const held: number[] = []
        queue.each((slot) => held.push(slots[slot]))
        expect(held.toSorted((a, b) => a - b)).toEqual(
          list.map((it) => it.record).toSorted((a, b) => a - b),
        )
        expect(queue.first).toBe(list[0]?.time ?? Number.POSITIVE_INFINITY)
      }
    }),
  )
})
