import { expect, it } from 'vitest'
import { statusFixture } from '../../../test/support/status-fixture.ts'
import { coloursFor } from '../terminal/format.ts'
import { leaderJson, leaderText, logLines } from './coordinator-run.ts'
import { isWell, statusLines } from './status-command.ts'

const PAINT = coloursFor({ colours: false })

it('a status names leaders, terms, leases and latencies', () => {
  expect(statusLines(statusFixture(), PAINT)).toEqual([
    'billing  as a sees it · 3 voters · configuration 1.2',
    '',
    'role  leader  term  lease left  pid',
    'cron  a       7     0.81 s      4711',
    'mail  b       3     -           -',
    '',
    'member  address        votes    state        round trip  last heard  pid',
    'a       10.0.0.1:7001  yes      this member  -           -           4711',
    'b       10.0.0.2:7001  yes      reachable    0 ms        61 ms       815',
    'c       10.0.0.3:7001  witness  unreachable  -           12.35 s     -',
  ])
  expect(isWell(statusFixture())).toBe(true)
})

it('a status tells problems and a change of the members', () => {
  const status = statusFixture()
  const configuration = { ...status.configuration, next: ['a', 'b', 'd'] }
  const troubled = { ...status, configuration, problems: ['the disk is full'] }
  expect(statusLines(troubled, PAINT).slice(0, 2)).toEqual([
    'billing  as a sees it · 3 voters · configuration 1.2 · changing to a, b, d',
    '! the disk is full',
  ])
  expect(isWell(troubled)).toBe(false)
  const mail = { ...status.roles.mail, leader: null }
  expect(isWell({ ...status, roles: { ...status.roles, mail } })).toBe(false)
})

it('who leads is a line of text or of JSON', () => {
  const leader = { id: 'b', term: 4 }
  expect(leaderText('cron', leader, 'a', null)).toBe('cron: b leads, term 4')
  expect(leaderText('cron', leader, 'a', 17)).toBe('cron: b (pid 17) leads, term 4')
  expect(leaderText('cron', leader, 'b', 17)).toBe('cron: b (this member, pid 17) leads, term 4')
  expect(leaderText('cron', null, 'b', null)).toBe('cron: nobody is known to lead')
  expect(JSON.parse(leaderJson('cron', leader, true, 17))).toEqual({
    event: 'leader',
    role: 'cron',
    leader: 'b',
    term: 4,
    leads: true,
    pid: 17,
  })
})

it('log entries are lines from their level on, and harmless ones', () => {
  const lines: string[] = []
  const now = () => new Date('2026-01-02T03:04:05.678Z')
  const write = (text: string) => lines.push(text)
  const entry = {
    level: 'warn' as const,
    event: 'refused',
    message: 'another\u001b[31m cluster',
    member: 'b',
    repeated: 3,
  }
  for (const form of ['text', 'json', 'off'] as const) logLines(form, 'warn', write, now)(entry)
  logLines('text', 'error', write, now)(entry)
  expect(lines).toEqual([
    '03:04:05.678 warn  another?[31m cluster (member b, 3 times more)\n',
    `${JSON.stringify({ time: '2026-01-02T03:04:05.678Z', ...entry })}\n`,
  ])
})
