import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { Log, type LogEntry } from './log.ts'

function logged() {
  const clock = new ManualClock()
  const entries: LogEntry[] = []
  return { clock, entries, log: new Log(clock, (entry) => entries.push(entry)) }
}

describe('a log', () => {
  it('counts equal entries instead of repeating them', () => {
    const { clock, entries, log } = logged()
    for (let i = 0; i < 5; i++) log.warn('refused', 'wrong cluster', { member: 'b', port: i })
    log.warn('refused', 'wrong cluster', { member: 'c' })
    expect(entries.map(({ member }) => member)).toEqual(['b', 'c'])
    clock.advance(1000)
    expect(entries.slice(2)).toEqual([
      {
        level: 'warn',
        event: 'refused',
        message: 'wrong cluster',
        member: 'b',
        port: 0,
        repeated: 4,
      },
    ])
    log.warn('refused', 'wrong cluster', { member: 'b' })
    expect(entries.length).toBe(4)
  })

  it('lets strangers cause at most eleven lines a second', () => {
    const { clock, entries, log } = logged()
    for (let i = 0; i < 500; i++) log.info('refused', `garbage ${i}`)
    expect(entries.length).toBe(10)
    clock.advance(1000)
    expect(entries.at(-1)).toMatchObject({ event: 'left-out', count: 490 })
    expect(entries.length).toBe(11)
    clock.advance(60_000)
    expect(entries.length).toBe(11)
  })

  it('tells what it counted when it is closed, and leaves no timer', () => {
    const { clock, entries, log } = logged()
    log.error('storage', 'disk full')
    log.error('storage', 'disk full')
    log.close()
    expect(entries.map(({ repeated }) => repeated)).toEqual([undefined, 1])
    clock.advance(5000)
    expect(entries.length).toBe(2)
  })

  it('is also a diagnostics channel', () => {
    const { log } = logged()
    const heard: unknown[] = []
    const listener = (entry: unknown) => heard.push(entry)
    subscribe('conclave:coordinator', listener)
    log.debug('elected', 'this member leads', { role: 'cron', term: 3 })
    unsubscribe('conclave:coordinator', listener)
    log.debug('elected', 'this member leads', { role: 'cron', term: 4 })
    expect(heard).toEqual([
      { level: 'debug', event: 'elected', message: 'this member leads', role: 'cron', term: 3 },
    ])
  })
})
