import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { timingOf } from '../options.ts'
import { Beats } from './beats.ts'

const timing = timingOf({ lease: 1000 })

/** Two nodes, and a link with a delay between them. */
function pair(delay = 3, slower = timing) {
  const clock = new ManualClock()
  const silent: string[] = []
  const sent = { a: 0, b: 0 }
  let ticks = 0
  let cut = false
  let acts: (me: 'a' | 'b') => void = () => {}
  const beats: Record<'a' | 'b', Beats> = { a: made('a', 'b'), b: made('b', 'a') }
  function made(me: 'a' | 'b', other: 'a' | 'b'): Beats {
    return new Beats(clock, me === 'a' ? timing : slower, {
      send: (_, bytes) => {
        sent[me]++
        if (cut) return
        clock.setTimeout(() => {
          beats[other].heard(me)
          beats[other].received(me, bytes)
        }, delay)
      },
      silent: (member, why) => {
        silent.push(`${me}: ${member} ${why}`)
        beats[me].down(member)
      },
      tick: () => {
        ticks++
        acts(me)
      },
    })
  }
  beats.a.up('b')
  beats.b.up('a')
  beats.a.start()
  clock.advance(10)
  beats.b.start()
  return {
    ...{ clock, beats, silent, sent },
    ticks: () => ticks,
    onTick: (act: typeof acts) => {
      acts = act
    },
    cutOff: () => {
      cut = true
    },
  }
}

test('round trips are measured, whenever the other side answers', () => {
  const { clock, beats, silent } = pair(3)
  clock.advance(5000)
  expect(beats.a.roundTrip('b')).toBeCloseTo(6)
  expect(beats.b.roundTrip('a')).toBeCloseTo(6)
  expect(beats.a.roundTrip('x')).toBe(null)
  expect(silent).toEqual([])
})

test('a peer that is silent for longer than the timeout is suspected', () => {
  const { clock, silent, cutOff, beats } = pair()
  clock.advance(5000)
  cutOff()
  clock.advance(timing.timeout + timing.beat)
  const [first, second] = silent.toSorted()
  expect(first).toMatch(/^a: b silent for \d+ ms$/)
  expect(second).toMatch(/^b: a silent for \d+ ms$/)
  expect(beats.a.silence('b')).toBe(null)
})

test('other frames take the place of most beats', () => {
  const { clock, sent, beats, silent, onTick } = pair()
  clock.advance(100)
  const before = { ...sent }
  onTick((me) => {
    if (me !== 'a') return
    beats.a.spoken('b')
    beats.b.heard('a')
  })
  clock.advance(40 * timing.beat)
  expect(sent.a - before.a).toBe(10)
  expect(sent.b - before.b).toBe(40)
  expect(silent).toEqual([])
})

test('a frame right after a beat does not silence the next one', () => {
  const { clock, sent, beats, onTick } = pair()
  clock.advance(100)
  const before = sent.a
  onTick((me) => {
    if (me === 'a') clock.setTimeout(() => beats.a.spoken('b'), 1)
  })
  clock.advance(40 * timing.beat)
  expect(sent.a - before).toBe(40)
})

test('a process that is late blames itself, and does not take others for crashed', () => {
  const { clock, beats, silent } = pair()
  clock.advance(1000)
  clock.block(3000)
  expect(beats.a.lateNow).toBeGreaterThan(2500)
  expect(beats.a.lateness).toBeGreaterThan(2500)
  clock.advance(1)
  expect(silent).toEqual([])
  clock.advance(2000)
  expect(silent).toEqual([])
  expect(beats.a.lateness).toBe(0)
})

test('beats keep their pace, and what is aligned falls on one of them', () => {
  const { clock, beats, ticks } = pair()
  clock.advance(10 * timing.beat - 10)
  // Those of b are ten milliseconds later.
  expect(ticks()).toBe(10 + 9)
  clock.advance(60)
  expect(ticks()).toBe(10 + 10)
  const wait = beats.a.aligned(timing.beat)
  expect(wait).toBe(timing.beat - 60)
  clock.advance(wait - 1)
  expect(ticks()).toBe(10 + 10)
  clock.advance(1)
  expect(ticks()).toBe(11 + 10)
  expect(beats.a.aligned(1)).toBe(1)
  expect(beats.a.aligned(3.5 * timing.beat)).toBe(3 * timing.beat)
})

test('a peer with a longer lease beats less often, and is not suspected', () => {
  const { clock, silent, cutOff } = pair(3, timingOf({ lease: 8000 }))
  clock.advance(30_000)
  expect(silent).toEqual([])
  cutOff()
  clock.advance(8000)
  expect(silent.some((text) => text.startsWith('a: b'))).toBe(true)
})

test.each([1, 60, 120, 130, 190, 249])('beats fall into step from a phase of %i ms', (phase) => {
  const delay = 2
  const clock = new ManualClock()
  const times: Record<'a' | 'b', number[]> = { a: [], b: [] }
  const made = (me: 'a' | 'b', tick: () => void) =>
    new Beats(clock, timing, {
      send: () => {},
      silent: () => {},
      tick: () => {
        times[me].push(clock.now())
        tick()
      },
    })
  const b = made('b', () => {})
  const a = made('a', () => clock.setTimeout(() => b.paced('a'), delay))
  b.follow('a')
  a.start()
  clock.advance(phase)
  b.start()
  clock.advance(20 * timing.beat - phase)
  expect(times.b.slice(-8)).toEqual(times.a.slice(-9, -1).map((time) => time + delay))
  a.stop()
  clock.advance(10 * timing.beat)
  const intervals = times.b.slice(1).map((time, i) => time - times.b[i])
  expect(Math.max(...intervals)).toBeLessThanOrEqual(timing.beat * (1 + 1 / 8) + 1)
  expect(intervals.at(-1)).toBe(timing.beat)
})
