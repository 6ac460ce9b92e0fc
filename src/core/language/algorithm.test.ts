import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Status } from '../runtime/state.ts'
import { type Algorithm, algorithm, type NetOf, type StateOf } from './algorithm.ts'
import { list, set } from './collections.ts'
import { message, timer } from './message.ts'
import { left } from './net.ts'
import type { Property } from './problem.ts'
import type { NetworkFacts, Theory } from './theory.ts'
import {
  compareIds,
  flag,
  type JsonValues,
  larger,
  maybe,
  nat,
  numericUid,
  real,
  smaller,
  type Uid,
  uid,
} from './value-types.ts'

const TOKEN = message({ id: uid, hop: nat })
const LEADER = message({ id: uid })
const OTHER = message({ word: flag })
const SILENCE = timer()
const theory: Theory = {
  ...{ authors: '', idea: '', because: '', breaks: '', example: '', cost: '' },
  bounds: [],
}

describe('an algorithm', () => {
  const made = algorithm({
    name: 'sample',
    needs: { topology: 'ring', ids: 'unique' },
    messages: { TOKEN, LEADER },
    announcement: 'LEADER',
    timers: { SILENCE },
    params: { patience: { says: 'how long to wait', value: ({ n }: NetworkFacts) => 2 * n } },
    state: { first: maybe(uid) },
    wakes: true,
    start() {},
    on: { TOKEN() {}, LEADER() {} },
    timeout: { SILENCE() {} },
    theory,
  })

  it('numbers its messages and timers in their order and names them in lower case', () => {
    expect(made.kinds.map(({ index, name, announces }) => ({ index, name, announces }))).toEqual([
      { index: 0, name: 'token', announces: false },
      { index: 1, name: 'leader', announces: true },
    ])
    expect(made.timers.map(({ index, name }) => ({ index, name }))).toEqual([
      { index: 0, name: 'silence' },
    ])
  })

  it('finds its own messages and timers and no others', () => {
    expect(made.kindBySerial[TOKEN.serial]).toBe(0)
    expect(made.kindBySerial[LEADER.serial]).toBe(1)
    expect(made.kindBySerial[OTHER.serial]).toBeUndefined()
    expect(made.timerBySerial[SILENCE.serial]).toBe(0)
    expect(made.timerBySerial[timer().serial]).toBeUndefined()
  })

  it('says in one text on what two processes must agree', () => {
    expect(made.schema).toBe('sample(token{id:uid,hop:nat};leader{id:uid})')
  })

  it('knows no world beyond its reach, unless it says so', () => {
    const facts = { n: 1, links: 1, smallestId: 0, largestId: 0, starters: 1 }
    const more = {
      smallestStarter: 0,
      together: true,
      largestDelay: 1,
      diameter: 0,
      leaderId: null,
    }
    expect(made.beyond({ ...facts, ...more })).toBeNull()
    expect(made.params.patience.value({ ...facts, ...more, n: 5 })).toBe(10)
  })

  it('may share its messages with another, each with its own handlers and numbers', () => {
    const other = algorithm({
      name: 'other',
      needs: { topology: 'ring' },
      messages: { LEADER, TOKEN },
      state: {},
      wakes: false,
      start() {},
      on: { TOKEN() {}, LEADER() {} },
      theory,
    })
    expect(other.kindBySerial[TOKEN.serial]).toBe(1)
    expect(made.kindBySerial[TOKEN.serial]).toBe(0)
    expect(other.kinds[1].handle).not.toBe(made.kinds[0].handle)
  })
})

