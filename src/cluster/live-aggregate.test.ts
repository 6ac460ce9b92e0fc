import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Aggregation,
  aggregations,
  bully,
  byMessages,
  gossip,
  lcr,
} from '../algorithms/index.ts'
import { largest, network, Random, smallest } from '../core/index.ts'
import type { AggregateOptions } from './aggregates.ts'
import type { LiveAggregate } from './live-aggregate.ts'
import { memberOptionsOf, runInMemory } from './local-cluster.ts'
import { Member } from './member.ts'
import type { MemberOptions } from './member-options.ts'
import { type MemoryTransport, memoryNetwork } from './transports/memory.ts'

const PERIOD = 10
const WATCH = { heartbeat: 50, timeout: 200 }

beforeEach(() => {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance']
  vi.useFakeTimers({ toFake: toFake as never })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Members of a bully election with failure detectors, on a complete network. */
async function assembly(n: number, seed = 1, more: Partial<MemberOptions> = {}) {
  const random = Random.from(seed)
  const topology = network(`complete:${n}`, { random })
  const ids = Float64Array.from({ length: n }, (_, node) => node + 1)
  const world = { algorithm: bully, topology, ids, params: { patience: 2 } }
  const transports: MemoryTransport[] = memoryNetwork(topology, random.split('order'))
  const members = transports.map((transport, position) => {
    const coins = random.split(`coins ${position}`)
    const options = {
      ...memberOptionsOf(world, position),
      transport,
      random: coins,
      failureDetector: WATCH,
    }
    return new Member({ ...options, ...more })
  })
  const open = () => Promise.all(members.map((member) => member.open()))
  return { members, open }
}

/** Delivers all frames in flight; a turn of the event loop delivers one. */
async function arrivals(): Promise<void> {
  for (let turn = 0; turn < 300; turn++) await new Promise(setImmediate)
}

/** Advances time in steps, so that exchanges overlap; at the end no frame is in flight. */
async function pass(periods: number): Promise<void> {
  for (let half = 0; half < 2 * periods; half++) {
    vi.advanceTimersByTime(PERIOD / 2)
    for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate)
  }
  await arrivals()
}

function offers(
  members: readonly Member[],
  name: string | Aggregation,
  values: readonly number[],
  more: Omit<AggregateOptions, 'value'> = {},
): LiveAggregate[] {
  return members.map((member, node) =>
    member.aggregate(name, { value: () => values[node], period: PERIOD, epoch: 0, ...more }),
  )
}

/** Averages are right up to rounding. */
function rounded(found: object): object {
  return Object.fromEntries(
    Object.entries(found).map(([name, value]) => [
      name,
      name === 'shares' ? value.map((share: number) => expect.closeTo(share, 6)) : value,
    ]),
  )
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
const estimates = (all: readonly LiveAggregate[]) => all.map(({ estimate }) => estimate!)

describe('an aggregate beside an election', () => {
  it('keeps the sum for all values, also when exchanges overlap', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 12 }),
        async (values, seed, periods) => {
          const { members, open } = await assembly(values.length, seed)
          const averages = offers(members, 'average', values)
          await open()
          await pass(periods)
          expect(sum(averages.map(({ counts }) => counts.total))).toBe(
            sum(averages.map(({ counts }) => counts.received)),
          )
          expect(sum(averages.map(({ counts }) => counts.total))).toBeGreaterThan(0)
          expect(sum(estimates(averages))).toBeCloseTo(sum(values), 8)
          await Promise.all(members.map((member) => member.close()))
        },
      ),
      { numRuns: 12 },
    )
  })

  it('may be one of your own', async () => {
    const start = ({ value }: { readonly value: number }) => value
    const range = gossip({
      name: 'range',
      aggregate: {
        parts: [
          { rule: largest, start },
          { rule: smallest, start },
        ],
        estimate: ([most, least]) => most - least,
        truth: (values) => Math.max(...values) - Math.min(...values),
      },
    })
    const { members, open } = await assembly(4)
    const ranges = offers(members, range, [3, 9, 1, 4])
    expect(() => offers(members, range, [3, 9, 1, 4])).toThrow('range: the member computes this')
    await open()
    await pass(30)
    expect(estimates(ranges)).toEqual([8, 8, 8, 8])
    await Promise.all(members.map((member) => member.close()))
  })

  it('refuses what needs rounds', async () => {
    const { members } = await assembly(2)
    expect(() => offers(members, 'metropolis', [1, 2])).toThrow('needs synchronous rounds')
  })

  const converging = aggregations.filter((one) => {
    const { needs, computes } = byMessages(one)
    return needs.time !== 'rounds' && computes!.aggregate.row === undefined
  })
  it.each(converging)(
    '$name converges to the truth, by its long and its short name',
    async (one) => {
      const values = [1, 5, 2, 4]
      const settings = Object.entries(one.settings).map(([key, { otherwise }]) => [key, otherwise])
      const { truth } = one.aggregate(Object.fromEntries(settings))
      const { members, open } = await assembly(4)
      const long = offers(members, one.name, values)
      const short = offers(members, one.name.replace('gossip-', ''), values, { as: 'again' })
      await open()
      await pass(60)
      const wanted = truth(Float64Array.from(values))
      // Where exchanges overlap the naive variant converges to another value.
      const naive = one.name === 'gossip-average-naive'
      for (const { estimate } of [...long, ...short])
        if (naive) expect(estimate).toBeGreaterThan(1)
        else expect(estimate).toBeCloseTo(wanted, 6)
      await Promise.all(members.map((member) => member.close()))
    },
  )

  it.each<[string, NonNullable<AggregateOptions['set']>, number, object | null]>([
    ['top-k', { k: 2 }, 9, { values: [5, 4], owners: [1, 3] }],
    ['distinct', { registers: 1024 }, 3, null],
    ['quantile', { phi: 0.5, precision: 0.25 }, 4, { answer: 4, probes: 4 }],
    ['histogram', { edges: '0:2:6' }, 3.25, { shares: [0.25, 0.75] }],
  ])(
    '%s of live values: the estimate, and all that members know',
    async (name, set, near, found) => {
      const values = [1, 5, 4, 4]
      const { members, open } = await assembly(4)
      const aggregates = offers(members, name, values, { set })
      await open()
      await pass(80)
      for (const aggregate of aggregates) {
        expect(Math.abs(aggregate.estimate! - near)).toBeLessThan(0.26)
        if (found !== null) expect(aggregate.found).toMatchObject(rounded(found))
      }
      await Promise.all(members.map((member) => member.close()))
    },
  )

  it('a quantile follows the values, search by search, and top-k epoch by epoch', async () => {
    const values = [1, 5, 4, 4]
    const { members, open } = await assembly(4)
    const medians = offers(members, 'quantile', values, { set: { precision: 0.5 } })
    const largest = offers(members, 'top-k', values, { set: { k: 1 }, epoch: 20 })
    await open()
    await pass(80)
    for (const [i] of values.entries()) values[i] = 10 + i
    await pass(160)
    for (const { estimate } of medians) expect(Math.abs(estimate! - 11.25)).toBeLessThan(0.5)
    for (const { found } of largest) expect(found).toEqual({ values: [13], owners: [3] })
    await Promise.all(members.map((member) => member.close()))
  })

  it('refuses settings outside of their domain', async () => {
    const { members } = await assembly(2)
    expect(() => offers(members, 'extrema', [1, 1], { set: { of: 'all' } })).toThrow(
      'extrema: of is "all", but must be count or sum.',
    )
    await Promise.all(members.map((member) => member.close()))
  })

  it('does not affect the election', async () => {
    const { members, open } = await assembly(4)
    const plain = await assembly(4)
    offers(members, 'max', [1, 2, 3, 4])
    for (const { open: begin } of [{ open }, plain]) await begin()
    await pass(20)
    const views = (all: readonly Member[]) => all.map(({ outcome, counts }) => [outcome, counts])
    expect(views(members)).toEqual(views(plain.members))
    expect(members[0].outcome.leader).toBe(4)
    for (const member of [...members, ...plain.members]) await member.close()
  })

  it('ends with its member and keeps the last estimate', async () => {
    const topology = network('ring:3', { random: Random.from(1) })
    const world = { algorithm: lcr, topology, ids: Float64Array.of(1, 2, 3), params: {} }
    const members = memoryNetwork(topology).map(
      (transport, position) => new Member({ ...memberOptionsOf(world, position), transport }),
    )
    const counts = offers(members, 'max', [7, 8, 9])
    await Promise.all(members.map((member) => member.open()))
    expect(await Promise.all(members.map((member) => member.ended))).toContain('quiet')
    expect(vi.getTimerCount()).toBe(0)
    for (const { estimate } of counts) expect([7, 8, 9]).toContain(estimate)
    expect(() => offers(members, 'min', [7, 8, 9])).toThrow('the member is closed')
    const { messages } = await runInMemory(world)
    expect(sum(members.map(({ counts: { total } }) => total))).toBe(messages.total)
  })

  it('emits every change of the estimate', async () => {
    const { members, open } = await assembly(3)
    const [first] = offers(members, 'average', [0, 3, 9])
    const told: (number | null)[] = []
    first.on('change', (estimate) => told.push(estimate))
    expect(first.estimate).toBeNull()
    await open()
    await pass(40)
    expect(told[0]).toBe(0)
    expect(told.at(-1)).toBe(first.estimate)
    expect(first.estimate).toBeCloseTo(4, 8)
    for (const [i, estimate] of told.entries()) if (i > 0) expect(estimate).not.toBe(told[i - 1])
    for (const member of members) await member.close()
  })
})

