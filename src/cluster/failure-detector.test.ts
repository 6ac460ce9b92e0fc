import { beforeEach, expect, test } from 'vitest'
import type { Clock } from './clock.ts'
import { HeartbeatDetector } from './failure-detector.ts'

const WATCH = { heartbeat: 10, timeout: 35 }

/** A clock that stands still unless the test moves it; at most one timer is set. */
class TestClock implements Clock {
  time = 1000
  private timer: { readonly due: number; readonly run: () => void } | null = null

  now(): number {
    return this.time
  }

  elapsed(): number {
    return this.time
  }

  setTimeout(run: () => void, milliseconds: number): void {
    this.timer = { due: this.time + milliseconds, run }
  }

  clearTimeout(): void {
    this.timer = null
  }

  /** Lets time pass; a timer that is due then fires, as late as it is. */
  pass(milliseconds: number): void {
    this.time += milliseconds
    const { timer } = this
    if (timer === null || timer.due > this.time) return
    this.timer = null
    timer.run()
  }
}

let clock = new TestClock()
/** What must wait until frames that have arrived were received. */
let waiting: (() => void)[] = []

beforeEach(() => {
  clock = new TestClock()
  waiting = []
})

/** Advances time by one heartbeat after the other; `each` receives what arrived meanwhile. */
function pass(beats: number, each = () => {}, milliseconds = WATCH.heartbeat): void {
  for (let i = 0; i < beats; i++) {
    clock.pass(milliseconds)
    each()
    for (const run of waiting.splice(0)) run()
  }
}

function watching(links: readonly number[], watch = WATCH) {
  const told: string[] = []
  const dropped: number[] = []
  const beats = new Map<number, number>()
  const detector = new HeartbeatDetector(
    links,
    watch,
    {
      sendHeartbeat: (link) => beats.set(link, (beats.get(link) ?? 0) + 1),
      down: (link, why) => told.push(`${link} down: ${why}`),
      up: (link) => told.push(`${link} up`),
      drop: (link) => dropped.push(link),
      wasSuspended: () => told.push('overslept'),
    },
    clock,
    (run) => waiting.push(run),
  )
  return { detector, told, beats, dropped }
}

test('sends heartbeats over every link until it is stopped', () => {
  const { detector, beats } = watching([1, 2])
  detector.startHeartbeats()
  pass(7)
  expect([...beats]).toEqual([
    [1, 7],
    [2, 7],
  ])
  detector.stop()
  pass(5)
  expect(beats.get(1)).toBe(7)
})

test('frames before heartbeats are expected do not report a suspension', () => {
  const { detector, told } = watching([1, 2])
  detector.startHeartbeats()
  pass(10, () => detector.received(1))
  detector.received(2)
  detector.expectHeartbeats()
  pass(3)
  expect(told).toEqual([])
})

test('suspects no neighbour before heartbeats are expected', () => {
  const { detector, told } = watching([1])
  detector.startHeartbeats()
  pass(20)
  expect(told).toEqual([])
  detector.expectHeartbeats()
  pass(3)
  expect(told).toEqual([])
  pass(1)
  expect(told).toEqual(['1 down: silent for 40 ms'])
})

test('suspects a neighbour once after the timeout, until a frame arrives', () => {
  const { detector, told } = watching([1, 2])
  detector.startHeartbeats()
  detector.expectHeartbeats()
  pass(30, () => detector.received(2))
  expect(told).toEqual(['1 down: silent for 40 ms'])
  expect([detector.up(1), detector.up(2)]).toEqual([false, true])
  detector.received(1)
  detector.received(1)
  expect(told).toEqual(['1 down: silent for 40 ms', '1 up'])
  expect([detector.up(1), detector.up(2)]).toEqual([true, true])
  pass(4, () => detector.received(2))
  expect(told.at(-1)).toBe('1 down: silent for 40 ms')
})

test('a closed connection is reported at once, and its silence not again', () => {
  const { detector, told } = watching([1])
  detector.startHeartbeats()
  detector.expectHeartbeats()
  detector.linkBroke(1, 'closed')
  detector.linkBroke(1, 'closed again')
  pass(20)
  expect(told).toEqual(['1 down: closed'])
})

test.each(['tick', 'message'])(
  'a suspended process recovers and suspects no neighbour, noticed by a %s',
  (found) => {
    const { detector, told } = watching([1, 2])
    detector.startHeartbeats()
    detector.expectHeartbeats()
    detector.linkBroke(2, 'closed')
    pass(2, () => detector.received(1))
    clock.time += 5000
    if (found === 'tick') pass(1)
    else detector.received(1)
    expect(told).toEqual(['2 down: closed', 'overslept'])
    pass(3)
    expect(told).toHaveLength(2)
    pass(3)
    expect(told.slice(2)).toEqual(['1 down: silent for 40 ms'])
  },
)

test('a suspension shorter than the timeout has no effect', () => {
  const { detector, told } = watching([1])
  detector.startHeartbeats()
  detector.expectHeartbeats()
  clock.time += 20
  pass(1, () => detector.received(1))
  expect(told).toEqual([])
})

test('a silent connection is dropped, and the next one too if nothing comes over it', () => {
  const { detector, told, dropped, beats } = watching([1])
  detector.startHeartbeats()
  detector.expectHeartbeats()
  pass(4)
  expect([told, dropped]).toEqual([['1 down: silent for 40 ms'], [1]])
  pass(2)
  const before = beats.get(1)!
  detector.connected(1)
  expect(beats.get(1)).toBe(before + 1)
  pass(3)
  expect(dropped).toEqual([1])
  pass(1)
  expect([told, dropped]).toEqual([['1 down: silent for 40 ms'], [1, 1]])
})

test('frames that have arrived count before silence does', () => {
  const { detector, told } = watching([1])
  detector.startHeartbeats()
  detector.expectHeartbeats()
  pass(3)
  pass(1, () => detector.received(1))
  expect(told).toEqual([])
})

test('a late process says so, sends less and waits longer, until it is in time again', () => {
  const { detector, told, beats } = watching([1, 2])
  detector.startHeartbeats()
  detector.expectHeartbeats()
  pass(1, () => detector.received(2), 30)
  expect(detector.lateness).toBe(20)
  const sent = beats.get(1)!
  pass(2, () => detector.received(2))
  expect(beats.get(1)).toBe(sent)
  pass(2, () => detector.received(2))
  expect(told).toEqual([])
  pass(60, () => detector.received(2))
  expect(told).toEqual([expect.stringMatching(/^1 down: silent for (70|80|90) ms$/)])
  expect(detector.lateness).toBeLessThan(10)
})

test('a neighbour that is late gets more time, but not for ever', () => {
  const { detector, told } = watching([1, 2])
  detector.startHeartbeats()
  detector.expectHeartbeats()
  detector.received(1, 20)
  detector.received(2, 10 ** 6)
  pass(7)
  expect(told).toEqual([])
  pass(1)
  expect(told).toEqual(['1 down: silent for 80 ms'])
  pass(10)
  expect(told[1]).toBe('2 down: silent for 180 ms')
})

test('heartbeats to many neighbours are rarer, but three within the timeout', () => {
  const many = watching(
    Array.from({ length: 20 }, (_, i) => i),
    { heartbeat: 10, timeout: 300 },
  )
  many.detector.startHeartbeats()
  pass(24)
  expect(many.beats.get(0)).toBe(3)
  const more = watching(
    Array.from({ length: 200 }, (_, i) => i),
    { heartbeat: 10, timeout: 300 },
  )
  more.detector.startHeartbeats()
  pass(30)
  expect(more.beats.get(0)).toBe(3)
})
