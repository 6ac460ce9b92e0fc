import { afterEach, describe, expect, test } from 'vitest'
import { LEASE, leadersOf, VirtualCoordinators } from '../../../test/support/coordinator-fixture.ts'
import type { Role } from '../node.ts'
import type { RoleOptions } from '../options.ts'

let cluster: VirtualCoordinators

afterEach(() => cluster.close())

/** Declares a role at all members, with options of each, and waits for its first leader. */
async function elected(options: (name: string) => RoleOptions): Promise<Map<string, Role>> {
  cluster = await VirtualCoordinators.starting('abc')
  const roles = new Map(
    [...cluster.nodes].map(([name, node]) => [name, node.role('cron', options(name))]),
  )
  await cluster.until(() => leadersOf(roles).length > 0)
  await cluster.pass(20)
  return roles
}

function errorOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}

describe('the priority', () => {
  test('decides who leads first, then the name', async () => {
    const priorities: Record<string, number> = { a: 0.5, b: 7, c: -3 }
    const roles = await elected((name) => ({ priority: () => priorities[name] }))
    expect(leadersOf(roles)).toEqual(['b'])
  })

  test('that fails is the lowest, and the log says so', async () => {
    const roles = await elected((name) => ({
      priority: () => {
        if (name === 'c') throw new Error('no gauge')
        return name === 'b' ? Number.NaN : -1e30
      },
    }))
    expect(leadersOf(roles)).toEqual(['a'])
    expect(cluster.logged('priority').map(({ message }) => message)).toContain(
      'the priority of cron failed: no gauge',
    )
  })

  test('that rises leaves the leader where it does not allow a better one', async () => {
    let risen = 1
    const roles = await elected((name) => ({ priority: () => (name === 'a' ? risen : 2) }))
    expect(leadersOf(roles)).toEqual(['c'])
    risen = 9
    await cluster.pass(15 * LEASE)
    expect(leadersOf(roles)).toEqual(['c'])
    expect(cluster.logged('deposed')).toEqual([])
  })

  test('that rises changes the leader after the hold time where it does', async () => {
    let risen = 1
    const hold = 3 * LEASE
    const roles = await elected((name) => ({
      ...{ preempt: true, hold },
      priority: () => (name === 'a' ? risen : 2),
    }))
    risen = 9
    const begun = cluster.logged('elected').find(({ role }) => role === 'cron')!.at
    await cluster.until(() => leadersOf(roles).join() === 'a')
    const ended = cluster.logged('deposed')[0]
    expect(ended.at - begun).toBeGreaterThanOrEqual(hold)
    expect(ended.at - begun).toBeLessThan(hold + LEASE / 2)
    expect(ended.message).toContain('a is better')
    // The better one stays.
    await cluster.pass(2 * hold)
    expect(cluster.logged('deposed')).toHaveLength(1)
  })
})

describe('the health', () => {
  test.each([
    ['says no', () => false, 'its probe says that it is not healthy'],
    ['fails', () => Promise.reject(new Error('no database')), 'its probe failed: no database'],
  ])('of a leader whose probe %s: it resigns, and stands when it is well again', async (...row) => {
    const [, unwell, reason] = row
    let well = true
    const roles = await elected((name) => ({
      healthy: () => (name === 'c' && !well ? unwell() : Promise.resolve(true)),
    }))
    expect(leadersOf(roles)).toEqual(['c'])
    well = false
    await cluster.until(() => leadersOf(roles).length === 1 && leadersOf(roles)[0] !== 'c')
    expect(cluster.logged('deposed')[0].message).toContain(reason)
    await expect(roles.get(leadersOf(roles)[0])!.transfer('c')).rejects.toThrow('does not stand')
    well = true
    await cluster.pass(LEASE)
    void roles.get(leadersOf(roles)[0])!.transfer('c')
    await cluster.until(() => leadersOf(roles)[0] === 'c')
  })

  test('of a leader whose probe does not answer: it resigns within a lease', async () => {
    let answers = true
    const roles = await elected((name) => ({
      healthy: () => (name === 'c' && !answers ? new Promise(() => {}) : true),
    }))
    answers = false
    const took = await cluster.until(() => leadersOf(roles)[0] === 'b')
    expect(took).toBeLessThan(LEASE + 20)
    expect(cluster.logged('deposed')[0].message).toContain('has not answered')
  })

  test('of a process whose timers are late: it neither leads nor renews', async () => {
    const roles = await elected(() => ({}))
    const term = roles.get('c')!.term!
    // All of them are late here: nobody leads before they have recovered.
    cluster.net.clock.block(0.7 * LEASE)
    await cluster.pass(1)
    expect(term.signal.aborted).toBe(true)
    await cluster.until(() => leadersOf(roles).length === 1)
    expect(roles.get(leadersOf(roles)[0])!.term!.token).toBeGreaterThan(term.token)
  })
})

