import { describe, expect, it } from 'vitest'
import {
  BELL,
  ELECTION,
  explored,
  LIST,
  mine,
  mistake,
  type Parts,
  simulated,
  type Untyped,
} from '../../../../test/support/own-definitions.ts'
import { left, message, timer, uid } from '../../index.ts'

const STRANGER = message({ id: uid })
const OTHER = timer()
/** A variable outside of the state. */
let calls = 0

function fail(parts: object): never {
  throw Object.assign(new Error('x'), parts)
}

const mistakes: [what: string, parts: Parts, said: string][] = [
  [
    'undeclared n',
    { start: (_, net) => net.n },
    "net.n is not available: the definition does not declare it. Add knows: ['n'] to needs.",
  ],
  [
    'undeclared peers',
    { start: (_, net) => net.peer(0) },
    "declare it. Add knows: ['peers'] to needs.",
  ],
  ['undeclared liveness', { start: (_, net) => net.up(0) }, "Add knows: ['liveness'] to needs."],
  ['undeclared weights', { start: (_, net) => net.weight(0) }, "Add knows: ['weights'] to needs."],
  [
    'undeclared direction',
    { start: (_, net) => net.along(1) },
    "Add knows: ['direction'] to needs",
  ],
  ['undeclared coins', { start: (_, net) => net.choose(2) }, 'Add coins: true to needs.'],
  ['undeclared deferral', { election: (_, __, net) => net.defer() }, 'Add defers: true to the'],
  [
    'no ring',
    { needs: { topology: 'any' }, start: (_, net) => net.onward },
    "net.onward is not available: the definition does not declare it. Write topology: 'ring' in needs.",
  ],
  [
    'a misspelt call',
    { start: (_, net) => net.sendall(ELECTION, {}) },
    'Did you mean net.sendAll?',
  ],
  [
    'a leader of nothing',
    { start: (_, net) => net.lead(null) },
    'net.lead is called with null, but it takes nothing or an object with a term.',
  ],
  [
    'a term that is a text',
    { start: (_, net) => net.lead({ term: '1' }) },
    'net.lead needs a whole number from 0 as term; "1" (a string) was given.',
  ],
  [
    'an error whose message is no text',
    { start: () => fail({ message: 3 }) },
    'it threw an Error.',
  ],
  ['an unknown call', { start: (_, net) => net.crown() }, 'net.crown does not exist.'],
  ['a changed net', { start: (_, net) => (net.n = 3) }, 'net.n is not available'],
  [
    'the id of an anonymous node',
    { needs: { ids: undefined }, start: (my) => my.id },
    "my.id is not available: the nodes are anonymous. Add ids: 'unique' to needs.",
  ],
  ['undeclared inputs', { start: (my) => my.value }, "Add knows: ['inputs'] to needs."],
  [
    'an undeclared field, read',
    { start: (my) => my.laps },
    'my.laps is not available: the definition does not declare it. Add it to state: { laps: nat }',
  ],
  ['an undeclared field, counted', { start: (my) => my.laps++ }, 'my.laps is not available'],
  [
    'an undeclared field, written',
    { start: (my) => (my.laps = 1) },
    'Add it to state: { laps: nat }',
  ],
  ['a misspelt field', { start: (my) => (my.cuont = 1) }, 'Did you mean my.count?'],
  [
    'a flag that is a number',
    { start: (my) => (my.once = 3) },
    'my.once is 3, but flag must be true',
  ],
  [
    'a nat below 0',
    { start: (my) => my.count-- },
    'my.count is -1, but nat must be a whole number',
  ],
  ['half a nat', { start: (my) => (my.count = 0.5) }, 'my.count is 0.5, but nat must be a whole'],
  [
    'an id as a string',
    { start: (my) => (my.best = `${my.id}`) },
    'my.best is "3" (a string), but uid must be a whole number from 0 to 2^53 - 1, or null.',
  ],
  [
    'a wrong element',
    { start: (my) => my.seen.add('x') },
    'an element of my.seen is "x" (a string)',
  ],
  ['a wrong element of a list', { start: (my) => my.order.push(-1) }, 'my.order[0] is -1, but nat'],
  ['a wrong key', { start: (my) => my.byLink.set('a', 1) }, 'a key of my.byLink is "a" (a string)'],
  [
    'a wrong field of a record',
    { start: (my) => (my.edge.far = 1) },
    'my.edge.far is 1, but flag must',
  ],
  [
    'an array for a set',
    { start: (my) => (my.seen = [1]) },
    'my.seen is an array, but set must be a Set',
  ],
  [
    'an assigned status',
    { start: (my) => (my.status = 'leader') },
    'my.status cannot be assigned. Call net.lead(), net.follow(id) or net.withdraw().',
  ],
  ['an assigned leader', { start: (my) => (my.leader = 3) }, 'my.leader cannot be assigned.'],
  ['an assigned end', { start: (my) => (my.stopped = true) }, 'Call net.stop().'],
  [
    'an assigned id',
    { start: (my) => (my.id = 3) },
    'my.id cannot be assigned. The id of a node is',
  ],
  [
    'an assigned parameter',
    { start: (my) => my.patience++ },
    'my.patience cannot be assigned: it is a par',
  ],
  ['a deleted field', { start: (my) => delete my.count }, 'Assign a starting value instead.'],
  [
    'no body',
    { start: (_, net) => net.send(left, ELECTION) },
    'ELECTION is sent without a body. Its fields are { id }.',
  ],
  [
    'a body that is none',
    { start: (_, net) => net.send(left, ELECTION, 3) },
    'sent with 3 as its body',
  ],
  [
    'a missing field',
    { start: (_, net) => net.send(left, ELECTION, {}) },
    'without its field id. Write { id }',
  ],
  [
    'an undefined field',
    { start: (_, net) => net.send(left, ELECTION, { id: undefined }) },
    'ELECTION is sent with a wrong value: id is undefined, but uid must be a whole number',
  ],
  [
    'an extra field',
    { start: (my, net) => net.send(left, ELECTION, { id: my.id, hop: 1 }) },
    'ELECTION is sent with a field hop that it does not have. Add it to message({ ... }), or remove it.',
  ],
  [
    'a wrong field',
    { start: (my, net) => net.sendAll(ELECTION, { id: `${my.id}` }) },
    'ELECTION is sent with a wrong value: id is "3" (a string), but uid must be a whole number',
  ],
  [
    'a wrong list',
    { start: (_, net) => net.sendAll(LIST, { ids: [{}] }) },
    'ids[0] is an object, but uid',
  ],
  [
    'no message',
    { start: (_, net) => net.send(left, undefined, {}) },
    'called with undefined, but a mess',
  ],
  [
    'an undeclared message',
    { start: (my, net) => net.send(left, STRANGER, { id: my.id }) },
    'with a message that the definition does not declare. Add it to messages: { ELECTION, LIST }.',
  ],
  [
    'a timer as message',
    { start: (_, net) => net.sendAll(BELL, {}) },
    'net.sendAll is called with',
  ],
  [
    'a link that is not there',
    { start: (my, net) => net.send(5, ELECTION, { id: my.id }) },
    'net.send is called with link 5, but this node has links 0 to 1.',
  ],
  [
    'half a link',
    { start: (my, net) => net.send(0.5, ELECTION, { id: my.id }) },
    'called with link 0.5',
  ],
  [
    'swapped arguments',
    { start: (my, net) => net.send(ELECTION, left, { id: my.id }) },
    'the first argument of net.send is an object, but it must be the number of a link.',
  ],
  [
    'from without a message',
    { start: (my, net) => net.send(net.from, ELECTION, { id: my.id }) },
    'net.from is -1',
  ],
  [
    'an undeclared timer',
    { start: (_, net) => net.after(1, OTHER) },
    'with a timer that the definition does',
  ],
  [
    'a message as timer',
    { start: (_, net) => net.after(1, ELECTION) },
    'with a message, but a timer is needed',
  ],
  [
    'a delay below 0',
    { start: (_, net) => net.after(-1, BELL) },
    'net.after is called with the delay -1.',
  ],
  ['a delay of no number', { start: (_, net) => net.after('1', BELL) }, 'the delay "1" (a string)'],
  [
    'a leader as a string',
    { start: (_, net) => net.follow('3') },
    'the argument of net.follow is "3" (a st',
  ],
  ['no leader', { start: (_, net) => net.follow() }, 'the argument of net.follow is undefined'],
  [
    'a leader with an id on an anonymous ring',
    { needs: { ids: undefined }, start: (_, net) => net.follow(1) },
    'the nodes are anonymous. Write net.follow(null).',
  ],
  [
    'no choice',
    { needs: { coins: true }, start: (_, net) => net.choose(0) },
    'net.choose(k) is called with 0',
  ],
  ['changed links', { start: (_, net) => net.links.push(3) }, 'cannot be changed: make a copy'],
  [
    'a new field of a body',
    { election: (_, body) => (body.hop = 3) },
    'ELECTION has no field hop.',
  ],
  [
    'a field that a message does not have',
    { election: (_, body) => body.hop },
    'ELECTION has no field hop.',
  ],
  [
    'a promise',
    { election: () => Promise.reject(new Error('too late')) },
    'it returns a promise, but nothing waits for it. Remove async and await.',
  ],
  [
    'an error',
    {
      election: () => {
        throw new Error('I won')
      },
    },
    'it threw "I won".',
  ],
  [
    'anything',
    {
      election: () => {
        throw null
      },
    },
    'it threw null.',
  ],
  ['a defect', { election: (my) => my.seen.push(3) }, 'it threw "my.seen.push is not a function".'],
  [
    'itself for ever',
    {
      election: function again(my, body, net): unknown {
        return again(my, body, net)
      },
    },
    'Does it call itself',
  ],
]

