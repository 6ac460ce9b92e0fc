import { describe, expect, it } from 'vitest'
import { algorithm } from './algorithm.ts'
import { message, timer } from './message.ts'
import { left } from './net.ts'
import type { NetworkFacts, Theory } from './theory.ts'
import { flag, maybe, nat, uid } from './value-types.ts'

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
    expect(made.alarms.map(({ index, name }) => ({ index, name }))).toEqual([
      { index: 0, name: 'silence' },
    ])
  })

  it('finds its own messages and timers and no others', () => {
    expect(made.kindBySerial[TOKEN.serial]).toBe(0)
    expect(made.kindBySerial[LEADER.serial]).toBe(1)
    expect(made.kindBySerial[OTHER.serial]).toBeUndefined()
    expect(made.alarmBySerial[SILENCE.serial]).toBe(0)
    expect(made.alarmBySerial[timer().serial]).toBeUndefined()
  })

  it('says in one text on what two processes must agree', () => {
    expect(made.schema).toBe('sample(token{id:uid,hop:nat};leader{id:uid})')
  })

  it('knows no world beyond its reach, unless it says so', () => {
    const facts = { n: 1, links: 1, smallestId: 0, largestId: 0, starters: 1 }
    const more = { smallestStarter: 0, together: true, largestDelay: 1, leaderId: null }
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
        // @ts-expect-error Nor has it coins.
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
      needs: { topology: 'any', ids: 'unique', knows: ['n', 'peers'], coins: true },
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
    expect(mute).toThrow('mute: on: a handler for LEADER is needed, but there is none.')
    // @ts-expect-error There is no message of that name.
    algorithm({ ...definition, messages: { TOKEN }, announcement: 'LEADER', on })
  })
})
