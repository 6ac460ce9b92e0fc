import { describe, expect, it } from 'vitest'
import { lcr } from '../../../src/algorithms/index.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import {
  type Exploration,
  type Judged,
  type Judgement,
  judged,
  judgedIfBroken,
  smallClusters,
  smallRings,
} from '../../support/prove/proof-judge.ts'
import { mutated, type ProofMutant, proofMutants } from '../../support/prove/proof-mutants.ts'

/* No mutant of a definition that is proved is proved to do what exploration shows it does not. */

const LONG = process.env.LONG_TESTS !== undefined
const TIMEOUT = 14_400_000

/** Of each definition every n-th mutant is tried daily; 0: none, since they take long. */
const DAILY: Readonly<Record<string, number>> = {
  'ring/lcr.ts': 5,
  'ring/chang-roberts.ts': 20,
  'ring/le-lann.ts': 0,
  'ring/franklin.ts': 0,
  'ring/hirschberg-sinclair.ts': 0,
  'ring/hirschberg-sinclair-one-way.ts': 26,
  'complete/raft.ts': 0,
}

const all = proofMutants()
const files = [...new Set(all.map(({ file }) => file))]

/** A definition that cannot be made is no mutant. */
function algorithmOf(mutant: ProofMutant): Algorithm | null {
  try {
    return mutated(mutant)
  } catch {
    return null
  }
}

function judgedMutant({ file }: ProofMutant, algorithm: Algorithm, seed: number): Judged {
  if (file.startsWith('complete')) return judgedIfBroken(algorithm, smallClusters(), 20_000, seed)
  const rings: Exploration[] = LONG ? smallRings(4, 5) : smallRings(3, 3)
  return judged(algorithm, rings, LONG ? 4000 : 150, seed)
}

describe('mutants of proved definitions', () => {
  const counts = new Map<Judgement, number>()

  it('are many', () => {
    expect(files).toEqual(Object.keys(DAILY))
    expect(all.length).toBeGreaterThan(400)
  })

  it.each(files)('%s', { timeout: TIMEOUT }, (file) => {
    const every = LONG ? 1 : DAILY[file]
    const mistakes = all
      .filter((mutant) => mutant.file === file)
      .flatMap((mutant, i) => {
        const algorithm = every > 0 && i % every === 0 ? algorithmOf(mutant) : null
        if (algorithm === null) return []
        const { judgement, mistakes: found } = judgedMutant(mutant, algorithm, i)
        counts.set(judgement, (counts.get(judgement) ?? 0) + 1)
        return found.map((mistake) => `${mutant.line}: ${mutant.from} -> ${mutant.to}: ${mistake}`)
      })
    expect(mistakes).toEqual([])
  })

  it('are of all kinds', () => {
    expect(counts.get('proved and broken')).toBeUndefined()
    expect(counts.get('proved and safe')).toBeGreaterThan(1)
    expect(counts.get('open and broken')).toBeGreaterThan(1)
  })
})

describe('the judge', () => {
  it('finds what is proved and false', () => {
    const rings = smallRings(2, 2)
    expect(judged(lcr, rings, 200, 1)).toMatchObject({ judgement: 'proved and safe', mistakes: [] })
    // The prover sees a clause that is true, exploration one that is false.
    const nobody = (a: { status: string }) => a.status !== 'leader'
    let seen = 0
    const invariant = () => ({
      ...lcr.invariant(),
      lemma: { messages: [], nodes: 1, holds: seen++ === 0 ? () => true : (nobody as never) },
    })
    const { judgement, mistakes } = judged({ ...lcr, invariant }, rings, 200, 1)
    expect(judgement).toBe('proved and broken')
    expect(mistakes).toEqual([expect.stringContaining('proved, but false: lemma')])
  })
})