describe('the types of a definition', () => {
  const needs = { topology: 'ring', ids: 'unique', knows: ['n'] } as const
  const announce = (net: NetOf<typeof needs>, id: Uid) => {
    net.send(net.onward, LEADER, { id })
    // @ts-expect-error Ids are compared, never computed with.
    net.send(net.onward, LEADER, { id: id + net.n })
    // @ts-expect-error These needs do not ask for the ids of the neighbours.
    return () => net.peer(left)
  }
  const cube = { topology: 'hypercube', ids: 'unique', knows: ['n', 'direction'] } as const
  const across = (net: NetOf<typeof cube>, id: Uid) => {
    if (net.n > 1) net.send(0, LEADER, { id })
    // @ts-expect-error On a hypercube there is no cycle to go along.
    return () => net.along(1)
  }
  it('of a hypercube are those of its links', () => expect(across).toBeTypeOf('function'))
  const typed = algorithm({
    name: 'typed',
    needs,
    messages: { TOKEN, LEADER },
    params: {
      patience: { says: 'how long to wait', value: () => 2 },
      side: { says: 'where to send', choices: ['left', 'right'], value: () => 'left' as const },
    },
    state: { seen: set(uid), asleepFor: nat, first: maybe(uid) },
    wakes: true,
    start(my, net) {
      announce(net, my.id)
    },
    on: { TOKEN() {}, LEADER() {} },
  })

  it('stay with the algorithm: state, message types and parameters', () => {
    expectTypeOf(typed).toExtend<Algorithm>()
    expectTypeOf<StateOf<typeof typed>['seen']>().toEqualTypeOf<Set<Uid>>()
    expectTypeOf<StateOf<typeof typed>['first']>().toEqualTypeOf<Uid | null>()
    expectTypeOf<StateOf<typeof typed>['status']>().toEqualTypeOf<Status>()
    expectTypeOf<StateOf<typeof typed>['patience']>().toEqualTypeOf<number>()
    expectTypeOf<StateOf<typeof typed>['side']>().toEqualTypeOf<'left' | 'right'>()
    expectTypeOf<(typeof typed.kinds)[number]['name']>().toEqualTypeOf<'token' | 'leader'>()
    expectTypeOf<JsonValues<typeof typed.layout.own>>().toEqualTypeOf<{
      readonly seen: number[]
      readonly asleepFor: number
      readonly first: number | null
    }>()
    expect(Object.keys(typed.params)).toEqual(['patience', 'side'])
  })

  it('type the states that a property looks at', () => {
    const property: Property<StateOf<typeof typed>> = {
      name: 'no node hears of seven ids',
      when: 'always',
      broken({ n, state }) {
        // @ts-expect-error There is no such field.
        state(0).sene
        for (let node = 0; node < n; node++) if (state(node).seen.size > 6) return `${node} did`
        return null
      },
    }
    expect(property.when).toBe('always')
  })

  it('give a parameter the facts of the network without an annotation', () => {
    const patient = algorithm({
      ...{ name: 'patient', needs: { topology: 'ring' }, messages: {}, state: {}, wakes: false },
      params: { patience: { says: 'how long to wait', value: ({ n }) => 2 * n } },
      start() {},
      on: {},
    })
    expectTypeOf<StateOf<typeof patient>['patience']>().toEqualTypeOf<number>()
  })
})

