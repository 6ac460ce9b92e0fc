import { afterEach, describe, expect, test } from 'vitest'
import {
  hostOf,
  LEASE,
  leadersOf,
  VirtualCoordinators,
} from '../../test/support/coordinator-fixture.ts'
import type { LeaderTerm, Role } from './node.ts'

let cluster: VirtualCoordinators

afterEach(() => cluster.close())

async function elected(names = 'abc', options = {}): Promise<[string, Map<string, Role>]> {
  cluster = await VirtualCoordinators.starting(names)
  const roles = cluster.roles('cron', options)
  await cluster.until(() => leadersOf(roles).length > 0)
  await cluster.pass(20)
  return [leadersOf(roles)[0], roles]
}

function others(roles: Map<string, Role>, leader: string): Map<string, Role> {
  return new Map([...roles].filter(([name]) => name !== leader))
}

/** As a program in JavaScript may write it. */
const WITHOUT_LOG = { log: undefined } as unknown as { log: () => void }

describe('a first start', () => {
  test('without bootstrap and without a log warns once, after a lease', async () => {
    const warnings: string[] = []
    cluster = new VirtualCoordinators([...'abc'])
    const warn = (message: string) => void warnings.push(message)
    await Promise.all([...'abc'].map((name) => cluster.start(name, WITHOUT_LOG, { warn })))
    await cluster.pass(LEASE / 2)
    expect(warnings).toEqual([])
    await cluster.pass(3 * LEASE)
    expect(warnings.sort()).toEqual([
      'a has no memory and waits for b, c; the first start of a cluster needs bootstrap',
      'b has no memory and waits for a, c; the first start of a cluster needs bootstrap',
      'c has no memory and waits for a, b; the first start of a cluster needs bootstrap',
    ])
  })

  test('of a member that is to be added does not warn', async () => {
    const warnings: string[] = []
    cluster = await VirtualCoordinators.started('abc')
    const warn = (message: string) => void warnings.push(message)
    const members = { ...cluster.members, d: `${hostOf('d')}:7001` }
    await cluster.start('d', { ...WITHOUT_LOG, members }, { warn })
    await cluster.pass(3 * LEASE)
    expect(warnings).toEqual([])
  })
})

describe('a role', () => {
  test('has one leader, whom all know, and the largest name leads', async () => {
    const [leader, roles] = await elected()
    expect(leader).toBe('c')
    expect(leadersOf(roles)).toEqual(['c'])
    const { token } = roles.get('c')!.term!
    for (const role of roles.values()) expect(role.leader).toEqual({ id: 'c', term: token })
    expect(roles.get('a')!.term).toBe(null)
  })

  test('keeps its leader as long as nothing happens', async () => {
    const [, roles] = await elected()
    const { token } = roles.get('c')!.term!
    await cluster.pass(5 * LEASE)
    expect(roles.get('c')!.term!.token).toBe(token)
    expect(cluster.logged('deposed')).toEqual([])
  })

  test('has another leader soon after a resignation, with a larger token', async () => {
    const [leader, roles] = await elected()
    const { token } = roles.get(leader)!.term!
    const resigned = roles.get(leader)!.resign()
    const took = await cluster.until(() => leadersOf(others(roles, leader)).length === 1)
    expect(await resigned).toBe(true)
    // Two round trips, each of two milliseconds.
    expect(took).toBeLessThanOrEqual(5)
    const [next] = leadersOf(roles)
    expect(roles.get(next)!.term!.token).toBeGreaterThan(token)
  })

  test('goes to the member that a transfer names', async () => {
    const [, roles] = await elected()
    void roles.get('c')!.transfer('a')
    await cluster.until(() => leadersOf(others(roles, 'c')).length === 1)
    expect(leadersOf(roles)).toEqual(['a'])
    await expect(roles.get('a')!.transfer('x')).rejects.toThrow('there is no member x')
    expect(await roles.get('b')!.transfer('c')).toBe(false)
  })

  test('is voted for by members that do not declare it', async () => {
    cluster = await VirtualCoordinators.started('abc')
    const roles = cluster.roles('cron', {}, ['a'])
    await cluster.until(() => roles.get('a')!.leads())
    await cluster.pass(3 * LEASE)
    expect(leadersOf(roles)).toEqual(['a'])
    expect(cluster.logged('deposed')).toEqual([])
  })

  test('is led by another within a lease and a half when its leader is cut off', async () => {
    const [leader, roles] = await elected()
    const term = roles.get(leader)!.term!
    cluster.isolate(leader)
    let overlap = 0
    const took = await cluster.until(() => {
      if (leadersOf(roles).length > 1) overlap++
      return leadersOf(others(roles, leader)).length === 1
    })
    expect(overlap).toBe(0)
    expect(took).toBeLessThan(1.5 * LEASE)
    expect(term.signal.aborted).toBe(true)
    expect(term.valid).toBe(false)
    expect(roles.get(leader)!.leader).toBe(null)
    cluster.isolate(leader, false)
    const [next] = leadersOf(roles)
    await cluster.until(() => roles.get(leader)!.leader?.id === next)
    expect(leadersOf(roles)).toEqual([next])
  })

  test('stays with its leader when only one link is cut', async () => {
    const [leader, roles] = await elected()
    const { token } = roles.get(leader)!.term!
    cluster.net.block(hostOf('c'), hostOf('b'))
    cluster.net.block(hostOf('b'), hostOf('c'))
    for (let i = 0; i < 3 * LEASE; i++) {
      await cluster.pass(1)
      expect(leadersOf(roles)).toEqual([leader])
    }
    expect(roles.get(leader)!.term!.token).toBe(token)
  })

  test.each(['block', 'suspend'] as const)(
    'is not led any more at the first look after its process was stopped: %s',
    async (how) => {
      const [leader, roles] = await elected()
      const term = roles.get(leader)!.term!
      cluster.net.clock[how](LEASE)
      expect(roles.get(leader)!.leads()).toBe(false)
      expect(term.valid).toBe(false)
      expect(term.remaining).toBe(0)
    },
  )
})

