import { describe, expect, it } from 'vitest'
import { lcr } from '../../../algorithms/ring/lcr.ts'
import { UsageError } from '../../usage-error.ts'
import { type Algorithm, algorithm } from '../algorithm.ts'
import { list, map, pair, record, set } from '../collections.ts'
import { message, timer } from '../message.ts'
import { flag, maybe, nat, oneOf, stable, uid } from '../value-types.ts'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })
const SILENCE = timer()

const right = {
  name: 'mine',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  state: { passive: flag },
  wakes: true,
  start() {},
  on: { ELECTION() {}, LEADER() {} },
}

/** A definition as plain JavaScript gives it. */
const untyped = algorithm as unknown as (definition: unknown) => Algorithm

function refusal(make: () => unknown): string {
  try {
    make()
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return ''
}

const without = (member: string) =>
  Object.fromEntries(Object.entries(right).filter(([name]) => name !== member))
const needs = (changed: object) => ({ ...right, needs: { topology: 'ring', ...changed } })
const state = (fields: unknown) => ({ ...right, state: fields })
const changed = (members: object) => ({ ...right, ...members })

const refused: [what: string, definition: unknown, message: string][] = [
  ['no definition', undefined, 'algorithm: expected a definition, got undefined.'],
  ['no name', without('name'), "algorithm: the definition has no name. Write name: 'my-election'."],
  ['an empty name', changed({ name: ' ' }), 'algorithm: name is " " (a string)'],
  [
    'no needs',
    without('needs'),
    "mine: needs: it is missing. Write needs: { topology: 'ring', ids: 'unique' }.",
  ],
  [
    'a misspelt topology',
    needs({ topology: 'rings' }),
    'mine: needs: topology: "rings" (a string) is unknown. Did you mean ring?',
  ],
  ['no topology', { ...right, needs: { ids: 'unique' } }, 'mine: needs: topology is missing.'],
  [
    'a misspelt need',
    needs({ know: ['n'] }),
    'there is no member know in needs. Did you mean knows?',
  ],
  [
    'unknown knowledge',
    needs({ knows: ['size'] }),
    'knows: "size" (a string) is unknown. Did you mean n?',
  ],
  ['knowledge that is no list', needs({ knows: 'n' }), 'got "n" (a string). Write knows: [\'n\'].'],
  [
    'unknown time',
    needs({ time: 'round' }),
    'time: "round" (a string) is unknown. Did you mean rounds?',
  ],
  [
    'unknown order',
    needs({ order: 'lifo' }),
    'order: "lifo" (a string) is unknown. Did you mean fifo?',
  ],
  [
    'unknown start',
    needs({ start: true }),
    "start: true (a boolean) is unknown. Write 'together'.",
  ],
  ['unknown coins', needs({ coins: 'yes' }), 'coins: "yes" (a string) is unknown. Write true.'],
  [
    'unknown ids',
    needs({ ids: 'uniqe' }),
    'ids: "uniqe" (a string) is unknown. Did you mean unique?',
  ],
  [
    'a misspelt member',
    changed({ announcment: 'LEADER' }),
    'mine: there is no member announcment in a definition. Did you mean announcement?',
  ],
  ['no start', without('start'), 'mine: start: it is missing. Write start(my, net) { ... }.'],
  [
    'no on',
    without('on'),
    'mine: on: it is missing. Write on: { ELECTION(my, body, net) { ... } }.',
  ],
  [
    'no messages',
    without('messages'),
    'mine: messages: it is missing. Write messages: { ELECTION }.',
  ],
  ['no state', without('state'), 'mine: state: it is missing. Write state: {}.'],
  ['no wakes', without('wakes'), 'mine: wakes: it is missing.'],
  [
    'wakes that is no boolean',
    changed({ wakes: 1 }),
    'mine: wakes: it is 1, but it must be true or',
  ],
  [
    'a message without message()',
    changed({ messages: { ELECTION: { id: uid }, LEADER } }),
    'mine: messages: ELECTION: expected a message, got an object. Declare it with const ELECTION',
  ],
  [
    'a message that is a timer',
    changed({ messages: { ELECTION: SILENCE, LEADER } }),
    'messages: ELECTION: expected a message',
  ],
  [
    'one message under two names',
    changed({ messages: { ELECTION, LEADER: ELECTION } }),
    'mine: messages: ELECTION and LEADER are the same message.',
  ],
  [
    'two names that differ in case',
    changed({ messages: { LEADER, leader: ELECTION }, on: { LEADER() {}, leader() {} } }),
    'LEADER and leader have the same name in results',
  ],
  [
    'Boolean',
    state({ once: Boolean }),
    'mine: state: the field once is the function Boolean, but a',
  ],
  ['Boolean, with the remedy', state({ once: Boolean }), 'Write flag.'],
  ['false', state({ once: false }), 'Write flag: it starts as false.'],
  [
    "'boolean'",
    state({ once: 'boolean' }),
    'the field once is "boolean" (a string), but a type is needed. Write flag.',
  ],
  ['3', state({ once: 3 }), 'the field once is 3, but a type is needed. Write nat, real or uid'],
  ["'uid'", state({ once: 'uid' }), "Write uid without quotes, and import it from 'conclave'."],
  ['null', state({ once: null }), 'Write maybe(uid)'],
  ['undefined', state({ once: undefined }), "Is its name misspelt, or its import from 'conclave'"],
  ['[]', state({ once: [] }), 'Write list(uid)'],
  [
    'list without its type',
    state({ once: list }),
    'Call it with the type that it is made of: list(uid).',
  ],
  ['a word', state({ once: 'active' }), 'write oneOf("active", ...)'],
  [
    'an announcement that is no message',
    changed({ announcement: 'LEADR' }),
    'mine: announcement: "LEADR" (a string) is not one of the messages. Did you mean LEADER?',
  ],
  [
    'an unknown winner',
    changed({ elects: 'smallest' }),
    'mine: elects: "smallest" (a string) is unknown.',
  ],
  [
    'unknown starters',
    changed({ starters: 'one' }),
    'mine: starters: "one" (a string) is unknown.',
  ],
  [
    'a timer without timer()',
    changed({ timers: { SILENCE: 3 }, timeout: { SILENCE() {} } }),
    'mine: timers: SILENCE: expected a timer, got 3. Declare it with const SILENCE = timer().',
  ],
  [
    'a timer without a handler',
    changed({ timers: { SILENCE } }),
    'mine: timeout: there is no handler for SILENCE. Write timeout: { SILENCE(my, net) { ... } }.',
  ],
  [
    'a parameter that is a number',
    changed({ params: { patience: 4 } }),
    "mine: params: patience: expected a parameter, got 4. Write patience: { says: 'what it means', value: () => 4 }.",
  ],
  [
    'a parameter without a meaning',
    changed({ params: { patience: { value: () => 4 } } }),
    'mine: params: patience: says is missing',
  ],
  [
    'a parameter without a value',
    changed({ params: { patience: { says: 'how long', value: 4 } } }),
    'value is 4, but it must be a function that returns the default. Write value: () => 4.',
  ],
  [
    'an async handler',
    changed({ on: { async ELECTION() {}, LEADER() {} } }),
    'mine: on: ELECTION: ELECTION is async, but a handler runs to completion: nothing is awaited. Remove async',
  ],
  ['an async start', changed({ async start() {} }), 'mine: start: start is async'],
  ['a generator', changed({ *start() {} }), 'mine: start: start is a generator'],
  [
    'a handler for an unknown message',
    changed({ on: { ELECTION() {}, LEADER() {}, ELECTON() {} } }),
    'mine: on: ELECTON is not one of the messages. Did you mean ELECTION?',
  ],
  [
    'a missing handler',
    changed({ on: { ELECTION() {} } }),
    'mine: on: there is no handler for LEADER. Write on: { LEADER(my, body, net) { ... } }.',
  ],
  [
    'an unknown part of a display',
    changed({ display: { bagde: {} } }),
    'mine: display: there is no member bagde in a display. Did you mean badge?',
  ],
  [
    'a displayed value without a name',
    changed({ display: { badge: { of: () => 1 } } }),
    'mine: display: badge: name is missing: what the value is. Write badge: { name:',
  ],
  [
    'a deciding field that the message does not have',
    changed({ display: { decides: { ELECTION: 'ids' } } }),
    'mine: display: decides: ELECTION: "ids" (a string) is no field of the message. Did you mean id?',
  ],
  [
    'a reason for an unknown message',
    changed({ reasons: { ELECTON: () => 'waits' } }),
    'mine: reasons: ELECTON is not one of the messages and timers. Did you mean ELECTION?',
  ],
  [
    'a reason that is no function',
    changed({ reasons: { ELECTION: 'waits' } }),
    'mine: reasons: ELECTION: expected a function, got "waits" (a string). Write ELECTION: (my) => ...',
  ],
  [
    'a handler that is no function',
    changed({ start: 3 }),
    'mine: start: expected a function, got 3.',
  ],
]

describe('a malformed definition', () => {
  it.each(refused)('is refused with the remedy: %s', (_, definition, expected) => {
    expect(refusal(() => untyped(definition))).toContain(expected)
  })

  it('is refused with a usage error for any member of another kind', () => {
    const kinds = [undefined, null, 0, '', 'x', true, [], {}, () => {}, Symbol('x'), 1n]
    for (const member of [
      ...Object.keys(right),
      'timers',
      'params',
      'timeout',
      'down',
      'theory',
      'display',
      'reasons',
    ])
      for (const value of kinds)
        expect(() => refusal(() => untyped({ ...right, [member]: value }))).not.toThrow()
  })

  it('is refused by the compiler, too', () => {
    const rest = {
      name: 'mine',
      needs: { topology: 'ring' },
      messages: {},
      state: {},
      wakes: true,
    } as const
    expect(() =>
      algorithm({
        ...rest,
        // @ts-expect-error Nothing waits for the promise.
        async start() {},
        on: {},
      }),
    ).toThrow('start is async')
    // @ts-expect-error There is no such topology.
    expect(() => algorithm({ ...rest, needs: { topology: 'rings' }, start() {}, on: {} })).toThrow()
    // @ts-expect-error A type of the language is needed.
    expect(() => algorithm({ ...rest, state: { once: Boolean }, start() {}, on: {} })).toThrow()
  })
})

it('no definition of the catalogue is refused', () => {
  expect(refusal(() => untyped({ ...right, theory: lcr.theory }))).toBe('')
})

describe('a type that is made of no type', () => {
  const wrong = 'uid' as never
  it.each<[string, () => unknown]>([
    ['message: the field id is "uid" (a string)', () => message({ id: wrong })],
    ['message: expected an object', () => message(uid as never)],
    ['list: its argument is "uid" (a string)', () => list(wrong)],
    ['set: its argument is "uid" (a string)', () => set(wrong)],
    ['map: its first argument is "uid" (a string)', () => map(wrong, nat)],
    ['map: its second argument is "uid" (a string)', () => map(nat, wrong)],
    ['pair: its first argument is "uid" (a string)', () => pair(wrong, nat)],
    ['record: the field id is "uid" (a string)', () => record({ id: wrong })],
    ['maybe: its argument is "uid" (a string)', () => maybe(wrong)],
    ['stable: its argument is "uid" (a string)', () => stable(wrong)],
    ['oneOf: expected words, got none.', () => oneOf()],
    ['oneOf: expected words, got 3.', () => oneOf(3 as never)],
  ])('is refused at once: %s', (expected, make) => {
    expect(refusal(make)).toContain(expected)
  })
})
