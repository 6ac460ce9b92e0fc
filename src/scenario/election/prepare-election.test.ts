import { describe, expect, it } from 'vitest'
import { wireless } from '../../algorithms/graph/wireless.ts'
import { lcr } from '../../algorithms/ring/lcr.ts'
import { peterson } from '../../algorithms/ring/peterson.ts'
import { slowFast } from '../../algorithms/ring/slow-fast.ts'
import { timeSlice } from '../../algorithms/ring/time-slice.ts'
import { type Algorithm, algorithm, message, type NetworkFacts } from '../../core/index.ts'
import { flagged } from '../command-line.ts'
import type { ScenarioInput } from '../scenario.ts'
import { type Preparation, prepareElection } from './prepare-election.ts'

const prepared = (given: ScenarioInput = {}, of: Algorithm = lcr): Preparation =>
  prepareElection(given, of, flagged)

describe('the size of the network', () => {
  it('is that of the topology, of -n, of the ids, or 8', () => {
    const size = (given: ScenarioInput) => prepared(given).world.topology.n
    expect([
      size({ topology: 'ring:5' }),
      size({ n: '5' }),
      size({ n: 5 }),
      size({ ids: '3,1,2' }),
      size({}),
    ]).toEqual([5, 5, 5, 3, 8])
  })

  it('may be given several times, if all agree', () => {
    expect(prepared({ topology: 'ring:3', n: 3, ids: [4, 1, 2] }).world.topology.name).toBe(
      'ring:3',
    )
    expect(() => prepared({ n: 4, ids: [4, 1, 2] })).toThrow(/^--ids: /)
    expect(() => prepared({ topology: 'ring:4', n: 3 })).toThrow(/^-n: /)
  })
})

describe('the conditions', () => {
  it('are those of the scenario, with rounds counted from 0', () => {
    const { conditions } = prepared({ timing: 'sync', until: 5, wake: '0@3', crash: '1@2' })
    expect(conditions).toMatchObject({
      synchronous: true,
      delay: { model: 'constant', delay: 1 },
      fifo: true,
      until: 4,
      maxMessages: 10_000_000,
    })
    expect([...conditions.starts.times, ...conditions.crashes.times]).toEqual([2, 1])
    expect(prepared({ until: 5 }).conditions.until).toBe(5)
    expect(prepared({ order: 'any' }).conditions.fifo).toBe(false)
  })

  it('are synchronous where rounds are needed or ids are the same', () => {
    const timing = (given: ScenarioInput, of?: Algorithm) => prepared(given, of).scenario.timing
    expect([timing({}), timing({ ids: 'same' }), timing({}, timeSlice)]).toEqual([
      'async',
      'sync',
      'sync',
    ])
    expect(timing({ ids: 'same', timing: 'async' })).toBe('async')
  })

  it('allow enough messages for all pairs of nodes', () => {
    expect(prepared({ n: 10_000 }).conditions.maxMessages).toBe(400_000_000)
    expect(prepared({ 'max-messages': '7' }).conditions.maxMessages).toBe(7)
  })
})

describe('what must hold', () => {
  const names = (given: ScenarioInput) => prepared(given).properties.map(({ name }) => name)

  it('is less if nodes crash', () => {
    expect(names({})).toContain('exactly one leader at the end')
    expect(names({ crash: '2' })).toEqual([
      'no two leaders that reach each other',
      'all live nodes follow the largest',
    ])
  })
})

describe('a weaker world than needed', () => {
  it.each([
    [peterson, { order: 'any' }, '--order'],
    [timeSlice, { timing: 'async' }, '--timing'],
    [slowFast, { timing: 'async' }, '--timing'],
    [timeSlice, { wake: '0' }, '--wake'],
    [timeSlice, { n: 2, wake: '0@2,1@2' }, '--wake'],
  ] as [Algorithm, ScenarioInput, string][])(
    'is refused, and allowed on request (%#)',
    (of, given, at) => {
      expect(() => prepared(given, of)).toThrow(
        new RegExp(`^${at}: ${of.name} needs .+--allow-weaker`),
      )
      expect(prepared({ ...given, 'allow-weaker': true }, of).scenario['allow-weaker']).toBe(true)
    },
  )

  it('is accepted where nothing is needed', () => {
    expect(prepared({ order: 'any', wake: '3@7' }).scenario.order).toBe('any')
  })
})

