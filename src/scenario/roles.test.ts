import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogue, changRoberts, lcr } from '../algorithms/index.ts'
import type { Algorithm } from '../core/index.ts'
import { combinedResults, type RunResult, resultOf, simulationOf } from '../sim/index.ts'
import { flagged } from './command-line.ts'
import { type Preparation, prepareElection } from './election/prepare-election.ts'
import { prepareRoles, type RolePreparations } from './roles.ts'
import type { ScenarioInput } from './scenario.ts'

const find = (name: string) => catalogue.find((algorithm) => algorithm.name === name)!

const cast = (given: ScenarioInput, algorithm: Algorithm = lcr): RolePreparations =>
  prepareRoles(given, algorithm, flagged, find)

function play({ world, conditions, properties }: Preparation): RunResult {
  const run = simulationOf(world, conditions, properties)
  return resultOf(run, run.finish())
}

/** The result of every role. */
const results = (given: ScenarioInput): Record<string, RunResult> =>
  Object.fromEntries(cast(given).roles.map(({ name, preparation }) => [name, play(preparation)]))

/** Chang-Roberts and one-way probing among sleepers: their counts depend on delays and starters. */
const RINGS = ['lcr', 'chang-roberts', 'peterson', 'franklin', 'hirschberg-sinclair-one-way']

const someRoles = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', 'monitor', 'Printer-2'), { minLength: 2 })
  .chain((names) =>
    fc
      .array(fc.constantFrom(...RINGS), { minLength: names.length, maxLength: names.length })
      .map((algorithms) => names.map((name, i) => `${name}=${algorithms[i]}`)),
  )

const someWorld = fc.record({
  n: fc.integer({ min: 1, max: 9 }),
  seed: fc.nat(1000),
  delay: fc.constantFrom('unit', 'uniform:1:9', 'exponential:2'),
  wake: fc.constantFrom('all', 'rate:0.4', '0'),
  crash: fc.constantFrom('none', '0@2', '0.5@3'),
  'elect-by': fc.constantFrom('id', 'value:min'),
  values: fc.constant('uniform:0:1'),
})

