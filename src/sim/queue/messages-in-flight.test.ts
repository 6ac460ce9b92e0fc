import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { play, type Staging } from '../../../test/support/simulation-fixture.ts'
import { algorithm } from '../../core/language/algorithm.ts'
import { list } from '../../core/language/collections.ts'
import { message } from '../../core/language/message.ts'
import { left, right } from '../../core/language/net.ts'
import type { Theory } from '../../core/language/theory.ts'
import { flag, maybe, nat, oneOf, real, uid } from '../../core/language/value-types.ts'
import { Random } from '../../core/runtime/random.ts'
import type { TraceEvent } from '../../core/trace/trace-event.ts'
import type { Delay } from '../conditions.ts'

const theory: Theory = {
  ...{ authors: '', idea: '', because: '', breaks: '', example: '', cost: '' },
  bounds: [],
}

const HOP = message({ left: nat })
const COPIES = 3
const HOPS = 4

/** Every initiator sends some messages both ways; each of them goes a few steps round the ring. */
const relay = algorithm({
  name: 'relay',
  needs: { topology: 'ring' },
  messages: { HOP },
  state: {},
  wakes: false,
  start(_, net) {
    for (let i = 0; i < COPIES; i++) net.sendAll(HOP, { left: HOPS })
  },
  on: {
    HOP(_, { left: rest }, net) {
      if (rest > 0) net.send(net.onward, HOP, { left: rest - 1 })
    },
  },
  theory,
})

interface Receipt {
  readonly at: number
  readonly node: number
  readonly message: number
}

type World = Required<Pick<Staging, 'n' | 'delay' | 'fifo' | 'starts' | 'seed'>>

/** A reference queue: a list that is sorted at every access. */
function foretold({ n, delay, fifo, starts, seed }: World): Receipt[] {
  const stream = Random.from(seed).split('delays')
  const flights: (Receipt & { link: number; rest: number })[] = []
  const lastArrival = new Map<string, number>()
  const awake = new Set<number>()
  const receipts: Receipt[] = []
  let sent = 0

  const takes = (): number => {
    if (delay.model === 'constant') return delay.delay
    if (delay.model === 'exponential') return stream.exponential(delay.mean)
    if (delay.model !== 'uniform') throw new Error(`${delay.model} is not foretold here`)
    return delay.from + (delay.to > delay.from ? stream.below(delay.to - delay.from + 1) : 0)
  }
  const send = (from: number, link: number, rest: number, now: number) => {
    const channel = `${from} ${link}`
    const sum = now + takes()
    // Constant delays add up as decimals do, as long as the clock is fine enough.
    const soon = delay.model === 'constant' && sum <= 1e6 ? Number(sum.toFixed(9)) : sum
    const after = soon > now ? soon : now + now * Number.EPSILON
    const arrival = Math.max(after, fifo ? (lastArrival.get(channel) ?? 0) : 0)
    lastArrival.set(channel, arrival)
    const node = (from + (link === left ? 1 : n - 1)) % n
    flights.push({ at: arrival, node, message: sent++, link: link === left ? right : left, rest })
  }
  const soonest = () => Math.min(...flights.map(({ at }) => at), ...waiting.map(([, time]) => time))

  let waiting = starts.toSorted(([a, at], [b, bt]) => at - bt || a - b)
  for (let now = soonest(); now < Number.POSITIVE_INFINITY; now = soonest()) {
    const due = flights.filter(({ at }) => at === now).sort((a, b) => a.message - b.message)
    for (const { at, node, message, link, rest } of due) {
      flights.splice(
        flights.findIndex((flight) => flight.message === message),
        1,
      )
      receipts.push({ at, node, message })
      awake.add(node)
      if (rest > 0) send(node, link === left ? right : left, rest - 1, now)
    }
    for (const [node] of waiting.filter(([, time]) => time === now)) {
      if (awake.has(node)) continue
      awake.add(node)
      for (let i = 0; i < COPIES; i++) for (const link of [left, right]) send(node, link, HOPS, now)
    }
    waiting = waiting.filter(([, time]) => time > now)
  }
  return receipts
}

function received(events: readonly TraceEvent[]): Receipt[] {
  return events.flatMap((event) =>
    event.event === 'receive' ? [{ at: event.at, node: event.node, message: event.message }] : [],
  )
}

const constant = (delays: fc.Arbitrary<number>) =>
  delays.map((delay): Delay => ({ model: 'constant', delay }))
const delays: fc.Arbitrary<Delay> = fc.oneof(
  constant(fc.constantFrom(1, 2, 7, 65535, 65536, 1e9)),
  constant(fc.constantFrom(0.1, 0.25, 0.5, 1.5, 3.75)),
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom(0, 1, 9, 65530, 70000, 5_000_000))
    .map(([from, more]): Delay => ({ model: 'uniform', from, to: from + more })),
  fc.constantFrom(0.01, 1, 250, 1e8).map((mean): Delay => ({ model: 'exponential', mean })),
)
const moments = fc.oneof(
  fc.nat(6),
  fc.nat(24).map((quarters) => quarters / 4),
  fc.constantFrom(2 ** 31 - 2, 2 ** 31, 2 ** 32 + 1, 2 ** 40, 2 ** 40 + 0.5),
)
const worlds: fc.Arbitrary<World> = fc.integer({ min: 1, max: 5 }).chain((n) =>
  fc.record({
    n: fc.constant(n),
    delay: delays,
    fifo: fc.boolean(),
    seed: fc.nat(1000),
    starts: fc
      .uniqueArray(fc.nat(n - 1), { minLength: 1 })
      .chain((nodes) =>
        fc.tuple(...nodes.map((node) => moments.map((time) => [node, time] as const))),
      ),
  }),
)