describe('ids', () => {
  it('are compared, never computed with', () => {
    const compared = algorithm({
      name: 'compared',
      needs: { topology: 'complete', ids: 'unique', knows: ['peers'] },
      messages: { LEADER },
      state: { best: uid, seen: list(uid) },
      wakes: true,
      start(my, net) {
        const peer = net.peer(net.links[0])
        const comparisons = [my.id < peer, my.id >= my.best, my.id === peer, my.leader === my.id]
        my.seen = [my.id, peer].sort(compareIds)
        my.best = larger(my.best, smaller(my.id, peer))
        if (comparisons.every(Boolean)) net.follow(my.best)
        // @ts-expect-error No arithmetic.
        my.best = my.id + 1
        // @ts-expect-error No difference.
        my.seen.sort((a, b) => a - b)
        // @ts-expect-error No comparison with a number.
        if (my.id === 3) net.lead()
        // @ts-expect-error Nor this one.
        if (my.id > 3) net.lead()
        // @ts-expect-error Not a number.
        net.follow(Math.max(my.id, peer))
      },
      on: { LEADER() {} },
    })
    expectTypeOf<StateOf<typeof compared>['id']>().toEqualTypeOf<Uid | undefined>()
    expectTypeOf<JsonValues<typeof compared.layout.own>['seen']>().toEqualTypeOf<number[]>()
    expect(compared.kinds[0].codec.schema).toBe('id:uid')
  })

  it('are numbers where the definition says that it computes with them', () => {
    const COUNT = message({ id: numericUid })
    const computing = algorithm({
      name: 'computing',
      needs: { topology: 'ring', ids: 'numbers', knows: ['peers'] },
      messages: { COUNT },
      state: { next: numericUid },
      wakes: true,
      start(my, net) {
        my.next = my.id + net.peer(left)
        net.follow(my.next)
        if (my.leader === 7) net.send(left, COUNT, { id: 2 * my.id })
      },
      on: { COUNT() {} },
    })
    expect(computing.kinds[0].codec.schema).toBe('id:uid')
  })

  it('are ordered like the numbers that they are', () => {
    const [two, ten] = [2, 10] as unknown as [Uid, Uid]
    expect([larger(two, ten), larger(ten, two), smaller(two, ten)]).toEqual([10, 10, 2])
    expect([ten, two].sort(compareIds)).toEqual([2, 10])
    expect(compareIds(two, two)).toBe(0)
  })
})

describe('a reserved name', () => {
  const ring = { topology: 'ring', ids: 'unique' } as const
  const rest = { wakes: true, start() {}, on: { TOKEN() {} } } as const
  const messages = { TOKEN }

  it('is refused by its type and when the definition is made', () => {
    const status = () =>
      // @ts-expect-error Every node has a status.
      algorithm({ ...rest, name: 'a', needs: ring, messages, state: { status: flag } })
    expect(status).toThrow(
      'a: state: The name "status" is reserved: every node has a field of that name. Choose another name.',
    )
    const params = { patience: { says: 'how long to wait', value: () => 2 } }
    const patience = () =>
      // @ts-expect-error There is a parameter of that name.
      algorithm({ ...rest, name: 'b', needs: ring, messages, params, state: { patience: nat } })
    expect(patience).toThrow('b: state: The name "patience" is reserved: a parameter has that name')
    const input = { topology: 'any', knows: ['inputs'] } as const
    const value = () =>
      // @ts-expect-error A node that brings an input has a value.
      algorithm({ ...rest, name: 'c', needs: input, messages, state: { value: nat } })
    expect(value).toThrow('c: state: The name "value" is reserved: it is an input of the node')
    const attempt = () =>
      // @ts-expect-error A ring election may start again, and then counts its attempts.
      algorithm({ ...rest, name: 'd', needs: ring, messages, state: { attempt: nat } })
    expect(attempt).toThrow('d: state: The name "attempt" is reserved: a ring election')
    const node = () =>
      // @ts-expect-error The engines keep the position of a node under that name.
      algorithm({ ...rest, name: 'e', needs: ring, messages, state: { node: nat, y: real } })
    expect(node).toThrow('e: state: The name "node" is reserved: it is the position of the node')
  })

  it('is refused where only the values show it', () => {
    const other = { topology: 'any' } as const
    const base = { ...rest, name: 'e', needs: other }
    const deferred = () => algorithm({ ...base, defers: true, messages, state: { waiting: nat } })
    expect(deferred).toThrow('e: state: The name "waiting" is reserved: deferred messages')
    const params = { id: { says: 'an id', value: () => 1 } }
    expect(() => algorithm({ ...base, messages, params, state: {} })).toThrow(
      'e: params: The name "id" is reserved',
    )
    const node = { node: { says: 'a position', value: () => 1 } }
    expect(() => algorithm({ ...base, messages, params: node, state: { sum: real } })).toThrow(
      'e: params: The name "node" is reserved: it is the position of the node',
    )
    const numbered = { TOKEN: message({ attempt: nat }) }
    expect(() =>
      algorithm({ ...rest, name: 'f', needs: ring, messages: numbered, state: {} }),
    ).toThrow('f: messages: TOKEN: The name "attempt" is reserved')
  })

  it('is free where nothing else has it', () => {
    const needs = { topology: 'complete', ids: 'unique' } as const
    const state = { value: nat, begun: flag, waiting: flag, attempt: nat }
    expect(algorithm({ ...rest, name: 'g', needs, messages, state }).name).toBe('g')
  })
})

