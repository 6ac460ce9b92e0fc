import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import {
  hostOf,
  LEASE,
  leadersOf,
  VirtualCoordinators,
} from '../../test/support/coordinator-fixture.ts'
import { ringList } from '../algorithms/index.ts'
import { UsageError } from '../core/usage-error.ts'
import { memoryDisk } from './storage/folder-disk.ts'

let cluster: VirtualCoordinators

afterEach(() => cluster.close())

describe('an observer', () => {
  test('knows who leads, and neither votes nor leads', async () => {
    cluster = await VirtualCoordinators.starting('abc')
    const roles = cluster.roles('cron')
    const observer = await cluster.start('watcher', { observe: true })
    const seen = observer.role('cron')
    await cluster.until(() => seen.leader?.id === 'c')
    expect(seen.leader).toEqual(roles.get('c')!.leader)
    await roles.get('c')!.resign()
    await cluster.until(() => seen.leader?.id === 'b')
    await cluster.nodes.get('a')!.close()
    await cluster.nodes.get('b')!.close()
    await cluster.pass(3 * LEASE)
    expect(seen.leads()).toBe(false)
    expect(leadersOf(roles)).toEqual([])
    expect(observer.status().roles.cron.leader).toBe(null)
  })
})

describe('members', () => {
  test('are added and removed while roles are led, and told by an event', async () => {
    cluster = await VirtualCoordinators.starting('abc')
    const roles = cluster.roles('cron')
    const told: string[] = []
    cluster.nodes.get('a')!.on('members', (members) => told.push(Object.keys(members).join('')))
    await cluster.until(() => leadersOf(roles)[0] === 'c')
    const { token } = roles.get('c')!.term!
    const members = { ...cluster.members, d: `${hostOf('d')}:7001` }
    const added = await cluster.start('d', { members })
    roles.set('d', added.role('cron'))
    let ended = false
    const end = () => {
      ended = true
    }
    void cluster.nodes
      .get('b')!
      .change({ add: { d: members.d } })
      .then(end)
    await cluster.until(() => ended)
    expect(told.at(-1)).toBe('abcd')
    // The leader stays while others come, and a larger name does not take over.
    expect(leadersOf(roles)).toEqual(['c'])
    expect(roles.get('c')!.term!.token).toBe(token)
    ended = false
    void cluster.nodes
      .get('a')!
      .change({ remove: ['c'] })
      .then(end)
    await cluster.until(() => ended)
    await cluster.until(() => leadersOf(roles).length === 1)
    expect(leadersOf(roles)).not.toContain('c')
    const [next] = leadersOf(roles)
    expect(roles.get(next)!.term!.token).toBeGreaterThan(token)
    expect(told.at(-1)).toBe('abd')
    // Two of the three that are left are a majority.
    cluster.isolate(next)
    cluster.net.block(hostOf(next), hostOf('d'))
    cluster.net.block(hostOf('d'), hostOf(next))
    await cluster.until(() => leadersOf(roles).some((name) => name !== next))
  })
})

describe('a witness', () => {
  test('votes and never leads', async () => {
    cluster = new VirtualCoordinators(['a', 'b', 'w'])
    const members = { ...cluster.members, w: { address: cluster.members.w, kind: 'witness' } }
    const options = { bootstrap: true, members } as const
    await Promise.all(cluster.names.map((name) => cluster.start(name, options as never)))
    const roles = cluster.roles('cron')
    await cluster.until(() => leadersOf(roles).length === 1)
    expect(leadersOf(roles)).toEqual(['b'])
    cluster.isolate('b')
    await cluster.until(() => roles.get('a')!.leads())
    cluster.isolate('a')
    await cluster.pass(3 * LEASE)
    expect(leadersOf(roles)).toEqual([])
    expect(cluster.nodes.get('w')!.status().configuration.witnesses).toEqual(['w'])
  })
})