describe('messages in flight', () => {
  it('arrive when and in the order that a sorted list says, near or far, whole or not', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { events, ending } = play(relay, world)
        expect(received(events)).toEqual(foretold(world))
        expect(ending).toBe('quiet')
      }),
      { numRuns: campaign(3000) },
    )
  })

  it('never overtake on a link that keeps the order, and do on one that does not', () => {
    const world = { n: 3, delay: { model: 'uniform', from: 1, to: 50 }, seed: 3 } as const
    const overtakings = (fifo: boolean) => {
      const { events } = play(relay, { ...world, fifo, starts: [[0, 0]] })
      const last = new Map<string, number>()
      let count = 0
      for (const event of events) {
        if (event.event !== 'receive') continue
        const channel = `${event.from} ${event.link}`
        if (event.message < (last.get(channel) ?? -1)) count++
        last.set(channel, event.message)
      }
      return count
    }
    expect(overtakings(true)).toBe(0)
    expect(overtakings(false)).toBeGreaterThan(0)
  })

  it('arrive even if they take less time than the clock can show', () => {
    const delay = { model: 'constant', delay: 1e-20 } as const
    const { events, simulation } = play(relay, { n: 3, delay, starts: [[0, 5]] })
    expect(received(events)).toHaveLength(simulation.counters.total)
    expect(simulation.counters.total).toBe(2 * COPIES * (HOPS + 1))
  })

  it('all arrive once', () => {
    const { events, simulation } = play(relay, {
      n: 5,
      delay: { model: 'exponential', mean: 3 },
      fifo: false,
    })
    const numbers = received(events).map(({ message: number }) => number)
    expect(numbers.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: simulation.counters.total }, (_, i) => i),
    )
  })
})

describe('bodies in flight', () => {
  const MIXED = message({
    id: uid,
    count: nat,
    weight: real,
    first: flag,
    side: oneOf('left', 'right', 'both'),
    owner: maybe(uid),
    path: list(nat),
  })
  const NARROW = message({ id: uid, owner: maybe(nat) })

  const naturals = fc.oneof(
    fc.nat(100),
    fc.maxSafeNat(),
    fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1),
  )
  const mixed = fc.record({
    id: naturals,
    count: naturals,
    weight: fc.double().map((number) => number + 0),
    first: fc.boolean(),
    side: fc.constantFrom('left', 'right', 'both'),
    owner: fc.option(naturals),
    path: fc.array(naturals, { maxLength: 3 }),
  })
  const narrow = fc.record({ id: naturals, owner: fc.option(naturals) })

  /** Node 0 sends these bodies; what its neighbour got, by the number of the message. */
  function delivered<B extends object>(
    kind: typeof MIXED | typeof NARROW,
    bodies: B[],
    delay: Delay,
  ) {
    const arrived: B[] = []
    const mailer = algorithm({
      name: 'mailer',
      needs: { topology: 'ring' },
      messages: { BODY: kind },
      state: {},
      wakes: false,
      start(_, net) {
        for (const body of bodies) net.send(left, kind, body as never)
      },
      on: { BODY: (_, body) => void arrived.push(structuredClone(body) as B) },
      theory,
    })
    const { events } = play(mailer, { n: 2, starts: [[0, 0]], delay, fifo: false })
    return { arrived, numbers: received(events).map(({ message: number }) => number) }
  }

  it.each([
    ['of all sorts', MIXED, mixed],
    ['of whole numbers, with or without 32 bits', NARROW, narrow],
  ] as const)('%s arrive as they were sent', (_, kind, arbitrary) => {
    const bodies = fc.array<object>(arbitrary as fc.Arbitrary<object>, { maxLength: 30 })
    fc.assert(
      fc.property(bodies, delays, (sent, delay) => {
        const { arrived, numbers } = delivered(kind, sent, delay)
        expect(arrived).toEqual(numbers.map((number) => sent[number]))
        expect(arrived).toHaveLength(sent.length)
      }),
    )
  })

  it('keep minus nothing, infinity and what is no number', () => {
    const base = { id: 0, count: 0, first: false, side: 'left', owner: null, path: [] }
    const weights = [-0, 0, Number.NaN, Number.POSITIVE_INFINITY, Number.MIN_VALUE]
    const bodies = weights.map((weight) => ({ ...base, weight }))
    expect(delivered(MIXED, bodies, { model: 'constant', delay: 1 }).arrived).toEqual(bodies)
  })

  it('that the sender changes afterwards do not change on their way', () => {
    const path = [1]
    const arrived: number[][] = []
    const LIST = message({ path: list(nat) })
    const changing = algorithm({
      name: 'changing',
      needs: { topology: 'ring' },
      messages: { LIST },
      state: {},
      wakes: false,
      start(_, net) {
        net.send(left, LIST, { path })
        path.push(2)
        net.send(left, LIST, { path })
      },
      on: { LIST: (_, body) => void arrived.push([...body.path]) },
      theory,
    })
    play(changing, { n: 2, starts: [[0, 0]] })
    expect(arrived).toEqual([[1], [1, 2]])
  })
})
