import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_FAULT_FIELDS, type PlannedFaults, parseFaults, printFaults } from './fault-fields.ts'

const field = (name: string) => name
const parse = (fields: object) => parseFaults({ ...NO_FAULT_FIELDS, ...fields }, field)

const node = fc.nat({ max: 1_000_000 })
const time = fc.oneof(fc.nat(), fc.double({ min: 0, max: 2 ** 53 - 1, noNaN: true })).map(Math.abs)
/** A record whose other members may be left out. */
const having = <T extends object, K extends keyof T & string>(
  members: { [M in keyof T]: fc.Arbitrary<T[M]> },
  ...requiredKeys: K[]
) => fc.record(members, { requiredKeys })
const interval = { from: time, to: time }
const list = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { maxLength: 4 })
const faults: fc.Arbitrary<PlannedFaults> = fc.record({
  crash: list(
    fc.oneof(
      having({ node, at: time }, 'node'),
      fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs), at: time }),
    ),
  ),
  recover: list(having({ node, at: time, id: node, amnesia: fc.constant(true) }, 'node', 'at')),
  retire: list(fc.record({ node, at: time })),
  suspect: list(having({ node, ...interval }, 'node')),
  partition: list(
    having(
      {
        groups: fc.array(fc.array(node, { minLength: 1, maxLength: 3 }), { minLength: 2 }),
        ...interval,
      },
      'groups',
    ),
  ),
  cut: list(having({ link: fc.tuple(node, node), oneWay: fc.constant(true), ...interval }, 'link')),
  pause: list(having({ node, ...interval }, 'node')),
  tamper: list(
    fc.oneof(having({ drop: node, at: time }, 'drop'), fc.record({ arrive: node, at: time })),
  ),
  detect: fc.oneof(time, fc.constant('off' as const)),
  loss: fc.double({ min: 0, max: 1, noNaN: true }),
  duplicate: fc.double({ min: 0, max: 1, noNaN: true }),
  again: fc.oneof(time, fc.constant('never' as const)),
  mobility: fc.double({ min: 0, max: 1, noNaN: true }),
})

describe('the text of a fault plan', () => {
  it('describes it completely', () => {
    fc.assert(
      fc.property(faults, (one) => {
        expect(parse(printFaults(one))).toEqual(one)
      }),
    )
  })

  it('has a normal form', () => {
    fc.assert(
      fc.property(faults, (one) => {
        const text = printFaults(one)
        expect(printFaults(parse(text))).toEqual(text)
      }),
    )
    const text = {
      crash: ' 7, 2@4.50,.5@10,1.@1e2',
      recover: '007@3.0:id=02,1@2:amnesia,1@2:id=3:amnesia',
      suspect: '3,4@..9',
      partition: ' 0, 1/2@3..4 ;5/6',
      cut: '0-1@5,2-3@5..9.0,02to1,3>0@1',
      pause: '2@10..20.0, 3@4',
      tamper: 'drop:17, drop:3@5.50,arrive:4@1',
    }
    expect(printFaults(parse(text))).toEqual({
      ...NO_FAULT_FIELDS,
      crash: '7,2@4.5,0.5@10,1.0@100',
      recover: '7@3:id=2,1@2:amnesia,1@2:id=3:amnesia',
      suspect: '3,4@..9',
      partition: '0,1/2@3..4;5/6',
      cut: '0-1@5,2-3@5..9,2to1,3to0@1',
      pause: '2@10..20,3@4',
      tamper: 'drop:17,drop:3@5.5,arrive:4@1',
    })
  })

  it('is the whole document where there are no faults', () => {
    expect(printFaults(parse({}))).toEqual(NO_FAULT_FIELDS)
  })

  it.each([
    ['crash', '7@'],
    ['crash', '0.5'],
    ['crash', '7,,8'],
    ['recover', '7'],
    ['recover', '7@3:id='],
    ['recover', '7@3:key=2'],
    ['retire', '7'],
    ['suspect', '3@'],
    ['suspect', '3@..'],
    ['suspect', '3@1..2..3'],
    ['suspect', '3@1@2'],
    ['partition', '0,1'],
    ['partition', '0,/1'],
    ['cut', '0'],
    ['cut', '0-1-2'],
    ['cut', '0to'],
    ['pause', '2@10..20..30'],
    ['recover', '2@10:amnesia:id=3'],
    ['tamper', 'arrive:3'],
    ['tamper', 'delay:3@4'],
  ])('%s %j is malformed', (name, text) => {
    expect(() => parse({ [name]: text })).toThrow(/^\w+: expected something like .+, got ".*"\. /)
  })
})

it('a percentage is a share', () => {
  const shares = ['50%@10', '0.5@10', '0%@1', '100%@2', '12.5%@3'].map(
    (crash) => parse({ crash }).crash[0],
  )
  expect(shares).toEqual([
    { share: 0.5, at: 10 },
    { share: 0.5, at: 10 },
    { share: 0, at: 1 },
    { share: 1, at: 2 },
    { share: 0.125, at: 3 },
  ])
})
