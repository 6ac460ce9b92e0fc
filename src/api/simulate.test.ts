import { describe, expect, expectTypeOf, it } from 'vitest'
import { bully, catalogue, lcr } from '../algorithms/index.ts'
import { algorithm, flag, left, message, nat, set, type TraceEvent, uid } from '../core/index.ts'
import { type SimulateOptions, simulate } from './simulate.ts'
import type { ElectionName } from './targets.ts'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })

/** The election of Chang and Roberts, which counts what it has passed on. */
const counting = algorithm({
  name: 'counting',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  params: { step: { says: 'what is added each time', value: () => 1 } },
  state: { participant: flag, passed: nat, seen: set(uid) },
  wakes: true,
  start(my, net) {
    my.participant = true
    net.send(left, ELECTION, { id: my.id })
  },
  on: {
    ELECTION(my, { id }, net) {
      my.seen.add(id)
      if (id === my.id) {
        net.lead()
        net.send(left, LEADER, { id })
      } else if (id > my.id) {
        my.passed += my.step
        net.send(left, ELECTION, { id })
      }
    },
    LEADER(my, { id }, net) {
      if (id !== my.id) {
        net.follow(id)
        net.send(left, LEADER, { id })
      }
      net.stop()
    },
  },
})

describe('a simulation', () => {
  it('needs nothing but an algorithm', () => {
    const { n, leader, verdict, scenario } = simulate(lcr)
    expect([n, leader?.id, verdict.ok, scenario.seed]).toEqual([8, 8, true, 1])
  })

  it('has the result of the command line', () => {
    const result = simulate(lcr, { ids: [3, 1, 2], crash: [{ node: 1, at: 4 }] })
    expect(result).toMatchObject({
      n: 3,
      leader: { node: 0, id: 3 },
      messages: { total: 11, byType: { election: 8, leader: 3 } },
      scenario: { algorithm: 'lcr', topology: 'ring:3', ids: [3, 1, 2], crash: '1@4' },
      verdict: { ok: true },
    })
    expect(result.nodes.map(({ status }) => status)).toEqual(['leader', 'dead', 'lost'])
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({
      nodes: [{ node: 0, id: 3 }, {}, {}],
    })
  })

  it('keeps the types of an own algorithm', () => {
    const result = simulate(counting, { ids: [3, 1, 2], set: { step: 2 } })
    expectTypeOf(result.nodes[0].state.participant).toEqualTypeOf<boolean>()
    expectTypeOf(result.nodes[0].state.seen).toEqualTypeOf<number[]>()
    expectTypeOf(result.messages.byType.election).toEqualTypeOf<number>()
    // @ts-expect-error There is no such message.
    expect(result.messages.byType.token).toBeUndefined()
    // @ts-expect-error There is no such parameter.
    expect(() => simulate(counting, { set: { stride: 2 } })).toThrow('set: ')
    expect(result.nodes[1].state).toEqual({ participant: true, passed: 2, seen: [3] })
  })

  it('takes names of the catalogue, whose results are typed too', () => {
    const { nodes, messages } = simulate('bully', { n: 4, set: { patience: 3 } })
    expectTypeOf(nodes[0].state.electing).toEqualTypeOf<boolean>()
    expectTypeOf(messages.byType.coordinator).toEqualTypeOf<number>()
    expect(simulate(bully, { n: 4, set: { patience: 3 } })).toEqual(
      simulate('bully', { n: 4, set: { patience: 3 } }),
    )
    // @ts-expect-error It has no algorithm of that name.
    expect(() => simulate('bullly')).toThrow('algorithm: there is no algorithm "bullly".')
    // @ts-expect-error Nor is this one.
    expect(() => simulate({})).toThrow('algorithm: this is neither an algorithm nor the name')
    for (const { name } of catalogue) {
      const { n } = simulate(name as ElectionName, { n: 2 })
      expect(n).toBe(2)
    }
  })

  it('of an aggregation ends with estimates', () => {
    const result = simulate('gossip-average', { n: 100, until: 20 })
    expect(result.cycles).toHaveLength(21)
    expect(result.nodes[0].estimate).toBeCloseTo(result.truth, 3)
    expect(result.scenario).toMatchObject({ algorithm: 'gossip-average', until: 20 })
    const cycles = simulate('gossip-count', {
      n: 10,
      timing: 'cycles',
      crash: [{ node: 3, at: 2 }],
    })
    expect(cycles.nodes[3].status).toBe('dead')
    expect(() => simulate('gossip-max', { electBy: 'value' })).toThrow('electBy: ')
  })

  it('lists all nodes, however many there are', () => {
    const result = simulate(lcr, { n: 2000 })
    expect(result.nodes).toHaveLength(2000)
    expect(result.nodes).toBe(result.nodes)
    expect(Object.keys(result)).toContain('nodes')
  })

  it('tells every event, and counts by node and link on request', () => {
    const events: TraceEvent[] = []
    const options = {
      ids: [3, 1, 2],
      traffic: true,
      trace: (event: TraceEvent) => events.push(event),
    }
    const { traffic, nodes, messages } = simulate(lcr, options)
    expect(events.filter(({ event }) => event === 'send')).toHaveLength(messages.total)
    expect(traffic).toHaveLength(3)
    expect(nodes[0].sent).toBeGreaterThan(0)
  })

  it('refuses what cannot be, and names the option', () => {
    // @ts-expect-error There is no such option.
    expect(() => simulate(lcr, { crush: [] })).toThrow('crush: there is no option of this name.')
    expect(() => simulate(lcr, { electBy: 'colour' })).toThrow('electBy: ')
    expect(() => simulate(lcr, { maxMessages: -1 })).toThrow('maxMessages: ')
    expect(() => simulate(lcr, { crash: [9] })).toThrow('crash: ')
  })
})

