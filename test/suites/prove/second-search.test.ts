import { describe, expect, it } from 'vitest'
import { changRoberts, lcr } from '../../../src/algorithms/index.ts'
import { type Algorithm, type Clause, type Property, Random } from '../../../src/core/index.ts'
import { propertiesOf } from '../../../src/problems/algorithm-properties.ts'
import { type ProofResult, proveProperties } from '../../../src/prove/prove.ts'
import {
  brokenInSample,
  brokenOnSmallRings,
  type Clauses,
  unbrokenSubset,
} from '../../support/prove/all-configurations.ts'
import { wrongWith } from '../../support/prove/counterexample-replay.ts'

/* The prover agrees with a slow search through plain configurations. */

const LONG = process.env.LONG_TESTS !== undefined
const TIMEOUT = 7_200_000
const DRAWS = LONG ? 1_000_000 : 3000
const SMALL = { nodes: 2, messages: 1 }

/** The fields that no clause reads. */
const subjects = [
  ['lcr', lcr, ['stopped']],
  ['chang-roberts', changRoberts, ['stopped', 'participant']],
] as const

/** The goals that are clauses about states. */
function goalsOf(algorithm: Algorithm): Property[] {
  return propertiesOf(algorithm, false).filter(
    ({ universal }) => universal !== undefined && !('step' in universal),
  )
}

function clausesOf(algorithm: Algorithm): Clauses {
  const goals = goalsOf(algorithm).map(({ name, universal }) => [name, universal as Clause])
  return { ...algorithm.invariant(), ...Object.fromEntries(goals) }
}

/** The proof of some clauses and of nothing else, with links that double messages. */
function proofOf(algorithm: Algorithm, clauses: Clauses): ProofResult {
  const goals = goalsOf(algorithm).filter(({ name }) => name in clauses)
  const stated = Object.entries(clauses).filter(([name]) => name in algorithm.invariant())
  return proveProperties({ ...algorithm, invariant: () => Object.fromEntries(stated) }, goals)
}

const provedIn = ({ clauses }: ProofResult) =>
  clauses.filter(({ proved }) => proved).map(({ name }) => name)

function without(clauses: Clauses, dropped: readonly string[]): Clauses {
  return Object.fromEntries(Object.entries(clauses).filter(([name]) => !dropped.includes(name)))
}

describe('no step breaks what is proved', () => {
  it.each(subjects)('on small rings: %s', { timeout: TIMEOUT }, (name, algorithm, unread) => {
    const clauses = clausesOf(algorithm)
    expect(provedIn(proofOf(algorithm, clauses)).toSorted()).toEqual(
      Object.keys(clauses).toSorted(),
    )
    const sizes = LONG
      ? [
          { nodes: 2, messages: 2 },
          { nodes: 3, messages: 1 },
        ]
      : [SMALL]
    // Daily that of lcr is enough.
    for (const size of LONG || name === 'lcr' ? sizes : []) {
      const { broken, configurations } = brokenOnSmallRings(algorithm, clauses, size, unread)
      expect([...broken]).toEqual([])
      expect(configurations).toBeGreaterThan(5000)
    }
  })

  it.each(subjects)('in a sample: %s', { timeout: TIMEOUT }, (_, algorithm) => {
    const size = { nodes: 4, messages: 2 }
    const random = Random.from(1)
    const clauses = clausesOf(algorithm)
    const { broken, configurations } = brokenInSample(algorithm, clauses, size, DRAWS, random)
    expect([...broken]).toEqual([])
    expect(configurations).toBeGreaterThan(DRAWS / 10)
    // Such a sample finds what is false.
    const less = without(clauses, ['an id has passed only smaller ones'])
    expect(brokenInSample(algorithm, less, size, 6000, random).broken.size).toBeGreaterThan(0)
  })
})

/** Sets of clauses that need no larger rings, of which the search decides exactly. */
const LOCAL = ['an id has passed only smaller ones', 'LEADER names the largest']

describe('the inductive subset', () => {
  it.each(subjects)(
    'is the same on small rings: %s',
    { timeout: TIMEOUT },
    (name, algorithm, unread) => {
      const clauses = clausesOf(algorithm)
      const dropped = Object.keys(clauses).filter((clause) => !LOCAL.includes(clause))
      for (const other of LONG ? [null, ...dropped] : name === 'lcr' ? [null] : []) {
        const some = without(clauses, other === null ? LOCAL : [...LOCAL, other])
        const size = LONG ? { nodes: 3, messages: 1 } : SMALL
        const left = unbrokenSubset(algorithm, some, size, unread)
        expect(provedIn(proofOf(algorithm, some)).toSorted()).toEqual(left.toSorted())
      }
    },
  )
})

describe('counterexamples to induction', () => {
  const all = subjects.map(([name, algorithm]) => [name, algorithm] as const)

  it.each(all)('are right, whichever clause is missing: %s', (_, algorithm) => {
    const clauses = clausesOf(algorithm)
    let replayed = 0
    for (const missing of Object.keys(clauses)) {
      const some = without(clauses, [missing])
      const result = proofOf(algorithm, some)
      const assumed = provedIn(result).map((name) => some[name])
      for (const { name, counterexample } of result.clauses) {
        if (counterexample === null) continue
        const replay = { algorithm, counterexample, clause: some[name], links: result.for }
        for (let seed = 0; seed < 10; seed++) {
          const before = [...assumed, some[name]]
          expect(wrongWith({ ...replay, assumed: before }, Random.from(seed))).toBeNull()
          replayed++
        }
        // A replay can fail: the step does not send what is added here.
        const { step } = counterexample
        const spoiled = {
          ...counterexample,
          step: step && { ...step, sends: [...step.sends, ...step.sends, null!] },
        }
        const wrong = { ...replay, counterexample: spoiled as typeof counterexample, assumed }
        if (step !== null) expect(wrongWith(wrong, Random.from(1))).toMatch(/sends/)
      }
    }
    expect(replayed).toBeGreaterThan(50)
  })
})

describe('a proof', () => {
  const reversed = (clauses: Clauses): Clauses =>
    Object.fromEntries(Object.entries(clauses).toReversed())

  it.each(subjects)('is the same again, and in another order of clauses: %s', (_, algorithm) => {
    const all = clausesOf(algorithm)
    for (const clauses of [all, without(all, ['LEADER names the largest'])]) {
      const first = proofOf(algorithm, clauses)
      expect(proofOf(algorithm, clauses)).toEqual(first)
      const other = proofOf(algorithm, reversed(clauses))
      expect(other.verdict).toBe(first.verdict)
      expect(provedIn(other).toSorted()).toEqual(provedIn(first).toSorted())
    }
  })
})
