import { expect, it } from 'vitest'
import { raft } from '../algorithms/index.ts'
import type { Property } from '../core/index.ts'
import { propertiesOf } from '../problems/algorithm-properties.ts'
import type { ProofResult } from '../prove/prove.ts'
import { exploreClauses } from './prove-exploration.ts'

/** What a proof of one property would say. */
function claim(name: string, proved: boolean): ProofResult {
  const links = { order: 'any', losses: true, duplicates: true, recoveries: true } as const
  return { for: links, clauses: [{ name, proved }] } as never
}

/** It is false on every network. */
const nobodyLeads: Property = {
  name: 'nobody leads',
  when: 'always',
  broken: ({ leaders }) => (leaders.length > 0 ? 'somebody leads' : null),
}

it('explores complete networks beside a proof, with terms that are bounded', () => {
  const properties = propertiesOf(raft, false)
  const { n, states, bounds, reach } = exploreClauses(
    raft,
    claim('one leader per term', true),
    properties,
  )
  expect({ n, bounds, open: reach.size }).toEqual({ n: 3, bounds: { term: 1 }, open: 0 })
  expect(states).toBeGreaterThan(1000)
})

it('contradicts what is proved and false there, and finds the run for what is open', () => {
  const { name } = nobodyLeads
  expect(() => exploreClauses(raft, claim(name, true), [nobodyLeads])).toThrow(
    /"nobody leads" is proved, but violated on a complete network/,
  )
  const { reach } = exploreClauses(raft, claim(name, false), [nobodyLeads])
  expect(reach.get(name)).toMatchObject({ links: 'needed', n: 1, detail: 'somebody leads' })
})
