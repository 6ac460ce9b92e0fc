import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { run as changRoberts } from './floor-chang-roberts.js'
import { Delays } from './floor-delays.js'
import { run as hirschbergSinclair } from './floor-hirschberg-sinclair.js'

const numbers = Array.from({ length: 40 }, (_, i) => i + 1)
const rings = fc.shuffledSubarray(numbers, { minLength: 1 })
const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 })

/** Steps from a position to the first larger id; beyond every reach for the largest. */
function stepsToLarger(ids: number[], from: number, direction: number): number {
  const n = ids.length
  for (let step = 1; step < n; step++)
    if (ids[(from + direction * step + step * n) % n] > ids[from]) return step
  return Number.POSITIVE_INFINITY
}

const sum = (terms: number[]) => terms.reduce((total, each) => total + each, 0)
const binaryLength = (value: number) => value.toString(2).length

interface Packet {
  to: number
  /** 1 towards the next position, -1 towards the one before. */
  direction: number
  kind: string
  id: number
  phase: number
  hops: number
}
type Send = (from: number, packet: Omit<Packet, 'to'>) => void

/** The conventions told a second time, with objects and a sorted queue: the times must agree. */
function simulate(
  n: number,
  seed: number,
  start: (me: number, send: Send) => void,
  on: (packet: Packet, send: Send, now: number) => void,
) {
  const delays = new Delays(seed)
  const lastArrival = new Map<string, number>()
  const queue: { time: number; packet: Packet }[] = []
  let now = 0
  const send: Send = (from, packet) => {
    const link = `${from} ${packet.direction}`
    const time = Math.max(now + delays.draw(), lastArrival.get(link) ?? 0)
    lastArrival.set(link, time)
    const later = queue.findIndex((event) => event.time > time)
    const to = (from + packet.direction + n) % n
    queue.splice(later < 0 ? queue.length : later, 0, { time, packet: { ...packet, to } })
  }
  for (let me = 0; me < n; me++) start(me, send)
  for (let event = queue.shift(); event; event = queue.shift()) {
    now = event.time
    on(event.packet, send, now)
  }
  return now
}

function simulateChangRoberts(ids: number[], seed: number) {
  let elected = -1
  const say = (kind: string, id: number) => ({ direction: 1, kind, id, phase: 0, hops: 0 })
  const last = simulate(
    ids.length,
    seed,
    (me, send) => send(me, say('election', ids[me])),
    ({ to: me, kind, id }, send, now) => {
      if (id === ids[me] && kind === 'election') {
        elected = now
        send(me, say('leader', id))
      } else if (id > ids[me]) send(me, say(kind, id))
    },
  )
  return { elected, last }
}

function simulateHirschbergSinclair(ids: number[], seed: number) {
  let elected = -1
  const heard = new Set<string>()
  const probeBothWays = (me: number, phase: number, send: Send) => {
    for (const direction of [1, -1])
      send(me, { direction, kind: 'probe', id: ids[me], phase, hops: 1 })
  }
  const last = simulate(
    ids.length,
    seed,
    (me, send) => probeBothWays(me, 0, send),
    (packet, send, now) => {
      const { to: me, direction, kind, id, phase, hops } = packet
      const mine = id === ids[me]
      if (kind === 'probe' && id > ids[me]) {
        if (hops < 2 ** phase) send(me, { ...packet, hops: hops + 1 })
        else send(me, { ...packet, kind: 'reply', direction: -direction })
      }
      if (kind === 'probe' && mine && elected < 0) {
        elected = now
        send(me, { ...packet, kind: 'leader', direction: 1 })
      }
      if (kind !== 'probe' && !mine) send(me, packet)
      if (kind === 'reply' && mine) {
        heard.add(`${id} ${phase} ${direction}`)
        if (heard.has(`${id} ${phase} ${-direction}`)) probeBothWays(me, phase + 1, send)
      }
    },
  )
  return { elected, last }
}

