import { afterEach, describe, expect, test } from 'vitest'
import {
  hostOf,
  LEASE,
  leadersOf,
  VirtualCoordinators,
} from '../../test/support/coordinator-fixture.ts'
import type { CoordinatorNode } from './node.ts'

let cluster: VirtualCoordinators

afterEach(() => cluster.close())

const addressOf = (name: string) => `${hostOf(name)}:7001`

/** Starts a node that waits to be added. */
async function joining(name: string): Promise<CoordinatorNode> {
  const node = await cluster.start(name, {
    members: { ...cluster.members, [name]: addressOf(name) },
  })
  node.role('cron')
  return node
}

/** Carries out a change; returns how long it took. */
async function changed(at: string, change: Parameters<CoordinatorNode['change']>[0]) {
  let done = false
  const asked = cluster.nodes
    .get(at)!
    .change(change)
    .then(() => {
      done = true
    })
  const took = await cluster.until(() => done)
  await asked
  return took
}

describe('a member that is added', () => {
  test('votes and can lead; the leader stays meanwhile', async () => {
    cluster = await VirtualCoordinators.started('abc')
    const roles = cluster.roles('cron')
    await cluster.until(() => leadersOf(roles).length === 1)
    const d = await joining('d')
    await cluster.until(() => d.status().problems[0]?.startsWith('this member is outside: '))
    const took = await changed('a', { add: { d: addressOf('d') } })
    // The longest lease, by the slowest clock.
    expect(took).toBeGreaterThan(LEASE)
    expect(took).toBeLessThan(1.5 * LEASE)
    expect(Object.keys(d.members)).toEqual(['a', 'b', 'c', 'd'])
    expect(cluster.logged('deposed')).toEqual([])
    expect(cluster.logged('voters').at(-1)?.message).toContain('4 voters survive 1 failure')
    const all = cluster.roles('cron')
    void roles.get(leadersOf(roles)[0])!.transfer('d')
    await cluster.until(() => all.get('d')!.leads())
  })

  test('has larger tokens than all before, though everybody else is removed', async () => {
    cluster = await VirtualCoordinators.started('a')
    const roles = cluster.roles('cron')
    for (let i = 0; i < 3; i++) {
      await cluster.until(() => roles.get('a')!.leads())
      await roles.get('a')!.resign()
    }
    await cluster.until(() => roles.get('a')!.leads())
    const { token } = roles.get('a')!.term!
    const b = await joining('b')
    await changed('a', { add: { b: addressOf('b') }, remove: ['a'] })
    const role = b.role('cron')
    await cluster.until(() => role.leads())
    expect(role.term!.token).toBeGreaterThan(token)
    expect(roles.get('a')!.leads()).toBe(false)
  })
})

describe('a leader that is removed', () => {
  test('hands over before it is out, and says what it waits for', async () => {
    cluster = await VirtualCoordinators.started('abc')
    const roles = cluster.roles('cron')
    await cluster.until(() => leadersOf(roles).length === 1)
    const [leader] = leadersOf(roles)
    let without = 0
    const watched = changed('a', { remove: [leader] })
    const watching = (async () => {
      for (let i = 0; i < 3 * LEASE; i++) {
        await cluster.pass(1)
        if (leadersOf(roles).length === 0) without++
        expect(leadersOf(roles).length).toBeLessThan(2)
      }
    })()
    await Promise.all([watched, watching])
    expect(without).toBeLessThan(50)
    const removed = cluster.nodes.get(leader)!
    expect(removed.status().problems).toEqual([
      expect.stringMatching(
        /^this member is removed: . was removed by configuration [\d.]+: it waits/,
      ),
    ])
    expect(cluster.logged('removed').map(({ node }) => node)).toEqual([leader])
    expect(leadersOf(roles)).not.toContain(leader)
    // What it remembers of the one that left does no harm to the others.
    for (const name of leadersOf(roles)) await roles.get(name)!.resign()
    await cluster.until(() => leadersOf(roles).length === 1)
    expect(cluster.logged('failed')).toEqual([])
  })
})

describe('a bootstrap', () => {
  test('founds nothing if others have a memory: the member recovers', async () => {
    cluster = await VirtualCoordinators.started('abc')
    await cluster.nodes.get('c')!.close()
    await cluster.start('c', { bootstrap: true })
    await cluster.until(() => cluster.logged('recovering').length > 0)
    expect(cluster.logged('recovering')[0].message).toContain('c has lost its memory')
    expect(cluster.logged('failed')).toEqual([])
  })

  test('of more than seven voters is refused, and of two explained', async () => {
    cluster = await VirtualCoordinators.started('ab')
    expect(cluster.logged('voters')[0].message).toContain('both must be up')
    await expect(VirtualCoordinators.starting('abcdefgh')).rejects.toThrow('more than 7')
  })
})
