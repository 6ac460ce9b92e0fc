import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { lcr } from '../algorithms/ring/lcr.ts'
import { slowFast } from '../algorithms/ring/slow-fast.ts'
import { timeSlice } from '../algorithms/ring/time-slice.ts'
import { algorithm, left, message, nat, right, timer, uid } from '../core/index.ts'
import type { Algorithm } from '../core/language/algorithm.ts'
import { ring } from '../core/networks/ring.ts'
import { Random } from '../core/runtime/random.ts'
import type { Outcome } from '../core/runtime/state.ts'
import { Member } from './member.ts'
import type { MemberOptions } from './member-options.ts'
import { memoryNetwork } from './transports/memory.ts'

const { theory } = lcr
const members: Member[] = []

afterEach(async () => {
  await Promise.all(members.splice(0).map((member) => member.close()))
})

function startedMember(options: MemberOptions): Member {
  const member = new Member(options)
  members.push(member)
  return member
}

/** A ring in memory; the options are those of each position. */
function ringOf(definition: Algorithm, ...specials: Partial<MemberOptions>[]): Member[] {
  const transports = memoryNetwork(ring(specials.length))
  return specials.map((special, position) =>
    startedMember({
      algorithm: definition,
      position,
      n: specials.length,
      id: position + 1,
      transport: transports[position],
      ...special,
    }),
  )
}

async function open(...ringMembers: Member[]): Promise<void> {
  await Promise.all(ringMembers.map((member) => member.open()))
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn()
}

