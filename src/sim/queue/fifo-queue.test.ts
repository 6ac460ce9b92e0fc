import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FifoQueue } from './fifo-queue.ts'
import { overflowQueue } from './overflow-queue.ts'

const steps = fc.array(fc.oneof(fc.constant('take' as const), fc.nat(40)), { maxLength: 200 })

it('holds what a list holds, however long it gets', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const line = new FifoQueue()
      const list: { time: number; value: number }[] = []
      let time = 0
      for (const [value, step] of taken.entries()) {
        if (step !== 'take') {
          time += step / 8
          line.add(time, value)
          list.push({ time, value })
        } else if (list.length > 0) expect(line.take()).toBe(list.shift()?.value)
        expect(line.first).toBe(list[0]?.time ?? Number.POSITIVE_INFINITY)
      }
    }),
  )
})

it.each([true, false])('slots of records are taken in order of time, in order: %s', (ordered) => {
  const stride = 3
  fc.assert(
    fc.property(steps, (taken) => {
      const queue = overflowQueue(stride, 2 * stride, ordered)
      // The storage of the records: each has its number in its slot.
      let cells = Array<number>(2 * stride).fill(-1)
      const list: { time: number; record: number }[] = []
      let [now, seen] = [0, 0]
      for (const [record, step] of taken.entries()) {
        if (step !== 'take') {
          // Where they come in order, many have the same time.
          if (ordered) now += step / 40
          const time = ordered ? Math.floor(now) + 0.5 : now + step / 8
          if (queue.full) {
            expect(list.length * stride).toBe(cells.length)
            const head = queue.grow()
            const room = Array<number>(cells.length).fill(-1)
            cells = [...cells.slice(head), ...cells.slice(0, head), ...room]
          }
          const at = queue.add(time)
          expect(at % stride).toBe(0)
          expect(at).toBeLessThan(cells.length)
          cells[at] = record
          const place = list.findLastIndex((it) => it.time <= time) + 1
          list.splice(place, 0, { time, record })
        } else if (list.length > 0) {
          if (ordered) {
            const shown = Array.from({ length: queue.unseen(5) }, (_, i) => cells[queue.ahead(i)])
            if (seen === 0) seen = Math.min(5, list.length)
            else expect(shown).toEqual([])
            for (const [i, it] of shown.entries()) expect(it).toBe(list[i].record)
            seen--
          }
          const { time, record } = list.shift()!
          expect(queue.first).toBe(time)
          expect(cells[queue.take()]).toBe(record)
          if (!ordered) now = time
        }
        const held: number[] = []
        queue.each((at) => held.push(cells[at]))
        expect(held.toSorted((a, b) => a - b)).toEqual(
          list.map((it) => it.record).toSorted((a, b) => a - b),
        )
        expect(queue.first).toBe(list[0]?.time ?? Number.POSITIVE_INFINITY)
      }
    }),
  )
})
