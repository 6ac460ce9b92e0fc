import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { Admission, type PendingConnection } from './admission.ts'
import { LimitedLog } from './limited-log.ts'
import { hostOf, isLoopback } from './remote.ts'

describe('a limited log', () => {
  const logged = () => {
    const clock = new ManualClock()
    const lines: [at: number, line: string][] = []
    const log = new LimitedLog(clock, (line) => lines.push([clock.now(), line]))
    return { clock, lines, log }
  }

  it('writes equal lines once, and then their number', () => {
    const { clock, lines, log } = logged()
    for (let i = 0; i < 1000; i++) log.write(`refused ${i}`, 'refused')
    log.write('another')
    clock.advance(5000)
    log.write('refused 1000', 'refused')
    clock.advance(20_000)
    log.write('refused 1001', 'refused')
    expect(lines).toEqual([
      [0, 'refused 0'],
      [0, 'another'],
      [5000, 'refused 999 (999 more times)'],
      [10_000, 'refused 1000 (once more)'],
      [25_000, 'refused 1001'],
    ])
  })

  it('writes at most ten lines in any second, whatever arrives', () => {
    const { clock, lines, log } = logged()
    for (let at = 0; at < 30_000; at += 10) {
      for (let i = 0; i < 5; i++) log.write(`line ${at} ${i}`)
      for (let i = 0; i < 5; i++) log.write(`same ${i}`)
      clock.advance(10)
    }
    expect(lines.length).toBeGreaterThan(100)
    for (const [at] of lines) {
      const within = lines.filter(([other]) => other >= at && other < at + 1000)
      expect(within.length).toBeLessThanOrEqual(10)
    }
    expect(lines.some(([, line]) => /^\d+ other lines were left out$/.test(line))).toBe(true)
  })
})

describe('admission', () => {
  it('lets the oldest connection of the busiest address make room', () => {
    const admission = new Admission(new ManualClock())
    const evicted: string[] = []
    const enter = (remote: string) => {
      const connection: PendingConnection = { remote, evict: () => evicted.push(remote) }
      admission.enter(connection)
      return connection
    }
    const member = enter('10.0.0.7:5000')
    for (let i = 0; i < 1000; i++) enter(`10.0.0.66:${i}`)
    expect(admission.count).toBe(128)
    expect(evicted).toHaveLength(1001 - 128)
    expect(evicted).not.toContain(member.remote)
    expect(evicted[0]).toBe('10.0.0.66:0')
    admission.leave(member)
    expect(admission.count).toBe(127)
  })

  it('limits the rate of each address beyond loopback', () => {
    const clock = new ManualClock()
    const admission = new Admission(clock)
    const admitted = (host: string, times: number) =>
      Array.from({ length: times }, (_, i) => admission.mayConnect(`${host}:${i}`)).filter(Boolean)
        .length
    expect(admitted('10.0.0.66', 500)).toBe(60)
    expect(admitted('10.0.0.7', 1)).toBe(1)
    clock.advance(1000)
    expect(admitted('10.0.0.66', 500)).toBe(20)
    clock.advance(3_600_000)
    expect(admitted('10.0.0.66', 500)).toBe(60)
    expect(admitted('127.0.0.1', 5000)).toBe(5000)
  })
})

it('hosts and loopback are told from the text of an address', () => {
  for (const [text, host, loopback] of [
    ['127.0.0.1:7001', '127.0.0.1', true],
    ['127.255.3.4', '127.255.3.4', true],
    ['[::1]:7001', '::1', true],
    ['::1', '::1', true],
    ['[::ffff:127.0.0.1]:1', '::ffff:127.0.0.1', true],
    ['localhost:1', 'localhost', true],
    ['10.0.0.1:7001', '10.0.0.1', false],
    ['127.0.0.1.evil.example:1', '127.0.0.1.evil.example', false],
    ['localhost.evil.example:1', 'localhost.evil.example', false],
    ['0.0.0.0:1', '0.0.0.0', false],
    ['[::]:1', '::', false],
    ['[2001:db8::127]:1', '2001:db8::127', false],
  ] as const) {
    expect([hostOf(text), isLoopback(text)]).toEqual([host, loopback])
  }
})
