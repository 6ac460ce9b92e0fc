import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shell, USAGE_ERROR } from '../../../test/support/run-command.ts'
import { statusFixture } from '../../../test/support/status-fixture.ts'
import { type ControlSocket, controlSocket } from '../../coordinator/operations/control.ts'
import { UsageError } from '../../core/index.ts'

let folder = ''
let socket: ControlSocket
const changes: unknown[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-members-'))
  socket = await controlSocket(folder, {
    status: () => statusFixture(),
    change: (given) => {
      changes.push(given)
      if ('add' in given) return
      throw new UsageError('remove', 'x is not a member.', 'Members are a, b, c.')
    },
  })
})

afterAll(async () => {
  await socket.close()
  rmSync(folder, { recursive: true })
})

const members = (...words: string[]) => shell('members', ...words, '--storage', folder)

it('lists the members, for people and as JSON', async () => {
  const { code, out } = await members('list')
  expect([code, out.split('\n')]).toEqual([
    0,
    [
      'billing  configuration 1.2',
      '',
      'member  address        kind     state',
      'a       10.0.0.1:7001  voter    this member',
      'b       10.0.0.2:7001  voter    reachable',
      'c       10.0.0.3:7001  witness  unreachable',
      '',
    ],
  ])
  expect(JSON.parse((await members('list', '--json')).out)).toEqual({
    configuration: { term: 1, number: 2 },
    changing: false,
    members: [
      { id: 'a', address: '10.0.0.1:7001', kind: 'voter', reachable: true },
      { id: 'b', address: '10.0.0.2:7001', kind: 'voter', reachable: true },
      { id: 'c', address: '10.0.0.3:7001', kind: 'witness', reachable: false },
    ],
  })
})

it('asks the running member for changes, and passes on why one is refused', async () => {
  expect(await members('add', 'd=10.0.0.4:7001', 'w=_c._tcp.x', '--witness')).toMatchObject({
    code: 0,
  })
  const refused = await members('remove', 'x')
  expect(refused).toMatchObject({ code: 2, out: '' })
  expect(refused.err).toContain('x is not a member. Members are a, b, c.')
  expect(changes).toEqual([
    {
      add: {
        d: { address: '10.0.0.4:7001', kind: 'witness' },
        w: { address: '_c._tcp.x', kind: 'witness' },
      },
    },
    { remove: ['x'] },
  ])
})

it('tells every misuse in one line', async () => {
  const wrong: [words: string[], told: string][] = [
    [['lst'], 'Did you mean list?'],
    [['list', 'a'], 'it takes no members'],
    [['add'], 'the members are missing'],
    [['add', 'd'], '"d" is not NAME=ADDRESS'],
    [['add', 'd=nowhere'], 'is neither a host with a port'],
    [['remove', 'a', '--witness'], '--witness'],
  ]
  for (const [words, told] of wrong) {
    const { code, out, err } = await members(...words)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(USAGE_ERROR)
    expect(err).toContain(told)
  }
  const nobody = await shell('members', 'list', '--storage', join(folder, 'other'))
  expect([nobody.code, nobody.err]).toEqual([
    2,
    expect.stringContaining('no member runs with this storage folder'),
  ])
})