describe('a handler that makes a mistake', () => {
  it.each(mistakes)('is told so at once: %s', (_, parts, said) => {
    const error = mistake(() => simulated(mine(parts)))
    expect(error.message).toContain(said)
    const handler = parts.start ? 'start' : 'ELECTION'
    expect(error.message).toMatch(new RegExp(`^mine: ${handler} at position \\d`))
    expect(error.message).not.toContain('\n')
    expect(mistake(() => explored(mine(parts))).problem).toBe(error.problem)
  })

  it('is named with its place, and its stack is that of the handler', () => {
    const election = (my: Untyped) => my.laps++
    const error = mistake(() => simulated(mine({ election })))
    const { handler, position, id, time } = error
    expect({ handler, position, id, time }).toEqual({
      handler: 'ELECTION',
      position: 1,
      id: 1,
      time: 1,
    })
    expect(error.message).toContain('mine: ELECTION at position 1 (id 1), time 1: ')
    expect(error.stack?.split('\n').find((line) => line.includes('mistakes.test.ts'))).toContain(
      'election',
    )
    const own = new Error('I won')
    const thrown = mistake(() =>
      simulated(
        mine({
          election() {
            throw own
          },
        }),
      ),
    )
    expect(thrown.cause).toBe(own)
    expect(thrown.stack).toContain('mistakes.test.ts')
  })

  it.each<[string, Parts]>([
    ['a spoiled collection', { start: (my) => my.order.push(-1) }],
    ['a field that differs', { start: (my) => (my.count = calls++) }],
    ['an action that differs', { start: (_, net) => net.after(calls++, BELL) }],
  ])('is found in the stack also where it is noticed later: %s', (_, parts) => {
    const { stack } = mistake(() => simulated(mine(parts)))
    const frame = stack?.split('\n').find((line) => line.includes('mistakes.test.ts'))
    expect(frame).toContain('start')
  })

  it('is named also for timers, notices and recoveries', () => {
    const fails = (my: Untyped) => my.laps++
    const ringing = mine({
      start: (_, net) => net.after(2, BELL),
      more: { timeout: { BELL: fails } },
    })
    expect(mistake(() => simulated(ringing)).handler).toBe('timeout BELL')
    const lasting = { needs: { topology: 'complete', knows: ['liveness'] } }
    const down = mine({ ...lasting, more: { down: fails, lasting: true } })
    expect(mistake(() => simulated(down, { n: '3', crash: '1@1' })).handler).toBe('down')
    const recovering = mine({ ...lasting, more: { recover: fails, lasting: true } })
    const back = { n: '3', crash: '1@1', recover: '1@5' }
    expect(mistake(() => simulated(recovering, back)).handler).toBe('recover')
  })

  it('cannot come back later: neither by a callback nor by what it has kept', () => {
    const kept: Untyped[] = []
    simulated(mine({ start: (my, net) => kept.push([my, net]) && undefined }))
    const [my, net] = kept[0]
    const late = 'my or net is used after the handler has returned. Use neither setTimeout nor'
    for (const use of [
      () => my.count,
      () => (my.count = 1),
      () => net.lead(),
      () => net.from,
      () => net.send(left, ELECTION, { id: 1 }),
    ])
      expect(use).toThrow(late)
  })

  it('on a hypercube is told that link numbers are the directions', () => {
    const needs = { topology: 'hypercube', knows: ['direction'] }
    for (const start of [
      (_: Untyped, net: Untyped) => net.along(1),
      (_: Untyped, net: Untyped) => net.places(0),
    ])
      expect(mistake(() => simulated(mine({ needs, start }), { n: '4' })).message).toContain(
        'On a hypercube link b leads across coordinate b: use the number of the link.',
      )
    const far = (my: Untyped, net: Untyped) => net.send(2, ELECTION, { id: my.id })
    expect(mistake(() => simulated(mine({ needs, start: far }), { n: '4' })).message).toContain(
      'net.send is called with link 2, but this node has links 0 to 1.',
    )
  })

  it('that sends without end is stopped', () => {
    const start = (my: Untyped, net: Untyped) => {
      for (;;) net.send(left, ELECTION, { id: my.id })
    }
    expect(mistake(() => simulated(mine({ start }))).message).toContain(
      'it has sent more than 1,000,000 messages and has not returned.',
    )
  })
})
