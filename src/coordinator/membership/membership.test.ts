import { describe, expect, it } from 'vitest'
import { LEASE, World } from '../../../test/support/membership/world.ts'
import { answerTo, type MembershipQuestion } from './voter.ts'

const ABC = ['a', 'b', 'c']

/** A world in which the members with these names have had their first start. */
async function started(names: readonly string[], witnesses = ''): Promise<World> {
  const world = new World(names.length)
  for (const name of names) world.start(name, names, true, witnesses)
  await world.run(10 * LEASE)
  return world
}

function standings(world: World): string {
  return [...world.machines.values()]
    .map(({ name, process }) => `${name} ${process?.membership.standing ?? 'down'}`)
    .join(', ')
}

function membersAt(world: World, name: string): string {
  const { members, old } = world.machine(name).membership.configuration!
  const names = (list: typeof members) => list.map((member) => `${member.name}/${member.id}`)
  return old === null ? names(members).join(' ') : `${names(old).join(' ')} and ${names(members)}`
}

describe('a first start', () => {
  it('waits for all voters, and one longest lease more, before anybody grants', async () => {
    const world = new World(1)
    world.start('a', ABC, true)
    world.start('b', ABC, true)
    await world.run(20 * LEASE)
    expect(standings(world)).toBe('a bootstrapping, b bootstrapping')
    expect(world.machine('a').log.at(-1)).toContain('waits for c')
    const since = world.time
    world.start('c', ABC, true)
    await world.run(20 * LEASE)
    expect(standings(world)).toBe('a voting, b voting, c voting')
    expect(membersAt(world, 'c')).toBe('a/1 b/2 c/3')
    expect(world.oracle.intervals[0].from).toBeGreaterThan(since + LEASE)
    expect(world.oracle.violations).toEqual([])
  })

  it('goes on after a crash of any member at any moment', async () => {
    for (const name of ABC)
      for (let after = 0; after < 2 * LEASE; after += 13) {
        const world = new World(after)
        for (const member of ABC) world.start(member, ABC, true)
        await world.run(after)
        world.crash(name)
        await world.run(LEASE)
        world.start(name, ABC, true)
        await world.run(10 * LEASE)
        expect(`${after}: ${standings(world)}`).toBe(`${after}: a voting, b voting, c voting`)
      }
  })

  it('waits, and says so on both sides, while members were started with other lists', async () => {
    const world = new World(1)
    world.start('a', ABC, true)
    world.start('b', ['a', 'b', 'c', 'd'], true)
    world.start('c', ABC, true)
    await world.run(10 * LEASE)
    expect(standings(world)).toBe('a bootstrapping, b bootstrapping, c bootstrapping')
    expect(world.machine('a').log.at(-1)).toContain('other members (a, b, c, not a, b, c, d)')
    expect(world.machine('b').log.at(-1)).toContain('other members (a, b, c, d, not a, b, c)')
    world.crash('b')
    world.start('b', ABC, true)
    await world.run(10 * LEASE)
    expect(standings(world)).toBe('a voting, b voting, c voting')
  })

  it('lets a member recover whose disk was replaced after it had the mark', async () => {
    const world = new World(1)
    for (const name of ABC) world.start(name, ABC, true)
    while (world.machine('c').membership.store.marked === null) await world.run(1)
    world.crash('c')
    world.wipe('c')
    world.start('c', ABC, true)
    await world.run(10 * LEASE)
    expect(standings(world)).toBe('a voting, b voting, c voting')
    expect(world.machine('c').log.join()).toContain('c has lost its memory')
    expect(world.oracle.violations).toEqual([])
  })

  it('of a single member needs nobody else', async () => {
    const world = await started(['a'])
    expect(standings(world)).toBe('a voting')
  })

  it('founds nothing while anybody remembers the cluster', async () => {
    for (const wiped of [['c'], ['a'], ['a', 'c'], ['b', 'c']]) {
      const world = await started(ABC)
      for (const name of ABC) world.crash(name)
      for (const name of wiped) world.wipe(name)
      for (const name of wiped) world.start(name, ABC, true)
      await world.run(10 * LEASE)
      for (const name of wiped)
        expect(world.machine(name).membership.standing).toBe('bootstrapping')
      for (const name of ABC) if (!wiped.includes(name)) world.start(name, ABC, true)
      await world.run(10 * LEASE)
      const now = wiped.length === 1 ? 'voting' : 'recovering'
      for (const name of wiped) expect(world.machine(name).membership.standing).toBe(now)
      expect(world.oracle.violations).toEqual([])
    }
  })

  it('changes nothing where the storage has a memory', async () => {
    const world = await started(ABC)
    world.crash('c')
    world.start('c', ABC, true)
    await world.run(LEASE)
    expect(standings(world)).toBe('a voting, b voting, c voting')
  })
})

