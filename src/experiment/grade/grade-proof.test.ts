import { describe, expect, it } from 'vitest'
import { lcr } from '../../algorithms/elections.ts'
import {
  type Algorithm,
  algorithm,
  counter,
  flag,
  left,
  message,
  real,
  term,
  uid,
} from '../../core/index.ts'
import type { UseEvidence } from '../../core/language/validation/only-compared.ts'
import type { ValueType } from '../../core/language/value-types.ts'
import { sealed } from '../../core/runtime/sealed/sealed.ts'
import { type Grade, gradeOf } from './grade.ts'

const DEMANDS = { reference: 'lcr', require: [], properties: [], allowOwnProblem: false, costs: [] }
const LITTLE = {
  largest: 1,
  states: 1000,
  worlds: 1,
  every: 9,
  messages: 999,
  sizes: [2, 4, 8, 16, 32],
  repeats: 1,
}

const SHOWN: UseEvidence = { misuses: {}, startsAtZero: false }

function graded(bare: Algorithm, use = SHOWN, properties: readonly string[] = []): Grade {
  const subject = { algorithm: sealed(bare), bare, file: 'mine.ts', numbers: [], use }
  const idUse = { kind: 'proved', detail: '' } as const
  const steps = gradeOf({ ...subject, idUse }, { ...DEMANDS, properties }, LITTLE)
  for (;;) {
    const { value, done } = steps.next()
    if (done) return value
  }
}

/** LCR that also keeps a field which it never uses. */
function withField<T>(kept: ValueType<T>): Algorithm {
  const ELECTION = message({ id: uid })
  const LEADER = message({ id: uid })
  return algorithm({
    name: 'mine',
    needs: { topology: 'ring', ids: 'unique' },
    messages: { ELECTION, LEADER },
    state: { kept },
    wakes: true,
    start(my, net) {
      net.send(left, ELECTION, { id: my.id })
    },
    on: {
      ELECTION(my, { id }, net) {
        if (id > my.id) net.send(left, ELECTION, { id })
        if (id !== my.id) return
        net.lead()
        net.send(left, LEADER, { id })
      },
      LEADER(my, { id }, net) {
        if (id !== my.id) {
          net.follow(id)
          net.send(left, LEADER, { id })
        }
        net.stop()
      },
    },
    invariant: ({ each }) => ({
      'an id has passed only smaller ones': each(ELECTION).and(
        2,
        (m, owner, b, { inside }) =>
          m.id !== owner.id || !inside(owner, b, m.to) || b.id < owner.id,
      ),
      'LEADER names the largest': each(LEADER).and(1, (m, a) => a.id <= m.id),
    }),
  })
}

describe('the grade of a definition that states an invariant', () => {
  it('says what is proved for every n', () => {
    const { verdict, proof } = graded(lcr)
    expect(verdict).toBe('no error found')
    expect(proof).toMatchObject({ verdict: 'proved', reason: '' })
    expect(proof!.properties).toContain('at most one leader')
  })

  it('is no worse where the clauses do not suffice, or throw', () => {
    const { 'ELECTION travels left': few } = lcr.invariant()
    const some = graded({ ...lcr, invariant: () => ({ few }) })
    expect([some.verdict, some.proof?.verdict]).toEqual(['no error found', 'open'])
    const throwing = graded({
      ...lcr,
      invariant() {
        throw new Error('oh')
      },
    })
    expect(throwing.verdict).toBe('no error found')
    expect(throwing.proof).toEqual({ verdict: 'open', properties: [], reason: 'oh' })
  })

  const safe = ['at most one leader', 'a leader stays leader']

  it('is right where every property that counts is proved', () => {
    expect(graded(lcr, SHOWN, safe).verdict).toBe('right')
    expect(graded(lcr, SHOWN).verdict).toBe('no error found')
  })

  it.each(['counters', 'terms', 'values', 'code'] as const)(
    'is not right where %s may be computed with',
    (subject) => {
      const misuse = { kind: 'refuted', where: 'mine.ts:1:2', why: 'it is computed with' } as const
      const use = { ...SHOWN, misuses: { [subject]: misuse } }
      const fields = {
        counters: withField(counter),
        terms: withField(term),
        values: withField(real),
      }
      const { verdict, proof } = graded({ ...fields, code: withField(flag) }[subject], use, safe)
      expect(verdict).toBe('no error found')
      expect(proof).toMatchObject({ verdict: 'open', reason: 'mine.ts:1:2: it is computed with' })
    },
  )

  it('is not right where a parameter chooses what is not proved', () => {
    const unproved = { ...lcr, invariant: () => ({}) }
    const way = { choices: ['calm', 'eager'], value: () => 'calm' }
    const choosing = {
      ...lcr,
      params: { way },
      variant: (settings: Readonly<Record<string, unknown>>) =>
        settings.way === 'eager' ? unproved : null,
    } as unknown as Algorithm
    const { verdict, proof } = graded(choosing, SHOWN, safe)
    expect([verdict, proof?.verdict]).toEqual(['no error found', 'open'])
  })

  it('has no such line without an invariant', () => {
    expect(graded({ ...lcr, invariant: () => ({}) }).proof).toBeNull()
  })
})