describe('a loop over terms', () => {
  test('has a turn for each term, and leaving it resigns for good', async () => {
    const [, roles] = await elected()
    const tokens: number[] = []
    const loop = (async () => {
      for await (const term of roles.get('c')!.terms()) {
        tokens.push(term.token)
        if (tokens.length === 2) break
        await new Promise((resolve) => term.signal.addEventListener('abort', resolve))
      }
    })()
    await cluster.until(() => tokens.length === 1)
    void roles.get('c')!.resign()
    await cluster.until(() => leadersOf(others(roles, 'c')).length === 1)
    const [next] = leadersOf(roles)
    void roles.get(next)!.transfer('c')
    await cluster.until(() => tokens.length === 2)
    await cluster.pass(10)
    await loop
    expect(tokens[1]).toBeGreaterThan(tokens[0])
    await cluster.until(() => leadersOf(roles).length === 1)
    expect(leadersOf(roles)).not.toContain('c')
    cluster.isolate(leadersOf(roles)[0])
    await cluster.pass(3 * LEASE)
    // Only two of three are left, and one of them does not stand.
    expect(leadersOf(roles)).toEqual([['a', 'b'].find((name) => roles.get(name)!.leads())])
  })

  test('passes the work on when a turn has ended', async () => {
    const [, roles] = await elected()
    const turns: string[] = []
    for (const [name, role] of roles)
      void (async () => {
        for await (const _ of role.terms()) turns.push(name)
      })()
    await cluster.until(() => turns.length >= 4)
    expect(new Set(turns).size).toBeGreaterThan(1)
  })

  test('ends with its signal, which aborts the work', async () => {
    const [, roles] = await elected()
    const ending = new AbortController()
    let seen: LeaderTerm | null = null
    const loop = (async () => {
      for await (const term of roles.get('c')!.terms({ signal: ending.signal })) {
        seen = term
        await new Promise((resolve) => term.signal.addEventListener('abort', resolve))
      }
      return 'ended'
    })()
    await cluster.until(() => seen !== null)
    ending.abort()
    await cluster.pass(10)
    expect(await loop).toBe('ended')
    // One that is aborted already ends at once.
    for await (const _ of roles.get('c')!.terms({ signal: ending.signal })) expect.fail()
    expect(seen!.valid).toBe(false)
    await cluster.until(() => leadersOf(others(roles, 'c')).length === 1)
  })

  test('whose work does not end releases nothing, and the log says so', async () => {
    const [, roles] = await elected()
    const role = roles.get('c')!
    let end = () => {}
    const turns: number[] = []
    void (async () => {
      for await (const term of role.terms()) {
        turns.push(term.token)
        await new Promise<void>((resolve) => {
          end = resolve
        })
      }
    })()
    await cluster.until(() => turns.length === 1)
    const term = role.term!
    const resigned = role.resign({ drain: '200ms' })
    const took = await cluster.until(() => leadersOf(others(roles, 'c')).length === 1)
    expect(await resigned).toBe(false)
    expect(took).toBeGreaterThan(LEASE - 300)
    expect(term.signal.aborted).toBe(true)
    expect(cluster.logged('work-outlived-term').map(({ node, term: of }) => [node, of])).toEqual([
      ['c', turns[0]],
    ])
    // It does not stand again before that work has ended.
    const [next] = leadersOf(roles)
    const third = ['a', 'b'].find((name) => name !== next)!
    await roles.get(next)!.resign()
    await cluster.until(() => leadersOf(roles).length === 1)
    expect(leadersOf(roles)).toEqual([third])
    end()
    await cluster.pass(2 * LEASE)
    void roles.get(third)!.transfer('c')
    await cluster.until(() => turns.length === 2)
  })

  test('of a single voter lets the lease run out too, and then leads again', async () => {
    cluster = await VirtualCoordinators.started('a')
    const role = cluster.roles('cron').get('a')!
    let end = () => {}
    const turns: LeaderTerm[] = []
    void (async () => {
      for await (const term of role.terms()) {
        turns.push(term)
        await new Promise<void>((resolve) => {
          end = resolve
        })
      }
    })()
    await cluster.until(() => turns.length === 1)
    expect(await Promise.race([role.resign({ drain: 100 }), cluster.pass(200)])).toBe(false)
    await cluster.pass(LEASE)
    expect(turns[0].valid).toBe(false)
    end()
    await cluster.until(() => turns.length === 2)
  })

  test('keeps the lease while the work ends within the limit', async () => {
    const [, roles] = await elected()
    const role = roles.get('c')!
    let end = () => {}
    let seen: LeaderTerm | null = null
    void (async () => {
      for await (const term of role.terms()) {
        seen = term
        await new Promise<void>((resolve) => {
          end = resolve
        })
      }
    })()
    await cluster.until(() => seen !== null)
    const resigned = role.resign({ drain: 5 * LEASE })
    await cluster.pass(3 * LEASE)
    expect(seen!.valid).toBe(true)
    expect(role.leads()).toBe(false)
    expect(leadersOf(roles)).toEqual([])
    end()
    expect(await cluster.until(() => leadersOf(others(roles, 'c')).length === 1)).toBeLessThan(10)
    expect(await resigned).toBe(true)
  })
})