describe('epochs', () => {
  it('read changed values, which the epoch before does not', async () => {
    const values = [0, 4, 8]
    const { members, open } = await assembly(3)
    const averages = offers(members, 'average', values, { epoch: 20 })
    const ends: (number | null)[] = []
    averages[0].on('epoch', (settled) => ends.push(settled))
    await open()
    await pass(15)
    for (const estimate of estimates(averages)) expect(estimate).toBeCloseTo(4, 2)
    values[2] = 80
    await pass(4)
    for (const estimate of estimates(averages)) expect(estimate).toBeCloseTo(4, 2)
    await pass(14)
    for (const { estimate, settled } of averages) {
      expect(estimate).toBeCloseTo(28, 1)
      expect(settled).toBeCloseTo(4, 2)
    }
    expect(ends).toEqual([averages[0].settled])
    for (const member of members) await member.close()
  })

  it('repair the loss of a crash, and pass on the 1 of a count', async () => {
    const values = [12, 0, 0, 0]
    const { members, open } = await assembly(4)
    const averages = offers(members, 'average', values, { epoch: 30 })
    const counts = offers(members, 'count', values, { epoch: 30 })
    await open()
    await pass(2)
    await members[0].close()
    await pass(20)
    const left = averages.slice(1)
    // The shares that it has given away stay; its own is lost.
    const [held] = estimates(averages)
    expect(sum(estimates(left)) + held).toBeCloseTo(12, 8)
    for (const estimate of estimates(left)) expect(estimate).toBeGreaterThan(0.1)
    for (const estimate of estimates(counts.slice(1))) expect(estimate).not.toBeCloseTo(3, 1)
    await pass(30)
    for (const estimate of estimates(left)) expect(estimate).toBeCloseTo(0, 8)
    for (const estimate of estimates(counts.slice(1))) expect(estimate).toBeCloseTo(3, 2)
    for (const member of members) await member.close()
  })

  it('make a late member wait for the next one', async () => {
    const { members, open } = await assembly(4)
    const value = () => 100
    const early = offers(members.slice(0, 3), 'average', [0, 3, 6], { epoch: 10 })
    await open()
    await pass(14)
    const late = members[3].aggregate('average', { value, period: PERIOD, epoch: 10 })
    await pass(3)
    expect(late.estimate).toBeNull()
    expect(sum(estimates(early))).toBeCloseTo(9, 8)
    await pass(11)
    for (const estimate of [...estimates(early), late.estimate!])
      expect(Math.abs(estimate - 109 / 4)).toBeLessThan(2)
    for (const member of members) await member.close()
  })

  it('are not needed to read new values if estimates evaporate', async () => {
    const values = [5, 5, 5]
    const { members, open } = await assembly(3)
    const averages = offers(members, 'average', values, { evaporation: 0.2 })
    await open()
    await pass(10)
    values.fill(50)
    await pass(60)
    for (const estimate of estimates(averages)) expect(estimate).toBeCloseTo(50, 3)
    for (const member of members) await member.close()
  })
})

