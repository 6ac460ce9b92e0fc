import { afterEach, describe, expect, test } from 'vitest'
import {
  hostOf,
  LEASE,
  leadersOf,
  VirtualCoordinators,
} from '../../test/support/coordinator-fixture.ts'
import type { ProcessIdentity, ProcessTable } from '../cluster/mesh/process-identity.ts'
import type { Role } from './node.ts'
import type { CoordinatorOptions } from './options.ts'
import type { RunningNode } from './running-node.ts'

let cluster: VirtualCoordinators

afterEach(() => cluster.close())

describe('the process of a leader', () => {
  const identity = (name: string): ProcessIdentity => {
    return { pid: name.charCodeAt(0), start: '1', boot: 'boot', namespace: 'one' }
  }

  /** A cluster whose processes see which of them are gone; `c` leads. */
  async function ledByC(options: Partial<CoordinatorOptions>, gone: ReadonlySet<number>) {
    const table = (name: string): ProcessTable => ({
      own: () => identity(name),
      sees: ({ pid }) => !gone.has(pid),
      gone: ({ pid }) => gone.has(pid),
    })
    cluster = new VirtualCoordinators(['a', 'b', 'c'])
    await Promise.all(
      cluster.names.map((name) =>
        cluster.start(
          name,
          { bootstrap: true, ...(name === 'c' && options) },
          { processes: table(name) },
        ),
      ),
    )
    const roles = cluster.roles('cron')
    await cluster.until(() => leadersOf(roles)[0] === 'c')
    await cluster.pass(LEASE)
    return roles
  }

  /** The process of the leader ends; returns how long nobody else leads. */
  function untilReplaced(roles: ReadonlyMap<string, Role>, gone: Set<number>): Promise<number> {
    gone.add(identity('c').pid)
    cluster.net.disconnect(hostOf('c'))
    cluster.isolate('c')
    return cluster.until(() => roles.get('b')!.leads() || roles.get('a')!.leads())
  }

  test('that is certainly gone is replaced at once', async () => {
    const gone = new Set<number>()
    const roles = await ledByC({}, gone)
    // A FIN alone changes nothing: the process may go on.
    cluster.net.disconnect(hostOf('c'))
    await cluster.pass(100)
    expect(leadersOf(roles)).toEqual(['c'])
    await cluster.pass(LEASE)
    expect(await untilReplaced(roles, gone)).toBeLessThan(50)
  })

  test('whose work may outlive it is waited for, whatever the others are set to', async () => {
    const gone = new Set<number>()
    const roles = await ledByC({ fast: false }, gone)
    // Its number is for people: no voter looks for that process.
    const pid = identity('c').pid
    for (const node of cluster.nodes.values())
      expect(node.status().roles.cron).toMatchObject({ leader: 'c', pid })
    expect(await untilReplaced(roles, gone)).toBeGreaterThan(LEASE / 2)
  })
})

describe('the connection of a leader', () => {
  const setTo = async (fast: Readonly<Record<string, CoordinatorOptions['fast']>>) => {
    cluster = new VirtualCoordinators(['a', 'b', 'c'])
    await Promise.all(
      cluster.names.map((name) =>
        cluster.start(name, { bootstrap: true, fast: fast[name] ?? 'connection' }),
      ),
    )
    const roles = cluster.roles('cron')
    await cluster.until(() => leadersOf(roles)[0] === 'c')
    await cluster.pass(LEASE)
    return roles
  }

  /** The system of the leader ends its connections; returns how long nobody else leads. */
  function untilReplaced(roles: ReadonlyMap<string, Role>): Promise<number> {
    cluster.net.disconnect(hostOf('c'))
    cluster.isolate('c')
    return cluster.until(() => roles.get('b')!.leads() || roles.get('a')!.leads())
  }

  test('has ended: its process is gone, and is replaced at once', async () => {
    expect(await untilReplaced(await setTo({}))).toBeLessThan(50)
  })

  test.each([
    ['the leader', { c: true }],
    ['the voters', { a: true, b: true }],
  ])('has ended, which means nothing where %s did not choose it', async (_, fast) => {
    expect(await untilReplaced(await setTo(fast))).toBeGreaterThan(LEASE / 2)
  })

  test('ends a second time within a lease: it may be an older one', async () => {
    const roles = await setTo({})
    const { connections } = cluster.nodes.get('c') as RunningNode
    for (const member of ['a', 'b']) connections.drop(member, 'for a test')
    await cluster.pass(LEASE / 4)
    expect(leadersOf(roles)).toEqual(['c'])
    expect(connections.peers.size).toBe(2)
    expect(await untilReplaced(roles)).toBeGreaterThan(LEASE / 2)
  })

  test('is given up by the leader itself: nobody breaks a promise', async () => {
    const roles = await setTo({})
    const { connections } = cluster.nodes.get('c') as RunningNode
    for (let i = 0; i < 20; i++) {
      for (const member of ['a', 'b']) connections.drop(member, 'for a test')
      await cluster.pass(LEASE / 7)
    }
    expect(leadersOf(roles)).toEqual(['c'])
    expect(cluster.logged('process-gone')).toEqual([])
  })
})