describe('a world out of reach', () => {
  it('is rejected even if weaker worlds are allowed', () => {
    const allowed = { 'allow-weaker': true }
    expect(() => prepared({ ids: [53, 60], ...allowed }, slowFast)).toThrow(/^--ids: n times 2\^/)
    expect(() => prepared({ ids: [2 ** 52, 2 ** 53 - 1], ...allowed }, timeSlice)).toThrow(
      /^--ids: the election must end before round 2\^53/,
    )
  })

  it('is within reach for one starter, or for the largest ids that still fit', () => {
    expect(prepared({ ids: [60, 70], wake: '0' }, slowFast).world.ids[0]).toBe(60)
    expect(prepared({ ids: [51, 60] }, slowFast).world.ids[0]).toBe(51)
  })
})

describe('parameters', () => {
  const PING = message({})
  const tuned = algorithm({
    name: 'tuned',
    needs: { topology: 'ring', ids: 'unique' },
    messages: { PING },
    params: {
      patience: { says: 'how long', value: ({ n }: NetworkFacts) => 2 * n },
      retries: { says: 'how often', value: () => 3 },
    },
    state: {},
    wakes: false,
    start() {},
    on: { PING() {} },
    theory: lcr.theory,
  })

  it('follow from the world unless they are set, as texts or as an object', () => {
    const params = (given: ScenarioInput) => prepared({ n: 5, ...given }, tuned).world.params
    expect(params({})).toEqual({ patience: 10, retries: 3 })
    expect(params({ set: 'patience=4' })).toEqual({ patience: 4, retries: 3 })
    expect(params({ set: ['patience=0.5', 'retries=9'] })).toEqual({ patience: 0.5, retries: 9 })
    expect(params({ set: { retries: 1 } })).toEqual({ patience: 10, retries: 1 })
  })

  it.each([['patience'], ['patience='], ['patience=soon'], ['speed=1'], [{ speed: 1 }], [''], [7]])(
    '%j is refused',
    (set) => {
      expect(() => prepared({ set }, tuned)).toThrow(/^--set: .+\. /)
    },
  )
})

describe('files', () => {
  it('are read by the given reader, and errors name the field', () => {
    const read = (path: string) => (path === 'links.txt' ? '0-1 1-2 2-0' : '')
    const graph = (given: ScenarioInput) =>
      prepareElection(given, lcr, (field) => `here: ${field}`, read)
    expect(() => graph({ topology: 'file:links.txt' })).toThrow(
      'here: topology: lcr needs a ring network, not file:links.txt. Use ring:3.',
    )
    expect(() => graph({ topology: 'file:none.txt' })).toThrow(/^here: topology: /)
    expect(() => graph({ topology: 'ring' })).toThrow(/^here: topology: ring is written as/)
    expect(() => prepared({ topology: 'file:links.txt' })).toThrow('files cannot be read here')
  })
})

describe('the default network of a graph algorithm', () => {
  it.each([1, 2, 8, 100, 3000])('of %i nodes is written in three digits, which give it', (n) => {
    const { world, scenario } = prepared({ n }, wireless)
    const [name, size, probability] = scenario.topology.split(':')
    expect([name, size]).toEqual(['random', `${n}`])
    expect(probability).toMatch(/^(0|1|0\.0*\d{1,3})$/)
    const exact = Math.min(1, (2 * Math.log(n)) / n)
    expect(Math.abs(Number(probability) - exact)).toBeLessThanOrEqual(exact / 200)
    const again = prepared({ topology: scenario.topology }, wireless).world
    expect(again.topology).toEqual(world.topology)
  })
})

describe('a scenario', () => {
  it('is a fixed point of its preparation', () => {
    const given = { ids: '5,3,9', wake: '1@2', delay: 'uniform:1:4', seed: '12', crash: '0@3' }
    const { scenario } = prepared(given)
    expect(prepared({ ...scenario }).scenario).toEqual(scenario)
  })

  it('with an unknown field is rejected', () => {
    expect(() => prepared({ topologie: 'ring:8' })).toThrow(
      /^--topologie: a scenario has no field "topologie"/,
    )
  })
})