describe('the value of a member', () => {
  it('is read once in an event, and the last valid one is kept', async () => {
    const said: string[] = []
    const { members, open } = await assembly(2, 1, { log: (line) => said.push(line) })
    let reads = 0
    let next = 3
    const value = () => {
      reads++
      if (next === 0) throw new Error('no sensor.')
      return next
    }
    const options = { value, period: PERIOD, epoch: 5 }
    const [one] = members.map((member) => member.aggregate('variance', options))
    expect(reads).toBe(2)
    await open()
    expect(reads).toBe(4)
    next = Number.NaN
    await pass(6)
    next = 0
    await pass(12)
    expect(one.estimate).toBeCloseTo(0, 9)
    expect(said.filter((line) => line.includes('the value is NaN'))).toHaveLength(2)
    expect(
      said.filter((line) => line.includes('no sensor. The last value, 3, is used instead')),
    ).toHaveLength(2)
    for (const member of members) await member.close()
  })

  it('is exchanged only between members with the same settings', async () => {
    const { members, open } = await assembly(3)
    const kinds: Partial<AggregateOptions>[] = [{}, { as: 'other' }, { epoch: 7 }]
    const all = kinds.map((kind, node) =>
      members[node].aggregate('max', { value: () => node, period: PERIOD, epoch: 0, ...kind }),
    )
    await open()
    await pass(20)
    expect(estimates(all)).toEqual([0, 1, 2])
    all[0].stop()
    members[0].aggregate('max', { value: () => 9, period: PERIOD, epoch: 0, as: 'other' })
    await pass(20)
    expect(estimates(all)).toEqual([0, 9, 2])
    for (const member of members) await member.close()
  })

  const value = () => 1
  it.each<[string, AggregateOptions, string]>([
    ['avrage', { value }, 'Choose one of max, min, average'],
    ['average', { value: () => Number.NaN }, 'the value is NaN'],
    ['geometric-mean', { value: () => 0 }, 'needs values above 0'],
    ['average', { value, period: 0 }, 'period is 0, but must be a number of milliseconds above 0'],
    ['average', { value, epoch: 1.5 }, 'epoch is 1.5, but must be a whole number of periods'],
    ['average', { value, evaporation: 2 }, 'evaporation is 2, but must be a number from 0 to 1'],
    ['average', { value, set: { p: 3 } }, 'there is no setting "p"'],
    ['power-mean', { value, set: { p: 0 } }, 'p is 0, but must be a number other than 0'],
    [
      'count',
      { value, set: { instances: 3 } },
      '3 instances need as many members, but there are 2',
    ],
  ])('%s %o is refused in one line', async (name, options, says) => {
    const { members } = await assembly(2)
    expect(() => members[0].aggregate(name, options)).toThrow(says)
    for (const member of members) await member.close()
  })

  it('the same aggregate twice is refused', async () => {
    const { members } = await assembly(1)
    members[0].aggregate('average', { value })
    expect(() => members[0].aggregate('average', { value })).toThrow(
      'computes this aggregate already',
    )
    for (const member of members) await member.close()
  })
})
