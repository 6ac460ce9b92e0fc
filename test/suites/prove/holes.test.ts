import { describe, expect, it } from 'vitest'
import type { Property } from '../../../src/core/index.ts'
import { propertiesOf } from '../../../src/problems/algorithm-properties.ts'
import { proveProperties } from '../../../src/prove/prove.ts'
import { UnmetCondition } from '../../../src/prove/refusal.ts'
import { definitionOf } from '../../support/prove/definition-text.ts'
import {
  clause,
  type Hole,
  NOBODY,
  NOTHING,
  refused,
  SENDS_A,
  TERMS,
} from '../../support/prove/refused-definitions.ts'

/** What is false and must stay open. */
const open: readonly (Hole & { readonly clause: string })[] = [
  {
    what: 'what is sent to all goes to different nodes',
    clause: 'the clause',
    members: `needs: COMPLETE, messages: { P }, on: { P() {} },
      start(my, net) { net.sendAll(P, {}) },
      ${clause('each(P, P).and(0, (m, o) => m.sender !== o.sender || m.to === o.to)')}`,
  },
  {
    what: 'equal messages are two',
    clause: 'the clause',
    members: `messages: { P }, on: { P() {} },
      start(my, net) { net.send(left, P, {}); net.send(left, P, {}) },
      ${clause('each(P, P).and(0, (m, o) => m === o)')}`,
  },
  {
    what: 'a plain id starts as anybody’s, also after a recovery',
    clause: 'the clause',
    members: `messages: { P }, on: { P() {} }, state: { kept: stable(flag), best: uid },
      start(my) { my.best = my.id }, recover() {},
      ${clause("nodes(2, (a, b) => a.status === 'asleep' || !(b.id < a.id) || a.best >= b.id)")}`,
  },
  {
    what: 'a plain id starts as anybody’s',
    clause: 'nobody leads',
    members: `messages: { A }, state: { best: uid }, ${NOBODY},
      start(my, net) { net.send(left, A, { id: my.best }) },
      on: { A(my, { id }, net) { if (id === my.id) net.lead() } }`,
  },
  {
    what: 'one node alone is a majority',
    clause: 'nobody leads',
    members: `needs: { ...COMPLETE, knows: ['voters'] }, messages: { P }, on: { P() {} }, ${NOBODY},
      state: { votes: set(link) },
      start(my, net) { if (net.majority(my.votes, true)) net.lead() }`,
  },
  {
    what: 'a leader needs no votes',
    clause: 'one leader per term',
    members: `${TERMS}, start(my, net) { net.lead({ term: my.term }) }, on: { ASK() {}, YES() {} }`,
  },
  {
    what: 'a value that its type does not have',
    clause: 'at most one leader',
    members: `messages: { P }, state: { x: below(3) },
      start(my, net) { net.send(left, P, {}) },
      on: { P(my, _, net) { my.x++; net.send(left, P, {}) } }`,
  },
  {
    what: 'small networks are safe, larger ones are not',
    clause: 'the clause',
    members: `needs: COMPLETE, messages: { A },
      start(my, net) { net.sendAll(A, { id: my.id }) },
      on: { A(my, { id }, net) { net.send(net.from, A, { id: my.id }) } },
      ${clause(`each(A, A).and(3, (m, n, ...nodes) =>
        new Set([m.to, m.sender, n.to, n.sender, ...nodes.slice(0, 3)]).size < 7 ||
        nodes.slice(0, 3).some((a) => a.status === 'asleep'))`)}`,
  },
]

describe('a proof refuses', () => {
  const cases = refused.flatMap(([message, holes]) =>
    holes.map((hole) => [hole.what, hole, message] as const),
  )
  it.each(cases)('%s', (_, { members, before }, message) => {
    const algorithm = definitionOf(members, before)
    expect(() => proveProperties(algorithm, propertiesOf(algorithm, false))).toThrow(message)
  })
})

describe('a proof refuses what a handler catches', () => {
  const leads = (before: string) => `messages: { P }, state: { x: counter }, ${NOBODY},
    start() {}, on: { P(my, _, net) { let found = false; ${before}; if (found) net.lead() } }`
  it.each([
    'try { found = countOf(my.x) === 4000 } catch {}',
    'try { found = my.x > 4 } catch { return }',
    'try { found = net.n > 100 } catch {}',
    'try { found = String(my.x) === "9" } finally { return }',
  ])('%s', (before) => {
    const algorithm = definitionOf(leads(before))
    expect(() => proveProperties(algorithm, propertiesOf(algorithm, false))).toThrow(UnmetCondition)
  })

  it('or a value that its type does not have', () => {
    const algorithm = definitionOf(`messages: { P }, state: { x: below(3) }, ${NOBODY},
      start() {}, on: { P(my) { try { my.x = 7 } catch {} } }`)
    expect(proveProperties(algorithm, propertiesOf(algorithm, false)).faulty).not.toBeNull()
  })
})

describe('a proof leaves open', () => {
  it.each(open.map((hole) => [hole.what, hole] as const))('%s', (_, hole) => {
    const algorithm = definitionOf(hole.members)
    const { clauses, faulty } = proveProperties(algorithm, propertiesOf(algorithm, false))
    const { proved } = clauses.find(({ name }) => name === hole.clause)!
    expect(proved && faulty === null).toBe(false)
  })

  it('a property that no clause states', () => {
    const never: Property = { name: 'nobody leads', when: 'always', broken: () => null }
    const { verdict, clauses } = proveProperties(definitionOf(NOTHING), [never])
    expect({ verdict, proved: clauses.map(({ proved }) => proved) }).toEqual({
      verdict: 'open',
      proved: [false],
    })
  })
})

describe('a proof is found', () => {
  it('of the same clauses where they are true', () => {
    const quiet = definitionOf(`${NOTHING}, ${NOBODY}`)
    expect(proveProperties(quiet, propertiesOf(quiet, false)).verdict).toBe('proved')
    const sending = definitionOf(`messages: { A }, on: { A() {} }, ${SENDS_A},
      ${clause("each(A).and(1, (m, a) => m.id !== a.id || a.status !== 'asleep')")}`)
    const { clauses } = proveProperties(sending, propertiesOf(sending, false))
    expect(clauses.map(({ proved }) => proved)).not.toContain(false)
  })
})

describe('nothing is proved', () => {
  it('where there is nothing to prove', () => {
    const algorithm = definitionOf(NOTHING)
    const ends = propertiesOf(algorithm, false).filter(({ when }) => when !== 'always')
    expect(() => proveProperties(algorithm, ends)).toThrow('no property that must always hold')
  })

  it.each([
    ['x: true', 'this is no clause'],
    ['x: each(P)', 'this is no clause'],
    ['x: each(undefined).and(0, () => true)', 'this is no clause'],
    ["'at most one leader': nodes(1, () => true)", 'a property of the problem has this name'],
  ])('with the clause %s', (clauses, problem) => {
    const algorithm = definitionOf(`${NOTHING}, invariant: ({ nodes, each }) => ({ ${clauses} })`)
    expect(() => proveProperties(algorithm, propertiesOf(algorithm, false))).toThrow(problem)
  })
})