describe('several roles', () => {
  test('are renewed together: a beat is one write', async () => {
    cluster = await VirtualCoordinators.starting('abc')
    const names = Array.from({ length: 20 }, (_, i) => `role-${i}`)
    const roles = names.map((name) => cluster.roles(name))
    await cluster.until(() => roles.every((role) => leadersOf(role).length === 1))
    await cluster.pass(2 * LEASE)
    const before = cluster.net.writes
    await cluster.pass(10 * LEASE)
    // In each of 40 quarters: beats of all to all, renewals by one of them, and the answers.
    const perQuarter = (cluster.net.writes - before) / 40
    expect(perQuarter).toBeLessThanOrEqual(6 + 2 + 2)
    expect(roles.flatMap((role) => leadersOf(role))).toHaveLength(20)
  })

  test('have leaders of their own', async () => {
    cluster = await VirtualCoordinators.starting('abc')
    const one = cluster.roles('one', { stand: true }, ['a'])
    const two = cluster.roles('two', { stand: true }, ['b'])
    await cluster.until(() => leadersOf(one).length + leadersOf(two).length === 2)
    await cluster.pass(20)
    const status = cluster.nodes.get('c')!.status()
    expect(status.roles.one.leader).toBe('a')
    expect(status.roles.two.leader).toBe('b')
    expect(status.leader).toBe(null)
  })
})

describe('a node that is closed', () => {
  test('releases its leases, ends its loops, and does not lead', async () => {
    cluster = await VirtualCoordinators.starting('abc')
    const roles = cluster.roles('cron')
    await cluster.until(() => leadersOf(roles)[0] === 'c')
    let ended = false
    const loop = (async () => {
      for await (const { signal } of roles.get('c')!.terms())
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      ended = true
    })()
    await cluster.pass(5)
    const node = cluster.nodes.get('c')!
    const events: string[] = []
    node.on('closed', () => events.push('closed'))
    const closing = node.close()
    const took = await cluster.until(() => leadersOf(roles)[0] === 'b')
    expect(took).toBeLessThan(10)
    await cluster.pass(20)
    await Promise.all([closing, loop])
    expect(ended).toBe(true)
    expect(events).toEqual(['closed'])
    expect(roles.get('c')!.leads()).toBe(false)
    expect(roles.get('c')!.leader).toBe(null)
    expect(() => node.role('other')).toThrow('this node is closed')
    await node.close()
  })

  test('waits for its work no longer than the limit', async () => {
    cluster = await VirtualCoordinators.starting('abc')
    const roles = cluster.roles('cron')
    await cluster.until(() => leadersOf(roles)[0] === 'c')
    void roles.get('c')!.terms().next()
    await cluster.pass(5)
    let closed = false
    void cluster.nodes
      .get('c')!
      .close({ drain: '300ms' })
      .then(() => {
        closed = true
      })
    await cluster.pass(290)
    expect(closed).toBe(false)
    await cluster.pass(30)
    expect(closed).toBe(true)
    expect(cluster.logged('work-outlived-term')).toHaveLength(1)
  })

  test('by its signal, also before it is open', async () => {
    cluster = new VirtualCoordinators(['a'])
    const aborted = AbortSignal.abort(new Error('not wanted'))
    await expect(cluster.start('a', { signal: aborted })).rejects.toThrow('not wanted')
    const ending = new AbortController()
    const node = await cluster.start('a', { signal: ending.signal, bootstrap: true })
    ending.abort()
    await cluster.pass(50)
    expect(() => node.role('cron')).toThrow('this node is closed')
  })
})

describe('a node whose storage fails', () => {
  test('neither votes nor leads, and says so', async () => {
    cluster = new VirtualCoordinators(['a', 'b', 'c'])
    const disk = memoryDisk()
    let broken = false
    const append = disk.append.bind(disk)
    disk.append = async (...args) => {
      if (broken) throw new Error('journal: no space left')
      return append(...args)
    }
    await Promise.all([
      cluster.start('a', { bootstrap: true }),
      cluster.start('b', { bootstrap: true }),
      cluster.start('c', { bootstrap: true }, { disk }),
    ])
    const roles = cluster.roles('cron')
    await cluster.until(() => leadersOf(roles)[0] === 'c')
    await cluster.pass(20)
    const failures: string[] = []
    cluster.nodes.get('c')!.on('failed', ({ message }) => failures.push(message))
    broken = true
    // The next grant has to be written.
    void roles.get('c')!.resign()
    await cluster.until(() => leadersOf(roles)[0] === 'b')
    await cluster.pass(2 * LEASE)
    expect(failures).toEqual(['journal: no space left'])
    expect(roles.get('c')!.leads()).toBe(false)
    expect(cluster.nodes.get('c')!.status().problems).not.toEqual([])
    expect(leadersOf(roles)).toEqual(['b'])
    // Without it there is no majority when another one is gone.
    cluster.isolate('a')
    await cluster.pass(3 * LEASE)
    expect(leadersOf(roles)).toEqual([])
  })

  test('of all members is read again after a restart: terms go on where they ended', async () => {
    cluster = new VirtualCoordinators(['a', 'b', 'c'])
    const disks = new Map(cluster.names.map((name) => [name, memoryDisk()]))
    const start = (bootstrap: boolean) =>
      Promise.all(
        cluster.names.map((name) => cluster.start(name, { bootstrap }, { disk: disks.get(name)! })),
      )
    await start(true)
    const before = cluster.roles('cron')
    await cluster.until(() => leadersOf(before).length === 1)
    const { token } = before.get('c')!.term!
    await cluster.close()
    await start(false)
    // Members that do not declare it vote for it, and know of it.
    const after = cluster.roles('cron', { nominate: ringList }, ['a'])
    await cluster.until(() => leadersOf(after).length === 1)
    expect(after.get('a')!.term!.token).toBeGreaterThan(token)
    expect(cluster.nodes.get('b')!.status().roles.cron.term).toBeGreaterThanOrEqual(token)
  })
})

