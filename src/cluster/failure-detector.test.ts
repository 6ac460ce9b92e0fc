import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HeartbeatDetector } from './failure-detector.ts'

const WATCH = { heartbeat: 10, timeout: 35 }

let clock = 0

beforeEach(() => {
  clock = 1000
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Advances time by one heartbeat after the other. */
function pass(beats: number, each = () => {}): void {
  for (let i = 0; i < beats; i++) {
    clock += WATCH.heartbeat
    vi.advanceTimersByTime(WATCH.heartbeat)
    each()
  }
}

function watching(links: readonly number[]) {
  const told: string[] = []
  const beats = new Map<number, number>()
  const detector = new HeartbeatDetector(links, WATCH, {
    sendHeartbeat: (link) => beats.set(link, (beats.get(link) ?? 0) + 1),
    down: (link, why) => told.push(`${link} down: ${why}`),
    up: (link) => told.push(`${link} up`),
    wasSuspended: () => told.push('overslept'),
  })
  return { detector, told, beats }
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
  expect(told).toEqual(['1 down: silent for 35 ms'])
})

test('suspects a neighbour once after the timeout, until a frame arrives', () => {
  const { detector, told } = watching([1, 2])
  detector.startHeartbeats()
  detector.expectHeartbeats()
  pass(30, () => detector.received(2))
  expect(told).toEqual(['1 down: silent for 35 ms'])
  expect([detector.up(1), detector.up(2)]).toEqual([false, true])
  detector.received(1)
  detector.received(1)
  expect(told).toEqual(['1 down: silent for 35 ms', '1 up'])
  expect([detector.up(1), detector.up(2)]).toEqual([true, true])
  pass(4, () => detector.received(2))
  expect(told.at(-1)).toBe('1 down: silent for 35 ms')
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
    clock += 5000
    if (found === 'tick') pass(1)
    else detector.received(1)
    expect(told).toEqual(['2 down: closed', 'overslept'])
    pass(3)
    expect(told).toHaveLength(2)
    pass(3)
    expect(told.slice(2)).toEqual(['1 down: silent for 35 ms'])
  },
)

test('a suspension shorter than the timeout has no effect', () => {
  const { detector, told } = watching([1])
  detector.startHeartbeats()
  detector.expectHeartbeats()
  clock += 20
  pass(1, () => detector.received(1))
  expect(told).toEqual([])
})