describe('roles', () => {
  it('are independent: each has the same result as when it runs alone', () => {
    fc.assert(
      fc.property(someRoles, someWorld, (role, world) => {
        const together = results({ ...world, role })
        for (const one of role) {
          expect(results({ ...world, role: one })).toEqual(
            Object.fromEntries([[one.split('=')[0], together[one.split('=')[0]]]]),
          )
        }
      }),
      { numRuns: 40 },
    )
  })

  it('have the same results in every order', () => {
    fc.assert(
      fc.property(someRoles, someWorld, (role, world) => {
        expect(results({ ...world, role: role.toReversed() })).toEqual(results({ ...world, role }))
      }),
      { numRuns: 40 },
    )
  })

  it('of different names share the nodes and the faults, not the delays and the starters', () => {
    const given = { n: 60, wake: 'rate:0.5', crash: '0.2@3', values: 'uniform:0:1' }
    const [a, b] = cast({ ...given, role: ['a', 'b'] }).roles.map(({ preparation }) => preparation)
    expect(a.world.ids).toEqual(b.world.ids)
    expect(a.world.values).toEqual(b.world.values)
    expect(a.conditions.crashes).toEqual(b.conditions.crashes)
    expect(a.conditions.starts).not.toEqual(b.conditions.starts)
    const timed = results({ n: 30, delay: 'uniform:1:50', role: ['a', 'b'] })
    expect(timed.a.time.elected).not.toBe(timed.b.time.elected)
  })

  it('may have values of their own, and then elect another leader', () => {
    const role = [
      { name: 'strong', values: [1, 9, 3] },
      { name: 'cheap', values: '4,2,1', 'elect-by': 'value:min', algorithm: 'peterson' },
      'plain',
    ]
    const { strong, cheap, plain } = results({ ids: '7,8,9', role })
    expect([strong, cheap, plain].map(({ leader }) => leader?.id)).toEqual([8, 9, 9])
    expect(cheap.nodes!.map(({ value }) => value)).toEqual([4, 2, 1])
    expect(plain.nodes![0]).not.toHaveProperty('value')
  })

  it('all run in rounds if one needs them, on the network of the first', () => {
    const { roles, scenario } = cast({ n: 5, role: ['a', 'b=time-slice'] })
    for (const { preparation } of roles) {
      expect(preparation.scenario).toMatchObject({ timing: 'sync', topology: 'ring:5' })
    }
    expect(scenario).toMatchObject({
      algorithm: 'lcr',
      timing: 'sync',
      role: ['a', 'b=time-slice'],
    })
    expect(() => cast({ role: ['a', 'b=ghs'], topology: 'star:5' })).toThrow('lcr needs a ring')
    expect(() => cast({ role: ['a=ghs', 'b'], n: 4 })).toThrow('--topology: lcr needs a ring')
  })

  it('can be prepared again from the whole scenario, and each from its own', () => {
    fc.assert(
      fc.property(someRoles, someWorld, (role, world) => {
        const whole = cast({ ...world, role })
        const again = cast(JSON.parse(JSON.stringify(whole.scenario)))
        expect(again.scenario).toEqual(whole.scenario)
        for (const [i, { preparation }] of whole.roles.entries()) {
          const own = preparation.scenario
          expect(again.roles[i].preparation.scenario).toEqual(own)
          const alone = prepareElection({ ...own }, find(own.algorithm), flagged)
          expect(alone.scenario).toEqual(own)
          expect(alone.world.ids).toEqual(preparation.world.ids)
          expect(alone.world.values).toEqual(preparation.world.values)
          expect(alone.conditions.starts).toEqual(preparation.conditions.starts)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('are rejected if a name is missing or listed twice', () => {
    for (const role of [
      '',
      '=lcr',
      ' a',
      '2nd',
      'a b',
      null,
      5,
      [[]],
      [null],
      [{}],
      [{ name: 3 }],
    ]) {
      expect(() => cast({ role }), JSON.stringify(role)).toThrow('--role: expected a role name')
    }
    expect(() => cast({ role: [] })).toThrow('--role: the list of roles is empty')
    expect(() => cast({ role: ['a', 'b', 'a=peterson'] })).toThrow('role a is listed twice')
    expect(() => cast({ role: [{ name: 'a', ids: '1,2' }] })).toThrow('no field "ids"')
  })
})

describe('the result of several elections', () => {
  it('adds the counts, and is correct if all are', () => {
    const given = { n: 6, ids: 'decreasing', role: ['a', 'b=hirschberg-sinclair'] }
    const roles = results(given)
    const { a, b } = roles
    const whole = combinedResults(roles)
    expect(whole.messages.total).toBe(a.messages.total + b.messages.total)
    expect(whole.messages.byType).toEqual({
      election: a.messages.byType.election,
      probe: b.messages.byType.probe,
      reply: b.messages.byType.reply,
      leader: 12,
    })
    expect(whole.bits).toBe(a.bits + b.bits)
    expect(whole.leader).toEqual(a.leader)
    expect(whole.time).toEqual({ unit: 'time', elected: b.time.elected, last: b.time.last })
    expect(whole.verdict.ok).toBe(true)
    expect(whole.verdict.properties.length).toBe(2 * a.verdict.properties.length)
  })

  it('is incorrect, and without a leader, as long as one is', () => {
    const good = results({ n: 6, role: 'a' }).a
    const cut = play(prepareElection({ n: 6, until: 2 }, changRoberts, flagged))
    const whole = combinedResults({ good, cut })
    expect(whole.verdict.ok).toBe(false)
    expect(whole.time).toMatchObject({ elected: null, last: good.time.last })
    const broken = whole.verdict.properties.filter(({ holds }) => !holds)
    expect(broken.every(({ name }) => name.startsWith('cut: '))).toBe(true)
  })
})