/* What follows is checked by the compiler: each line that it must refuse is marked. */
describe('what an algorithm does not ask for it cannot see', () => {
  it('nodes are anonymous unless ids are needed', () => {
    algorithm({
      name: 'anonymous',
      needs: { topology: 'ring' },
      messages: { LEADER },
      state: {},
      wakes: false,
      start(my, net) {
        // @ts-expect-error An anonymous node has no id.
        net.send(left, LEADER, { id: my.id })
      },
      on: { LEADER() {} },
      theory,
    })
    expect(true).toBe(true)
  })

  it('algorithms are uniform unless n is known', () => {
    algorithm({
      name: 'uniform',
      needs: { topology: 'ring', ids: 'unique' },
      messages: { LEADER },
      state: { count: nat },
      wakes: false,
      start(my, net) {
        // @ts-expect-error A uniform algorithm does not know how many nodes there are.
        my.count = net.n
        // @ts-expect-error Nor may it make random choices.
        my.count = net.choose(2)
        // @ts-expect-error Nor does it know its neighbours.
        my.count = net.peer(left)
        net.send(left, LEADER, { id: my.id })
      },
      on: {
        LEADER(my, { id }, net) {
          // @ts-expect-error Its own id is not to be changed.
          my.id = id
          // @ts-expect-error The outcome changes through the net alone.
          my.status = 'leader'
          // @ts-expect-error There is no such field.
          my.counter = 1
          net.send(net.onward, LEADER, { id })
        },
      },
      theory,
    })
    expect(true).toBe(true)
  })

  it('the ring is known only to algorithms of the ring', () => {
    algorithm({
      name: 'anywhere',
      needs: { topology: 'any', ids: 'numbers', knows: ['n', 'peers'], coins: true },
      messages: { TOKEN, LEADER },
      state: { count: nat },
      wakes: false,
      start(my, net) {
        my.count = net.n + net.choose(2) + net.peer(net.links[0])
        // @ts-expect-error There is no way onward in a graph.
        net.send(net.onward, LEADER, { id: 1 })
        // @ts-expect-error A body has all the fields of its message.
        net.sendAll(TOKEN, { id: 1 })
        // @ts-expect-error And no others.
        net.sendAll(LEADER, { id: 1, hop: 1 })
        // @ts-expect-error A field holds what its type says.
        my.count = true
      },
      on: {
        LEADER() {},
        TOKEN(_my, body) {
          // @ts-expect-error A message has no fields but its own.
          body.word
        },
      },
      theory,
    })
    expect(true).toBe(true)
  })

  it('every message has a handler, and every announcement is a message', () => {
    const definition = {
      ...{ name: 'mute', needs: { topology: 'ring' }, state: {}, wakes: false, theory },
      start() {},
    } as const
    const on = { TOKEN() {} }
    // @ts-expect-error LEADER has no handler.
    const mute = () => algorithm({ ...definition, messages: { TOKEN, LEADER }, on })
    expect(mute).toThrow('mute: on: there is no handler for LEADER.')
    const announced = { ...definition, messages: { TOKEN }, announcement: 'LEADER', on } as const
    // @ts-expect-error There is no message of that name.
    expect(() => algorithm(announced)).toThrow('mute: announcement: "LEADER"')
  })
})