describe('a role', () => {
  test('that does not stand votes, and leads when it stands', async () => {
    const roles = await elected((name) => ({ stand: name === 'a' }))
    expect(leadersOf(roles)).toEqual(['a'])
    roles.get('b')!.stand(true)
    await cluster.pass(10)
    roles.get('a')!.stand(false)
    await cluster.until(() => leadersOf(roles).join() === 'b')
    await cluster.pass(3 * LEASE)
    expect(leadersOf(roles)).toEqual(['b'])
  })

  test('tells of leaders and terms by events, also if a listener throws', async () => {
    cluster = await VirtualCoordinators.starting('abc')
    const roles = cluster.roles('cron')
    const told: string[] = []
    const errors: unknown[] = []
    for (const [name, role] of roles) {
      role.on('error', (error) => errors.push(error))
      role.on('elected', ({ token }) => told.push(`${name} elected ${token}`))
      role.on('deposed', ({ token }, why) => told.push(`${name} deposed ${token}: ${why}`))
      role.on('leader', (leader) => {
        if (name === 'a') told.push(`a knows ${leader?.id} ${leader?.term}`)
        throw new Error('a mistake of the user')
      })
    }
    await cluster.until(() => leadersOf(roles).length === 1)
    await cluster.pass(10)
    void roles.get('c')!.resign()
    await cluster.until(() => leadersOf(roles)[0] === 'b')
    await cluster.pass(10)
    expect(told).toEqual([
      'c elected 1',
      'a knows c 1',
      'c deposed 1: it was asked to resign',
      'a knows undefined undefined',
      'b elected 2',
      'a knows b 2',
    ])
    expect(errors).toContainEqual(new Error('a mistake of the user'))
    expect(leadersOf(roles)).toEqual(['b'])
  })

  test('is declared once, with valid options', async () => {
    cluster = await VirtualCoordinators.starting('abc')
    const node = cluster.nodes.get('a')!
    const role = node.role('cron', { stand: false })
    expect(node.role('cron')).toBe(role)
    expect(errorOf(() => node.role('cron', { stand: true }))).toContain('declared before')
    expect(errorOf(() => node.role('no name'))).toContain('is not a name')
    expect(errorOf(() => node.role('x', { hold: 'long' }))).toContain('a time from')
    expect(errorOf(() => node.role('x', { prioritty: () => 1 } as never))).toContain(
      'Did you mean priority?',
    )
    expect(errorOf(() => node.role('members', { stand: false }))).toContain('options are fixed')
  })

  test('keeps several loops and resigns when the last has ended', async () => {
    const roles = await elected(() => ({}))
    const role = roles.get('c')!
    const first = role.terms()
    const second = role.terms()
    const [one, other] = [await first.next(), await second.next()]
    expect(one.value).toBe(other.value)
    await first.return()
    await cluster.pass(LEASE)
    expect(role.leads()).toBe(true)
    const ended = second.return()
    await cluster.until(() => leadersOf(roles)[0] === 'b')
    await ended
  })
})