describe('properties of the caller', () => {
  it('are evaluated after every event, on typed states', () => {
    const { verdict } = simulate(counting, {
      ids: [3, 1, 2],
      properties: [
        {
          name: 'position 1 passes nothing on',
          when: 'always',
          broken: ({ state }) => (state(1).passed > 0 ? `${[...state(1).seen]} came by` : null),
        },
        {
          name: 'all take part in the end',
          when: 'at the end',
          broken: ({ state }) => (state(1).participant ? null : 'position 1 does not'),
        },
        {
          name: 'position 1 hears of the largest',
          when: 'eventually',
          broken: ({ state }) => (state(1).seen.has(state(0).id!) ? null : 'not yet'),
        },
        {
          name: 'position 1 hears of a fourth',
          when: 'eventually',
          broken: ({ state }) => (state(1).seen.size > 3 ? null : 'it has not'),
        },
      ],
    })
    expect(verdict.ok).toBe(false)
    expect(verdict.properties.slice(-4)).toMatchObject([
      { name: 'position 1 passes nothing on', holds: false, detail: 'time 1: 3 came by' },
      { name: 'all take part in the end', holds: true },
      { name: 'position 1 hears of the largest', holds: true },
      {
        name: 'position 1 hears of a fourth',
        holds: false,
        detail: 'never in this run: it has not',
      },
    ])
  })

  it('change nothing in the run', () => {
    const properties = [{ name: 'x', when: 'always' as const, broken: () => null }]
    for (const world of ['', '1@2']) {
      const options: SimulateOptions =
        world === '' ? { n: 5, timing: 'sync' } : { n: 5, crash: world }
      const { verdict: _, ...plain } = simulate(lcr, options)
      expect(simulate(lcr, { ...options, properties })).toMatchObject(plain)
    }
  })

  it('that hold in no moment of a run that was stopped are open', () => {
    const properties = [{ name: 'x', when: 'eventually' as const, broken: () => 'no' }]
    const { verdict } = simulate(lcr, { n: 5, until: 2, properties })
    expect(verdict.properties.at(-1)).toMatchObject({ name: 'x', holds: null })
  })

  it.each<[unknown, string]>([
    [{}, 'properties: expected a list of properties'],
    [[{ when: 'always', broken: () => null }], 'properties[0]: a property needs a name'],
    [[{ name: 'x', when: 'never', broken: () => null }], 'properties[0]: expected when'],
    [
      [{ name: 'x', when: 'always', sees: 'all', broken: () => null }],
      'properties[0]: expected sees',
    ],
    [[{ name: 'x', when: 'always' }], 'properties[0]: expected broken'],
    [[{ name: 'x', when: 'always', broken: () => 3 }], 'property "x": broken returned 3'],
    [
      [{ name: 'at most one leader', when: 'always', broken: () => null }],
      'properties[0]: the name',
    ],
  ])('%j are refused', (properties, where) => {
    expect(() => simulate(lcr, { properties: properties as never })).toThrow(where)
  })
})