describe('a start without memory', () => {
  it('grants nothing for the longest lease, then learns from most others', async () => {
    const world = await started(ABC)
    world.crash('c')
    world.wipe('c')
    world.start('c', ABC)
    await world.run(LEASE - 1)
    expect(standings(world)).toBe('a voting, b voting, c recovering')
    await world.run(LEASE)
    expect(standings(world)).toBe('a voting, b voting, c voting')
    const { membership } = world.machine('c')
    expect(membership.store.record.generation).toBe(1)
    expect(membership.floor('work')).toBeGreaterThan(0)
    expect(world.oracle.violations).toEqual([])
  })

  it('stays out, and says whom it waits for, where too few others have a memory', async () => {
    for (const names of [['a', 'b'], ABC]) {
      const world = await started(names)
      for (const name of names.slice(1)) {
        world.crash(name)
        world.wipe(name)
      }
      for (const name of names.slice(1)) world.start(name, names)
      await world.run(20 * LEASE)
      expect(world.machine('b').membership.standing).toBe('recovering')
      expect(world.machine('b').log.at(-1)).toMatch(
        /it waits for .*, since it must learn from a|without it 2 voters have no majority/,
      )
    }
  })

  it('without anybody to learn from says that a first start needs bootstrap', async () => {
    const world = new World(1)
    for (const name of ABC) world.start(name, ABC)
    await world.run(20 * LEASE)
    expect(standings(world)).toBe('a recovering, b recovering, c recovering')
    expect(world.machine('a').log.at(-1)).toContain('needs bootstrap')
  })
})

describe('a start with a shorter limit', () => {
  it('names the longer one as long as promises of the time before may run', async () => {
    const world = new World(1)
    const machine = world.machine('a', 4 * LEASE)
    const restart = () => {
      world.crash('a')
      machine.limit = LEASE
      return world.start('a', ['a']).times
    }
    world.start('a', ['a'], true)
    await world.run(20 * LEASE)
    expect(restart().limit).toBe(4 * LEASE)
    await world.run(3 * LEASE)
    const times = restart()
    expect(times.limit).toBe(4 * LEASE)
    await world.run(5 * LEASE)
    expect(times.limit).toBe(LEASE)
    expect(restart().limit).toBe(LEASE)
  })
})