test('a node is not left half closed by a limit that is none', async () => {
  cluster = await VirtualCoordinators.started('a')
  const node = cluster.nodes.get('a')!
  await expect(node.close({ drain: 'soon' })).rejects.toThrow('drain')
  const role = node.role('cron')
  await cluster.until(() => role.leads())
  await node.close()
})

test('a leader resigns when a write takes longer than a lease', async () => {
  cluster = new VirtualCoordinators(['a', 'b', 'c'])
  const disk = memoryDisk()
  let frozen = new Promise<void>((resolve) => resolve())
  disk.sync = () => frozen
  await Promise.all(
    cluster.names.map((name) =>
      cluster.start(name, { bootstrap: true }, name === 'c' ? { disk } : {}),
    ),
  )
  const roles = cluster.roles('cron')
  await cluster.until(() => leadersOf(roles)[0] === 'c')
  await cluster.pass(20)
  let thaw = () => {}
  frozen = new Promise((resolve) => {
    thaw = resolve
  })
  // Renewals write nothing: it is tried once per lease, and waited for as long.
  const passed = await cluster.until(() => leadersOf(roles)[0] === 'b')
  const problems = cluster.nodes.get('c')!.status().problems
  thaw()
  expect(passed).toBeLessThan(2 * LEASE + 100)
  const why = 'journal: a write has taken more than 1000 ms'
  expect(problems).toEqual([why])
  expect(cluster.logged('deposed').filter(({ role }) => role === 'cron')).toMatchObject([
    { node: 'c', message: `this process leads cron no more: ${why}` },
  ])
  await cluster.until(() => cluster.nodes.get('c')!.status().problems.length === 0)
})

test('a bootstrap says at once what the number of voters means', async () => {
  cluster = new VirtualCoordinators(['a', 'b'])
  await cluster.start('a', { bootstrap: true })
  await cluster.pass(LEASE)
  const advice = [{ node: 'a', message: expect.stringMatching(/^2 voters: both must be up/) }]
  expect(cluster.logged('voters')).toMatchObject(advice)
  await cluster.start('b', { bootstrap: true })
  await cluster.until(() => cluster.logged('voting').length === 2)
  expect(cluster.logged('voters').map(({ node }) => node)).toEqual(['a', 'b'])
})

test('a closed node does not listen to its signal any more', async () => {
  const { signal } = new AbortController()
  cluster = await VirtualCoordinators.starting('a', { signal })
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await cluster.close()
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

describe('aggregates', () => {
  test('need a function that reads the value', async () => {
    cluster = await VirtualCoordinators.starting('a')
    const without = {} as { value: () => number }
    expect(() => cluster.nodes.get('a')!.aggregate('count', without)).toThrow(UsageError)
    const says = /^count: the function that reads the value of this member is needed/
    expect(() => cluster.nodes.get('a')!.aggregate('count', without)).toThrow(says)
  })

  test('of all members run over the same connections', async () => {
    cluster = await VirtualCoordinators.starting('abc')
    await cluster.until(() => cluster.logged('voting').length === 3)
    await cluster.pass(20)
    const load: Record<string, number> = { a: 0.2, b: 0.4, c: 0.9 }
    const all = [...cluster.nodes].map(([name, node]) => ({
      average: node.aggregate('average', { value: () => load[name], period: 10 }),
      count: node.aggregate('count', { value: () => 1, period: 10 }),
    }))
    await cluster.pass(1000)
    for (const { average, count } of all) {
      expect(average.settled).toBeCloseTo(0.5, 2)
      expect(count.settled).toBeCloseTo(3, 1)
    }
  })
})
