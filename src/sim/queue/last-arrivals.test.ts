import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LastArrivals } from './arrivals.ts'

it('no message arrives before one that was sent earlier over its channel', () => {
  const channel = fc.oneof(
    fc.nat(50),
    fc.nat(5000).map((i) => i * 2 ** 32 + 7),
    fc.maxSafeNat(),
  )
  const sends = fc.array(fc.tuple(channel, fc.nat(3), fc.nat(40)), { size: 'max', maxLength: 4000 })
  fc.assert(
    fc.property(sends, (sent) => {
      const arrivals = new LastArrivals()
      const last = new Map<number, number>()
      let now = 0
      for (const [to, passed, delay] of sent) {
        now += passed / 8
        const expected = Math.max(last.get(to) ?? 0, now + delay / 4)
        expect(arrivals.next(to, now + delay / 4, now)).toBe(expected)
        last.set(to, expected)
      }
    }),
    { numRuns: 20 },
  )
})

it('forgets what is over: many channels take the room of those in use', () => {
  const arrivals = new LastArrivals()
  for (let i = 0; i < 200_000; i++) arrivals.next(i * 1e9, i + 100, i)
  expect(Object.values(arrivals).find((it) => it instanceof Float64Array)!.length).toBe(1024)
})
