import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { raft } from '../../../src/algorithms/complete/raft.ts'
import { quorumLease } from '../../../src/algorithms/index.ts'
import { check } from '../../../src/api/check.ts'
import type { CheckReport } from '../../../src/cli/check/explore.ts'
import { algorithm, message, type Property, timer } from '../../../src/core/index.ts'
import { builtShell } from '../../support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-never-'))

afterAll(() => rmSync(folder, { recursive: true }))

/** A correct election with room for more. */
const source = ({ start = '', election = '', helper = '', more = '' }) => `
import { algorithm, message, numericUid as uid, right, timer } from 'conclave'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })
const GHOST = message({ id: uid })
const BELL = timer()
${helper}

export default algorithm({
  name: 'mine',
  needs: { topology: 'ring', ids: 'numbers' },
  messages: { ELECTION, LEADER${more} },
  timers: { BELL },
  state: {},
  wakes: true,
  start(my, net) {
    net.send(right, ELECTION, { id: my.id })${start}
  },
  on: {
    ELECTION(my, { id }, net) {${election}
      if (id > my.id) net.send(right, ELECTION, { id })
      else if (id === my.id) {
        net.lead()
        net.send(right, LEADER, { id })
      }
    },
    LEADER(my, { id }, net) {
      if (my.status !== 'leader') {
        net.follow(id)
        net.send(right, LEADER, { id })
      }
      net.stop()
    },${more === '' ? '' : '\n    GHOST(my, { id }, net) { net.follow(id) },'}
  },
  timeout: { BELL(my, net) { net.stop() } },
})
`

async function neverIn(text: string, ...flags: string[]) {
  const file = join(folder, 'mine.ts')
  writeFileSync(file, text)
  const { out, err, code } = await builtShell('check', file, '--json', ...flags)
  expect(err).toBe('')
  const { never }: CheckReport = JSON.parse(out)
  const lines = text.split('\n')
  for (const { line, text: said } of never.branches!) expect(lines[line - 1]).toContain(said)
  return { never, code, branches: never.branches!.map((it) => it.text) }
}

describe('own files', () => {
  it('have nothing that never happens but the timer that nobody sets', async () => {
    const { never, code } = await neverIn(source({}), '-n', '3', '--ids', 'all')
    expect([0, 3]).toContain(code)
    expect(never).toEqual({
      messages: { sent: [], handled: [] },
      ...{ timers: ['bell'], branches: [], faults: [], properties: [] },
    })
  })

  it('have messages that nobody sends, and timers that never fire', async () => {
    const { never } = await neverIn(source({ more: ', GHOST' }), '-n', '3', '--ids', '1,2,3')
    expect(never.messages).toEqual({ sent: ['ghost'], handled: ['ghost'] })
    const set = source({ start: '\n    net.after(1, BELL)\n    net.cancel(BELL)' })
    expect((await neverIn(set, '-n', '3', '--ids', '1,2,3')).never.timers).toEqual(['bell'])
    const fired = source({ start: '\n    net.after(1, BELL)' })
    expect((await neverIn(fired, '-n', '1')).never.timers).toEqual([])
  })

  it('have messages that are sent and not handled', async () => {
    // One node: whoever leads has stopped when its message has gone round.
    const early = source({ start: '\n    net.stop()' })
    const { never } = await neverIn(early, '-n', '3', '--ids', '1,2,3')
    expect(never.messages).toEqual({ sent: ['leader'], handled: ['election', 'leader'] })
  })

  it.each([
    ['an if', '\n      if (id < 0) net.stop()', ['net.stop()']],
    ['an else', '\n      if (id > 0) my.id\n      else net.stop()', ['net.stop()']],
    ['a branch in a branch', '\n      if (id < 0) {\n if (id < 1) net.stop()\n }', ['if (id < 1)']],
    ['what follows a return', '\n      if (id > 0 && id < 0) return\n', ['return']],
    [
      'an expression',
      '\n      const far = id < 0 ? id + 1 : id\n      if (far !== id) return',
      ['id + 1', 'return'],
    ],
    [
      'a case',
      "\n      switch (my.status) { case 'asleep': net.stop(); break; default: }",
      ['net.stop();'],
    ],
    ['an error that nobody wants', "\n      if (id < 0) throw new Error('no')", []],
    ['a loop without a turn', '\n      for (let i = 0; i < 0; i++) net.stop()', ['net.stop()']],
    ['a helper', '\n      if (bad(id)) return', ['return true', 'return']],
  ])('have code that never runs: %s', async (_, election, wanted) => {
    const helper = 'function bad(id: number) {\n  if (id < 0) return true\n  return false\n}\n'
    const used = election.includes('bad') ? { helper } : {}
    const { branches } = await neverIn(source({ election, ...used }), '-n', '3', '--ids', '1,2,3')
    expect(branches).toEqual(wanted)
  })

  it('count what happens with any arrangement of ids', async () => {
    // Only the predecessor of a node passes on a small id.
    const election = '\n      if (my.id === 3 && id === 1) my.id'
    const found = []
    for (const ids of ['1,2,3', '1,3,2', 'all'])
      found.push((await neverIn(source({ election }), '-n', '3', '--ids', ids)).branches.length)
    expect(found.slice(0, 2).sort()).toEqual([0, 1])
    expect(found[2]).toBe(0)
    const none = '\n      if (my.id === 2 && id === 1 && my.status === "lost") my.id'
    const { branches } = await neverIn(source({ election: none }), '-n', '3', '--ids', 'all')
    expect(branches).toEqual(['my.id'])
  })
})

