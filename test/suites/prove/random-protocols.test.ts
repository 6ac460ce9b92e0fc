import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/core/index.ts'
import { definitionOf } from '../../support/prove/definition-text.ts'
import { type Judgement, judged, smallRings } from '../../support/prove/proof-judge.ts'
import { randomInvariant } from '../../support/prove/random-invariants.ts'

/* What is proved of random protocols is true in the states that exploration reaches. */

const LONG = process.env.LONG_TESTS !== undefined
const TIMEOUT = 7_200_000
const PROTOCOLS = LONG ? 2000 : 10
const STATES = LONG ? 300 : 60

describe('random protocols with random clauses', () => {
  it('have no false proof, and counterexamples to induction are right', {
    timeout: TIMEOUT,
  }, () => {
    const counts = new Map<Judgement, number>()
    let [clauses, replays] = [0, 0]
    for (let seed = 1; seed <= PROTOCOLS; seed++) {
      const algorithm = definitionOf(randomInvariant(Random.from(seed)))
      const rings = LONG ? smallRings(3, 5) : smallRings(2, 3)
      const { judgement, mistakes, proved, replayed } = judged(algorithm, rings, STATES, seed)
      expect({ seed, mistakes }).toEqual({ seed, mistakes: [] })
      counts.set(judgement, (counts.get(judgement) ?? 0) + 1)
      clauses += proved
      replays += replayed
    }
    expect(counts.get('proved and safe')).toBeGreaterThan(0)
    expect(counts.get('open and broken')).toBeGreaterThan(0)
    expect(clauses).toBeGreaterThan(PROTOCOLS)
    expect(replays).toBeGreaterThan(PROTOCOLS)
  })
})
