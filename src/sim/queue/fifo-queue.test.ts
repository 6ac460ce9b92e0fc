import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FifoQueue } from './fifo-queue.ts'

it('holds what a list holds, however long it gets', () => {
  const steps = fc.array(fc.oneof(fc.constant('take' as const), fc.nat(40)), { maxLength: 200 })
  fc.assert(
    fc.property(steps, (taken) => {
      const line = new FifoQueue()
      const list: { time: number; value: number }[] = []
      let [time, unseen] = [0, 0]
      for (const [value, step] of taken.entries()) {
        if (step !== 'take') {
          time += step / 8
          line.add(time, value)
          list.push({ time, value })
        } else if (list.length > 0) {
          const shown = Array.from({ length: line.unseen(5) }, (_, i) => line.ahead(i))
          if (unseen === 0) {
            unseen = Math.min(5, list.length)
            expect(shown).toEqual(list.slice(0, 5).map((it) => it.value))
          } else expect(shown).toEqual([])
          unseen--
          expect(line.take()).toBe(list.shift()?.value)
        }
        const held: number[] = []
        line.each((it) => held.push(it))
        expect(held).toEqual(list.map((it) => it.value))
        expect(line.first).toBe(list[0]?.time ?? Number.POSITIVE_INFINITY)
      }
    }),
  )
})
