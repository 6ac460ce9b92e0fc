import type { Algorithm } from '../../core/index.ts'
import { propertiesOf } from '../../problems/algorithm-properties.ts'
import { prove } from '../../prove/prove.ts'
import { Refusal } from '../../prove/refusal.ts'

/** What became of the invariant that a definition states. */
export interface GradeProof {
  readonly verdict: 'proved' | 'open' | 'refused'
  /** The properties that are proved for every ring, every choice of ids and every schedule. */
  readonly properties: readonly string[]
  /** Why nothing is proved, in words; empty where it is. */
  readonly reason: string
}

/** A proof that takes longer is left to `conclave prove`: it must not use up the time of a grade. */
const MOST_STEPS = 50_000

class TooLong extends Error {}

/** Tries to prove a definition that states an invariant; null where it states none. */
export function proveInvariant(algorithm: Algorithm): GradeProof | null {
  const unproved = (verdict: 'open' | 'refused', reason: string): GradeProof => ({
    ...{ verdict, properties: [], reason },
  })
  try {
    if (Object.keys(algorithm.invariant()).length === 0) return null
    const { verdict, clauses } = prove(algorithm, propertiesOf(algorithm, false), (steps) => {
      if (steps > MOST_STEPS) throw new TooLong()
    })
    if (verdict === 'open') return unproved(verdict, 'its clauses are not enough')
    const goals = clauses.filter(({ from, proved }) => from === 'goal' && proved)
    return { verdict, properties: goals.map(({ name }) => name), reason: '' }
  } catch (error) {
    if (error instanceof TooLong) return unproved('open', 'that would take too long here')
    const reason = error instanceof Error ? error.message : String(error)
    return unproved(error instanceof Refusal ? 'refused' : 'open', reason)
  }
}
