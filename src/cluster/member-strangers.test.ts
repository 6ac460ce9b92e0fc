import { afterEach, describe, expect, test } from 'vitest'
import { bully } from '../algorithms/complete/bully.ts'
import { lcr } from '../algorithms/ring/lcr.ts'
import { algorithm, message, nat } from '../core/index.ts'
import { complete } from '../core/networks/complete.ts'
import { ring } from '../core/networks/ring.ts'
import { memberOptionsOf } from './local-cluster.ts'
import { Member } from './member.ts'
import type { MemberOptions } from './member-options.ts'
import { type MemoryTransport, memoryNetwork } from './transports/memory.ts'

const OFTEN = { interval: 5, timeout: 5000 }
const WATCH = { heartbeat: 20, timeout: 2000 }

/** Adds up what it is sent, and fails where that exceeds the numbers that can be written. */
const ADD = message({ amount: nat })
const parts = {
  messages: { ADD },
  state: { sum: nat },
  wakes: false,
  start(_my: unknown, net: { lead(): void }) {
    net.lead()
  },
  on: {
    ADD(
      my: { sum: number },
      { amount }: { amount: number },
      net: { sendOthers(type: typeof ADD, body: { amount: number }): void },
    ) {
      my.sum += amount
      if (amount === 13) throw new TypeError('a mistake in the definition')
      net.sendOthers(ADD, { amount: my.sum * 2 ** 10 })
    },
  },
  theory: lcr.theory,
}
const needs = { topology: 'complete', ids: 'unique' } as const
const once = algorithm({ ...parts, name: 'once', needs })
const lasting = algorithm({
  ...parts,
  name: 'lasting',
  needs: { ...needs, knows: ['liveness'] },
  lasting: true,
})

const members = new Set<Member>()

afterEach(async () => {
  await Promise.all([...members].map((member) => member.close()))
  members.clear()
})

/** A member at position 0 of three, and the transports of the others, played by the test. */
async function alone(definition: MemberOptions['algorithm'], options: Partial<MemberOptions> = {}) {
  const topology = definition.needs.topology === 'ring' ? ring(3) : complete(3)
  const ids = Float64Array.of(3, 1, 2)
  const params = { patience: 2 }
  const world = { algorithm: definition, topology, ids, params }
  const transports: MemoryTransport[] = memoryNetwork(topology)
  const lines: string[] = []
  const member = new Member({
    ...memberOptionsOf(world, 0),
    transport: transports[0],
    log: (line) => lines.push(line),
    ...options,
  })
  members.add(member)
  const others = transports.slice(1)
  const down: string[] = []
  for (const [i, other] of others.entries()) {
    const receiver = { received() {}, down: (link: number) => down.push(`${i + 1}: ${link}`) }
    await other.open({ schema: '', n: 3, position: i + 1 }, receiver)
  }
  await member.open()
  const send = (other: number, bytes: number[]) => {
    const link = others[other - 1].links.find((way) => topology.neighbor(other, way) === 0)!
    others[other - 1].send(link, Uint8Array.from(bytes))
  }
  return { member, send, lines, down }
}

/** 2^47, and the same in bytes. */
const LARGE = 2 ** 47
const LARGE_BYTES = [128, 128, 128, 128, 128, 128, 32]

describe('a message that a handler fails with', () => {
  test('has no effect and breaks its link, where links last', async () => {
    const { member, send, lines, down } = await alone(lasting, { failureDetector: WATCH })
    send(1, [0, 5])
    await expect.poll(() => member.state.sum, OFTEN).toBe(5)
    send(2, [0, ...LARGE_BYTES])
    await expect.poll(() => down, OFTEN).toEqual(['2: 1'])
    expect(lines.find((line) => line.includes('refused'))).toMatch(
      /^link 2: a message is refused: amount: \d+ is not a natural number below 2\^53$/,
    )
    expect(member.state.sum).toBe(5)
    expect(LARGE * 2 ** 10).toBeGreaterThan(Number.MAX_SAFE_INTEGER)
    send(2, [0, 2])
    await expect.poll(() => member.state.sum, OFTEN).toBe(7)
    expect(member.isLeader).toBe(true)
  })

  test('ends a member of an own definition, where links do not last', async () => {
    const { member, send } = await alone(once)
    send(1, [0, 13])
    await expect(member.ended).rejects.toThrow('a mistake in the definition')
    expect(member.isLeader).toBe(false)
  })

  test('is left out where a member is told so, and its link stays', async () => {
    const told = await alone(once, { handlerErrors: 'refuse' })
    told.send(1, [0, 13])
    await expect
      .poll(() => told.lines, OFTEN)
      .toEqual(['link 1: a message is refused: a mistake in the definition'])
    told.send(1, [0, 4])
    await expect.poll(() => told.member.state.sum, OFTEN).toBe(4)
    expect(told.down).toEqual([])
  })
})

describe('a member that leads', () => {
  test('leads no more when it is closed, and says so', async () => {
    const { member } = await alone(bully, { failureDetector: WATCH, unit: 1 })
    await expect.poll(() => member.isLeader, OFTEN).toBe(true)
    const outcomes: unknown[] = []
    member.on('outcome', (outcome) => outcomes.push(outcome))
    const closed = member.close()
    expect([member.isLeader, member.leads(), member.leader]).toEqual([false, false, null])
    await closed
    expect(outcomes).toEqual([{ status: 'unknown', leader: null, stopped: false }])
  })

  test('survives listeners that throw, and still calls the others', async () => {
    const { member } = await alone(bully, { failureDetector: WATCH, starts: false, unit: 1 })
    const errors: unknown[] = []
    const seen: string[] = []
    member.on('error', (error) => errors.push(error))
    member.on('outcome', () => {
      throw new Error('a mistake of the user')
    })
    member.on('outcome', ({ status }) => seen.push(status))
    member.start()
    await expect.poll(() => seen.at(-1), OFTEN).toBe('leader')
    expect(errors.length).toBe(seen.length)
    expect(String(errors[0])).toBe('Error: a mistake of the user')
    expect(member.isLeader).toBe(true)
  })
})