/** Settled or not, without waiting. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise, Promise.resolve('pending')])
}

describe('taking part', () => {
  test('emits changes of the outcome, and counts messages', async () => {
    const [one, two] = ringOf(lcr, {}, { uidBits: 2 })
    const outcomes: Outcome[] = []
    two.on('outcome', (outcome) => outcomes.push(outcome))
    expect(two.outcome).toEqual({ status: 'asleep', leader: null, stopped: false })
    await open(one, two)
    expect(await Promise.all([one.ended, two.ended])).toEqual(['quiet', 'quiet'])
    expect(outcomes).toEqual([
      { status: 'leader', leader: 2, stopped: false },
      { status: 'leader', leader: 2, stopped: true },
    ])
    expect(one.outcome).toEqual({ status: 'lost', leader: 2, stopped: true })
    expect(two.counts).toEqual({
      byType: { election: 1, leader: 1 },
      total: 2,
      bits: 2 * (1 + 2),
      received: 3,
      toDead: 0,
    })
  })

  test('needs no listener', async () => {
    const [one] = ringOf(lcr, {})
    await one.open()
    expect(await one.ended).toBe('quiet')
    expect(one.state).toMatchObject({ id: 1, status: 'leader', leader: 1 })
  })

  test('random choices come from the given source', async () => {
    const drawing = algorithm({
      name: 'drawing',
      needs: { topology: 'ring', coins: true },
      messages: {},
      state: { drawn: nat, share: nat },
      wakes: true,
      start(my, net) {
        my.drawn = net.choose(1_000_000)
        my.share = Math.floor(net.random() * 1_000_000)
      },
      on: {},
      theory,
    })
    const [seeded, other] = ringOf(drawing, { random: Random.from(9) }, {})
    await open(seeded, other)
    await seeded.ended
    const random = Random.from(9)
    const expected = [random.below(1_000_000), Math.floor(random.unit() * 1_000_000)]
    expect([seeded.state.drawn, seeded.state.share]).toEqual(expected)
    expect(other.state.drawn).not.toBe(seeded.state.drawn)
  })

  test('knows peers, weights and the number of members where declared', async () => {
    const knowing = algorithm({
      name: 'knowing',
      needs: { topology: 'ring', ids: 'numbers', knows: ['n', 'peers', 'weights'] },
      messages: {},
      params: { extra: { says: 'anything', value: () => 0 } },
      state: { sum: nat },
      wakes: true,
      start(my, net) {
        my.sum = net.n + net.peer(left) + net.peer(right) + my.extra + net.degree
        my.sum += net.weight(left) + net.weight(right)
      },
      on: {},
      theory,
    })
    const peers = new Map([
      [left, 100],
      [right, 1000],
    ])
    const weights = new Map([
      [left, 20000],
      [right, 30000],
    ])
    const params = { extra: 10 }
    const [one] = ringOf(knowing, { peers, params, weights })
    await one.open()
    expect(one.state.sum).toBe(1 + 100 + 1000 + 10 + 2 + 20000 + 30000)
    expect(() => ringOf(knowing, { params, weights })).toThrow('peers has none for link 0')
    expect(() => ringOf(knowing, { params, peers })).toThrow('weights has none for link 0')
    expect(() => ringOf(knowing, { peers, weights })).toThrow(
      'the parameter extra of knowing is not set',
    )
  })

  test.each([timeSlice, slowFast])('$name needs rounds and is refused', (definition) => {
    expect(() => ringOf(definition, {})).toThrow(
      `${definition.name}: the algorithm needs synchronous rounds, which real processes do not have.`,
    )
  })
})

describe('termination', () => {
  const GO = timer()
  const NEVER = timer()
  const PING = message({ from: uid })

  /** Sends only when its timer fires, and stops while another is set for the far future. */
  const sleepy = algorithm({
    name: 'sleepy',
    needs: { topology: 'ring', ids: 'unique' },
    messages: { PING },
    timers: { GO, NEVER },
    state: { pings: nat },
    wakes: false,
    start(_my, net) {
      net.after(30, GO)
      net.after(20, NEVER)
      net.cancel(NEVER)
    },
    on: {
      PING(my, { from }, net) {
        my.pings++
        if (from !== my.id) net.send(left, PING, { from })
        net.after(1e9, NEVER)
        net.stop()
        net.after(1e9, GO)
      },
    },
    timeout: {
      GO(my, net) {
        net.send(left, PING, { from: my.id })
      },
      NEVER() {
        throw new Error('this timer was cancelled')
      },
    },
    theory,
  })

  test('waits for timers, but not for those of stopped members', async () => {
    const sleepers = ringOf(sleepy, { starts: false }, { unit: 1 }, { starts: false })
    await open(...sleepers)
    expect(await Promise.all(sleepers.map(({ ended }) => ended))).toEqual(Array(3).fill('quiet'))
    expect(sleepers.map(({ state }) => state.pings)).toEqual([1, 1, 1])
  })

  test('is not detected before the election is active', async () => {
    const idle = ringOf(lcr, { starts: false }, { starts: false })
    await open(...idle)
    await turns(30)
    expect(await stateOf(idle[0].ended)).toBe('pending')
    await idle[0].close()
    expect(await idle[0].ended).toBe('closed')
  })

  test('is detected although no message reached position 0', async () => {
    const silent = algorithm({
      name: 'silent',
      needs: { topology: 'ring' },
      messages: {},
      state: {},
      wakes: false,
      start() {},
      on: {},
      theory,
    })
    const quiet = ringOf(silent, { starts: false }, { starts: false }, {}, { starts: false })
    await open(...quiet)
    expect(await Promise.all(quiet.map(({ ended }) => ended))).toEqual(Array(4).fill('quiet'))
  })

  test('is not detected if position 0 stays', async () => {
    const staying = ringOf(lcr, { stay: true }, {}, {})
    await open(...staying)
    await expect
      .poll(() => staying.every(({ outcome }) => outcome.stopped), { timeout: 4000 })
      .toBe(true)
    await turns(30)
    expect(await stateOf(staying[1].ended)).toBe('pending')
  })

  test('does not end members that stay', async () => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const [one, two, three] = ringOf(lcr, { log }, { stay: true, log }, { log })
    await open(one, two, three)
    expect(await Promise.all([one.ended, three.ended])).toEqual(['quiet', 'quiet'])
    await turns(5)
    expect(await stateOf(two.ended)).toBe('pending')
    await two.close()
    expect(await two.ended).toBe('closed')
    expect(lines).toEqual([])
  })
})

describe('failures', () => {
  test('a handler that throws ends its member, and then the others', async () => {
    const broken = algorithm({
      name: 'broken',
      needs: { topology: 'ring', ids: 'numbers' },
      messages: {},
      state: {},
      wakes: true,
      start(my) {
        if (my.id === 2) throw new Error('out of ideas')
      },
      on: {},
      theory,
    })
    const [one, two] = ringOf(broken, { starts: false }, {})
    await open(one, two)
    await expect(two.ended).rejects.toThrow('out of ideas')
    await expect(one.ended).rejects.toThrow(
      /^position 0: link [01] went down before the election had ended: closed by the/,
    )
  })
})