describe('the delays', () => {
  test('are the integers 1 to 10, each about as often', () => {
    const delays = new Delays(7)
    const draws = 100_000
    const seen = new Array<number>(11).fill(0)
    for (let i = 0; i < draws; i++) seen[delays.draw()]++
    expect(seen[0]).toBe(0)
    expect(sum(seen.slice(1))).toBe(draws)
    const deviation = Math.sqrt(draws * 0.1 * 0.9)
    for (const count of seen.slice(1))
      expect(Math.abs(count - draws / 10)).toBeLessThan(5 * deviation)
  })

  test('differ by seed and come again with it', () => {
    const sequence = (seed: number) => {
      const delays = new Delays(seed)
      return Array.from({ length: 50 }, () => delays.draw()).join()
    }
    const all = Array.from({ length: 100 }, (_, seed) => sequence(seed))
    expect(new Set(all).size).toBe(100)
    expect(sequence(42)).toBe(all[42])
  })
})

describe('the floor of Chang-Roberts', () => {
  test('needs n(n+1)/2 election messages on the decreasing ring', () => {
    const ids = Int32Array.from({ length: 1000 }, (_, i) => 1000 - i)
    expect(changRoberts(ids, 1)).toMatchObject({ election: 500_500, leader: 1000, leaderNode: 0 })
  })

  test('carries each id to the first larger one, whatever the delays', () => {
    fc.assert(
      fc.property(rings, seeds, (ids, seed) => {
        const trips = ids.map((_, me) => Math.min(stepsToLarger(ids, me, 1), ids.length))
        expect(changRoberts(Int32Array.from(ids), seed)).toMatchObject({
          election: sum(trips),
          leader: ids.length,
          leaderNode: ids.indexOf(Math.max(...ids)),
        })
      }),
    )
  })

  test('keeps the order of links and of moments', () => {
    fc.assert(
      fc.property(rings, seeds, (ids, seed) => {
        const times = simulateChangRoberts(ids, seed)
        expect(changRoberts(Int32Array.from(ids), seed)).toMatchObject(times)
      }),
    )
  })
})

describe('the floor of Hirschberg-Sinclair', () => {
  test.each([
    [[7], 2, 0],
    [[1, 2], 8, 2],
    [[3, 2, 7, 8, 5, 4, 1, 6], 55, 24],
    [[1, 5, 3, 7, 2, 6, 4, 8], 64, 24],
  ])('on %j sends %i probes and %i replies under any delays', (ids, probe, reply) => {
    for (let seed = 0; seed < 100; seed++)
      expect(hirschbergSinclair(Int32Array.from(ids), seed)).toMatchObject({
        probe,
        reply,
        leader: ids.length,
        leaderNode: ids.indexOf(Math.max(...ids)),
      })
  })

  test('sends what the distances to larger ids ask for, in messages and in bits', () => {
    fc.assert(
      fc.property(rings, seeds, (ids, seed) => {
        const expected = { probe: 0, reply: 0, natBits: 0 }
        for (const me of ids.keys()) {
          const free = [1, -1].map((direction) => stepsToLarger(ids, me, direction))
          for (let phase = 0; ; phase++) {
            const home = 2 ** phase >= ids.length
            const trips = free.map((steps) => Math.min(steps, 2 ** phase, ids.length))
            const replied = free.filter((steps) => steps > 2 ** phase && !home)
            expected.probe += sum(trips)
            expected.reply += replied.length * 2 ** phase
            expected.natBits += binaryLength(phase) * (sum(trips) + replied.length * 2 ** phase)
            for (const trip of trips)
              for (let hop = 1; hop <= trip; hop++) expected.natBits += binaryLength(hop)
            if (replied.length < 2) break
          }
        }
        expect(hirschbergSinclair(Int32Array.from(ids), seed)).toMatchObject(expected)
      }),
    )
  })

  test('keeps the order of links and of moments', () => {
    fc.assert(
      fc.property(rings, seeds, (ids, seed) => {
        const times = simulateHirschbergSinclair(ids, seed)
        expect(hirschbergSinclair(Int32Array.from(ids), seed)).toMatchObject(times)
      }),
    )
  })
})
