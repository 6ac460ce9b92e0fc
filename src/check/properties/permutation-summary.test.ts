import { describe, expect, it } from 'vitest'
import { PermutationSummary, type SummarisedResult } from '../index.ts'

describe('the summary of permutations', () => {
  const share = (changes: Partial<SummarisedResult>): SummarisedResult => ({
    ...{ states: 10, transitions: 20, depth: 3, exhausted: true, violated: false },
    properties: [{ name: 'it', holds: true, detail: 'always' }],
    hash: { exact: false, expectedMisses: 0.25 },
    never: {
      messages: { sent: [], handled: [] },
      ...{ timers: [], branches: null, faults: [], properties: [] },
    },
    ...changes,
  })

  it('adds up the counts, and keeps the largest', () => {
    const summary = new PermutationSummary(1000)
    for (const states of [10, 30, 20]) summary.add(share({ states, depth: states }))
    expect(summary).toMatchObject({ explored: 3, states: 60, transitions: 60, depth: 30 })
    expect(summary.expectedMisses).toBe(0.75)
    expect(summary.largest).toMatchObject({ number: 1, states: 30 })
    expect(summary.properties(3)).toEqual([
      { name: 'it', holds: true, detail: 'for each of 3 permutations' },
    ])
    expect(summary.properties(4)[0].holds).toBeNull()
  })

  it('stops at the first violation', () => {
    const summary = new PermutationSummary(1000)
    const broken = { name: 'it', holds: false, detail: 'no' }
    summary.add(share({}))
    summary.add(share({ violated: true, exhausted: false, properties: [broken] }))
    summary.add(share({}))
    expect(summary).toMatchObject({
      violatedBy: 1,
      explored: 2,
      finished: true,
      states: 20,
      reason: null,
    })
    expect(summary.properties(6)).toEqual([broken])
  })

  it('stops at an incomplete exploration, and applies the limit of states to all together', () => {
    const late = new PermutationSummary(1000)
    late.add(share({ exhausted: false, reason: 'the time limit was reached' }))
    expect(late).toMatchObject({ reason: 'the time limit was reached', finished: true })
    const limited = new PermutationSummary(25)
    for (let i = 0; i < 3; i++) limited.add(share({}))
    expect(limited).toMatchObject({ reason: 'the limit of 25 states was reached', explored: 3 })
    const cut = new PermutationSummary(25)
    cut.add(share({}))
    cut.add(share({ states: 15, exhausted: false, reason: 'the limit of 15 states was reached' }))
    expect(cut.reason).toBe('the limit of 25 states was reached')
    const full = new PermutationSummary(20)
    for (let i = 0; i < 2; i++) full.add(share({}))
    expect(full.finished).toBe(false)
  })

  it('is undecided if one permutation is', () => {
    const summary = new PermutationSummary(1000)
    const open = { name: 'it', holds: null, detail: 'not checked' }
    for (const verdict of [share({}).properties[0], open, share({}).properties[0]])
      summary.add(share({ properties: [verdict] }))
    expect(summary.properties(3)).toEqual([open])
  })
})
