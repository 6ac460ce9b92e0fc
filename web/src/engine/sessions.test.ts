import { describe, expect, it } from 'vitest'
import { definitionNamed } from '../../../src/algorithms/index.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { sessionOf } from './sessions.ts'

function begun(scenario: ScenarioInput) {
  const request = { scenario, code: null, intervention: null, want: 'world' } as const
  return sessionOf(definitionNamed(scenario.algorithm), request, () => {})
}

describe('a network that is too large for a page', () => {
  it.each([
    { algorithm: 'lcr', n: 3_000_000 },
    { algorithm: 'lcr', n: '3000000' },
    { algorithm: 'wireless', topology: 'grid:1000x1000' },
    { algorithm: 'wireless', topology: 'hypercube:20' },
    { algorithm: 'gossip-average', topology: 'scale-free:300000:3' },
  ])('is refused before it is made: %o', (scenario) => {
    expect(() => begun(scenario)).toThrow(/the page shows up to 100,000 nodes, not [\d,]+\. Take/)
  })

  it.each([
    { algorithm: 'lcr', n: 100_000 },
    { algorithm: 'wireless', topology: 'grid:300x300' },
    { algorithm: 'wireless', topology: 'edges:0-1,1-200000' },
  ])('may be %o', (scenario) => {
    expect(() => begun(scenario)).not.toThrow()
  })
})
