import { describe, expect, it } from 'vitest'
import { lcr } from '../../algorithms/elections.ts'
import type { Algorithm } from '../../core/index.ts'
import { sealed } from '../../core/runtime/sealed/sealed.ts'
import { type Grade, gradeOf } from './grade.ts'

const DEMANDS = { reference: 'lcr', require: [], costs: [] }
const LITTLE = { largest: 1, states: 1000, worlds: 1, sizes: [2, 4, 8, 16, 32], repeats: 1 }

function graded(bare: Algorithm): Grade {
  const subject = { algorithm: sealed(bare), bare, file: 'mine.ts', numbers: [] }
  const idUse = { kind: 'proved', detail: '' } as const
  const steps = gradeOf({ ...subject, idUse }, DEMANDS, LITTLE)
  for (;;) {
    const { value, done } = steps.next()
    if (done) return value
  }
}

describe('the grade of a definition that states an invariant', () => {
  it('says what is proved for every n', () => {
    const { verdict, proof } = graded(lcr)
    expect(verdict).toBe('right')
    expect(proof).toMatchObject({ verdict: 'proved', reason: '' })
    expect(proof!.properties).toContain('at most one leader')
  })

  it('is no worse where the clauses do not suffice, or throw', () => {
    const { 'ELECTION travels left': few } = lcr.invariant()
    const some = graded({ ...lcr, invariant: () => ({ few }) })
    expect([some.verdict, some.proof?.verdict]).toEqual(['right', 'open'])
    const throwing = graded({
      ...lcr,
      invariant() {
        throw new Error('oh')
      },
    })
    expect(throwing.verdict).toBe('right')
    expect(throwing.proof).toEqual({ verdict: 'open', properties: [], reason: 'oh' })
  })

  it('has no such line without an invariant', () => {
    expect(graded({ ...lcr, invariant: () => ({}) }).proof).toBeNull()
  })
})