describe('a change', () => {
  it('adds and removes members, asked at any of them', async () => {
    const world = await started(ABC)
    world.start('d', [...ABC, 'd'])
    await world.run(LEASE)
    expect(world.machine('d').membership.standing).toBe('outside')
    const added = world.change('b', { add: { d: 'd:1' } })
    await world.run(20 * LEASE)
    expect(await added).toMatchObject({ old: null, nextId: 5 })
    expect(membersAt(world, 'd')).toBe('a/1 b/2 c/3 d/4')
    const removed = world.change('d', { remove: ['a'] })
    await world.run(20 * LEASE)
    expect(await removed).toMatchObject({ old: null })
    expect(standings(world)).toBe('a removed, b voting, c voting, d voting')
    expect(membersAt(world, 'd')).toBe('b/2 c/3 d/4')
    expect(world.oracle.violations).toEqual([])
  })

  it('replaces all members at once, from one to three and back', async () => {
    const world = await started(['a'])
    for (const name of 'bcd') world.start(name, ['a', name])
    const away = world.change('a', {
      add: { b: 'b:1', c: 'c:1', d: { address: 'd:1', kind: 'witness' } },
      remove: ['a'],
    })
    await world.run(20 * LEASE)
    expect(await away).toMatchObject({ old: null })
    expect(standings(world)).toBe('a removed, b voting, c voting, d voting')
    const leads = world.oracle.intervals.filter(({ holder }) => holder === 'd')
    expect(leads).toEqual([])
    const back = world.change('b', { add: { a: 'a:1' }, remove: ['b', 'c', 'd'] })
    await world.run(20 * LEASE)
    expect(await back).toMatchObject({ old: null })
    expect(membersAt(world, 'a')).toBe('a/5')
    expect(world.oracle.violations).toEqual([])
  })

  it('is taken, but not accepted, by who has promised to follow a newer leader', async () => {
    const world = await started(ABC)
    const { membership } = world.machine('a')
    const configuration = { ...membership.configuration!, version: { term: 1000, number: 2 } }
    const answers: unknown[] = []
    const ask = (question: MembershipQuestion) =>
      membership.inTurn(async () => void answers.push(await answerTo(membership, question)))
    void ask({ type: 'read', seq: 1, term: 2000 })
    void ask({ type: 'read', seq: 2, term: 1999 })
    void ask({ type: 'propose', seq: 3, configuration })
    void ask({ type: 'propose', seq: 4, configuration: { ...configuration, mark: 'other' } })
    await world.run(LEASE)
    expect(answers).toMatchObject([
      { seq: 1, granted: true, promised: 2000 },
      { seq: 2, granted: false, promised: 2000 },
      { seq: 3, granted: false, promised: 2000 },
      { seq: 4, granted: false, promised: 2000 },
    ])
    expect(membership.version).toEqual(configuration.version)
    expect(membership.configuration?.mark).not.toBe('other')
  })

  it('brings a member back that lost its storage and could not recover', async () => {
    const world = await started(ABC)
    for (const name of ['b', 'c']) world.crash(name)
    world.wipe('c')
    world.start('c', ABC)
    await world.run(5 * LEASE)
    expect(world.machine('c').membership.standing).toBe('recovering')
    world.cuts.add('b>c')
    world.start('b', ABC)
    void world.change('a', { remove: ['c'] })
    await world.run(10 * LEASE)
    expect(standings(world)).toBe('a voting, b voting, c outside')
    world.heal()
    void world.change('a', { add: { c: 'c:1' } })
    await world.run(10 * LEASE)
    expect(standings(world)).toBe('a voting, b voting, c voting')
    expect(membersAt(world, 'c')).toBe('a/1 b/2 c/4')
    expect(world.machine('c').membership.store.record.generation).toBe(0)
    expect(world.oracle.violations).toEqual([])
  })

  it('is refused with a reason', async () => {
    const world = await started(ABC)
    const refused = async (change: Parameters<World['change']>[1]) => {
      const answer = world.change('a', change)
      await world.run(20 * LEASE)
      return answer
    }
    expect(await refused({ add: { x: 'x:1' } })).toContain('x does not answer at x:1')
    expect(await refused({ add: { x: 'x' } })).toContain('"x" is neither a host with a port')
    expect(await refused({ add: { 'x y': 'x:1' } })).toContain('"x y" is not a name')
    expect(await refused({ remove: ['x'] })).toContain('x is not a member')
    expect(await refused({ remove: ABC })).toContain('nobody would be left')
    expect(await refused({ add: { a: 'a:2' } })).toContain('a is a member already')
    expect(await refused({ add: { a: 'a:1' }, remove: ['a'] })).toContain('both added and removed')
    expect(await refused({})).toContain('Nothing')
    const many = Object.fromEntries([...'defgh'].map((name) => [name, `${name}:1`]))
    expect(await refused({ add: many })).toContain('more than 7 are refused')
    expect(membersAt(world, 'a')).toBe('a/1 b/2 c/3')
  })
})
