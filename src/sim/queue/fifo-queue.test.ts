import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FifoQueue } from './bucket-queue.ts'

const steps = fc.array(fc.oneof(fc.constant('take' as const), fc.nat(40)), {
  maxLength: 200,
  size: 'max',
})

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
