import { expect, test } from 'vitest'
import { lcr } from '../algorithms/ring/lcr.ts'
import { left, right } from '../core/language/net.ts'
import { Member } from './member.ts'
import type { MemberOptions } from './member-options.ts'
import type { FrameReceiver, Transport } from './transports/transport.ts'

/** Settled or not, without waiting. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise, Promise.resolve('pending')])
}

/** A transport without a network: the test plays it. */
class Loose implements Transport {
  readonly links = [left, right]
  readonly sent: [number, number[]][] = []
  receiver!: FrameReceiver
  closed = false

  async open(_self: unknown, receiver: FrameReceiver): Promise<void> {
    this.receiver = receiver
  }

  send(link: number, bytes: Uint8Array): void {
    this.sent.push([link, [...bytes]])
  }

  drop(): void {}

  async close(): Promise<void> {
    this.closed = true
  }
}

function loose(special: Partial<MemberOptions> = {}): { member: Member; transport: Loose } {
  const transport = new Loose()
  const told = { algorithm: lcr, position: 1, n: 3, id: 5, transport, starts: false }
  return { member: new Member({ ...told, ...special }), transport }
}

const TOKEN = 255
const ACTIVITY = 254
const END = 253

test('position 0 ignores tokens and ends that cannot exist', async () => {
  const lines: string[] = []
  const { member, transport } = loose({ position: 0, log: (line) => lines.push(line) })
  await member.open()
  for (let i = 0; i < 3; i++) transport.receiver.received(right, Uint8Array.of(END))
  transport.receiver.received(right, Uint8Array.of(TOKEN, 0, 0, 0))
  expect(lines).toEqual(['link 1: unexpected token ignored'])
  expect(transport.sent).toEqual([])
  expect(await stateOf(member.ended)).toBe('pending')
})

test('frames of termination detection are forwarded to the next position', async () => {
  const { member, transport } = loose({ onward: right })
  await member.open()
  const passed = [[ACTIVITY], [TOKEN, 4, 3, 1], [END], [END]]
  for (const bytes of passed) transport.receiver.received(left, Uint8Array.from(bytes))
  expect(transport.sent).toEqual(passed.map((bytes) => [right, bytes]))
  expect(await member.ended).toBe('quiet')
  expect(transport.closed).toBe(true)
})

test('malformed bytes throw, so that the transport breaks the link', async () => {
  const { member, transport } = loose()
  await member.open()
  expect(() => transport.receiver.received(left, Uint8Array.of(99))).toThrow('unknown kind')
  expect(await stateOf(member.ended)).toBe('pending')
})

test('a link that goes down is logged, and ends a member that does not stay', async () => {
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const hasty = loose({ log })
  const patient = loose({ log, stay: true })
  for (const { member, transport } of [hasty, patient]) {
    await member.open()
    transport.receiver.down(right, 'cut by a test')
  }
  expect(lines).toEqual(Array(2).fill('link 1 is down: cut by a test'))
  await expect(hasty.member.ended).rejects.toThrow(
    'link 1 went down before the election had ended: cut by a test.',
  )
  expect(hasty.transport.closed).toBe(true)
  expect(await stateOf(patient.member.ended)).toBe('pending')
})

test('frames of a link that breaks before all are connected are discarded', async () => {
  const { member, transport } = loose()
  const electionOf7 = Uint8Array.of(0, 7)
  const electionOf9 = Uint8Array.of(0, 9)
  transport.open = async (_self, receiver) => {
    receiver.received(right, electionOf7)
    receiver.down(right, 'cut by a test')
    receiver.received(right, electionOf9)
  }
  await member.open()
  expect(transport.sent).toEqual([
    [left, [0, 5]],
    [left, [0, 9]],
    [left, [ACTIVITY]],
  ])
})

test('a transport that does not open ends the member and is released', async () => {
  const { member, transport } = loose()
  transport.open = () => Promise.reject(new Error('no way'))
  await expect(member.open()).rejects.toThrow('no way')
  await expect(member.ended).rejects.toThrow('no way')
  expect(transport.closed).toBe(true)
})