const WORD = message({})
const ALARM = timer()
const quiet = (needs: object = {}) =>
  algorithm({
    name: 'quiet',
    needs: { topology: 'any', ids: 'unique', ...needs },
    messages: { WORD },
    timers: { ALARM },
    state: {},
    wakes: false,
    start: (_, net) => net.after(1, ALARM),
    on: { WORD: () => {} },
    timeout: { ALARM: () => {} },
  })

describe('faults', () => {
  it.each([
    ['losses', { losses: 1 }, [['losses', 'allowed, but there is never one']]],
    ['duplicates', { duplicates: 2 }, [['duplicates', 'allowed, but there is never one']]],
    ['crashes', { crashes: 1 }, []],
    ['cuts', { cuts: 1 }, [['cuts', 'no message is ever sent over a link that is down']]],
    [
      'partitions',
      { partitions: 1 },
      [['partitions', 'no message is ever sent over a link that is down']],
    ],
    ['recoveries', { crashes: 1, recoveries: 1, reappear: true }, []],
    [
      'drift',
      { drift: 1, mode: 'clocked:1' },
      [['drift', 'no timer is long enough to be early or late']],
    ],
  ])('%s', (_, options, wanted) => {
    const { never } = check(quiet(), { topology: 'complete:3', ...options } as object)
    expect(never.faults.map(({ name, why }) => [name, why])).toEqual(wanted)
  })
})

describe('properties', () => {
  const names = (result: ReturnType<typeof check>) =>
    result.never.properties.map(({ name }) => name)

  it('about leaders say nothing where nobody leads', () => {
    const result = check(quiet(), { n: 3, topology: 'complete:3' })
    expect(names(result)).toEqual(['at most one leader', 'a leader stays leader'])
  })

  it('that are moot at every end say nothing', () => {
    const moot: Property = {
      name: 'somebody is awake',
      when: 'at the end',
      moot: ({ n }) => (n > 1 ? 'there are several nodes' : null),
      broken: () => null,
    }
    const on = (topology: string) => check(quiet(), { topology, properties: [moot as never] })
    expect(names(on('complete:2'))).toContain(moot.name)
    expect(names(on('complete:1'))).not.toContain(moot.name)
  })

  it('of terms say nothing before a second leader', () => {
    const bound = (term: number) => check(raft, { n: 2, bound: { term }, mode: 'clocked:1' })
    expect(names(bound(1))).toEqual(['one leader per term'])
  })

  it('of leases say nothing before a renewal', () => {
    const options = { n: 1, bound: { term: 1, number: 6, age: 4 }, timeouts: 1 }
    const result = check(quorumLease, { ...options, set: { lease: 4 } } as object)
    expect(names(result)).toContain('tokens grow')
  })
})
