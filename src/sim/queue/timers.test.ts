import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TimerQueue } from './timeline.ts'

const KINDS = 2
const NODES = 3

describe('timers', () => {
  it('fire by time and in the order they were set, whichever are set again or cleared', () => {
    const node = fc.nat(NODES - 1)
    const kind = fc.nat(KINDS - 1)
    const step = fc.oneof(
      fc.record({ do: fc.constant('set' as const), node, kind, time: fc.nat(6) }),
      fc.record({ do: fc.constant('set' as const), node, kind, time: fc.nat(24) }),
      fc.record({ do: fc.constant('clear' as const), node, kind }),
      fc.record({ do: fc.constant('clear all' as const), node }),
      fc.record({ do: fc.constant('take' as const) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (script) => {
        const timers = new TimerQueue(NODES, KINDS)
        /** By timer: when it fires and when it was set. */
        const model = new Map<number, { time: number; turn: number }>()
        const next = () =>
          [...model].sort(([, a], [, b]) => a.time - b.time || a.turn - b.turn).at(0)
        for (const [turn, one] of script.entries()) {
          if (one.do === 'set') {
            timers.set(one.node, one.kind, one.time)
            model.set(one.node * KINDS + one.kind, { time: one.time, turn })
          } else if (one.do === 'clear') {
            timers.clear(one.node, one.kind)
            model.delete(one.node * KINDS + one.kind)
          } else if (one.do === 'clear all') {
            timers.clearAll(one.node)
            for (let k = 0; k < KINDS; k++) model.delete(one.node * KINDS + k)
          } else if (model.size > 0) {
            const [place, { time }] = next()!
            expect(timers.first).toBe(time)
            expect(timers.take()).toBe(place)
            model.delete(place)
          }
          expect(timers.size).toBe(model.size)
          expect(timers.first).toBe(next()?.[1].time ?? Number.POSITIVE_INFINITY)
        }
      }),
    )
  })

  it('beyond 2^53 never fire', () => {
    const timers = new TimerQueue(1, 1)
    timers.set(0, 0, 2 ** 53)
    expect([timers.size, timers.first]).toEqual([0, Number.POSITIVE_INFINITY])
    timers.set(0, 0, 2 ** 53 - 1)
    timers.set(0, 0, Number.POSITIVE_INFINITY)
    expect([timers.size, timers.first]).toEqual([0, Number.POSITIVE_INFINITY])
    timers.set(0, 0, 2 ** 53 - 1)
    expect([timers.size, timers.first]).toEqual([1, 2 ** 53 - 1])
  })

  it('are not there where an algorithm has none', () => {
    const timers = new TimerQueue(5, 0)
    timers.clearAll(3)
    expect([timers.size, timers.first]).toEqual([0, Number.POSITIVE_INFINITY])
  })
})
