import { describe, expect, it } from 'vitest'
import type { AggregateReport, GlobalState, State } from '../core/index.ts'
import { allKnowTheResult, computedValues } from './computed-values.ts'

/** The mean, which a node knows once it has a leader. */
const mean: AggregateReport<State> = {
  known: ({ leader, found }) => (leader === null ? null : { mean: found as number }),
  truth: (values) => ({ mean: values.reduce((a, b) => a + b, 0) / values.length }),
  scale: (values) => ({ mean: Math.max(...values.map(Math.abs)) }),
}

interface Drawn {
  readonly value: number
  readonly found?: number
  readonly status?: State['status']
  readonly dead?: true
  readonly component?: number
}

function situation(drawn: readonly Drawn[]): GlobalState {
  const states = drawn.map(({ value, found, status = 'lost' }): State => {
    return { status, leader: found === undefined ? null : 1, stopped: false, value, found }
  })
  return {
    n: drawn.length,
    state: (node) => states[node],
    alive: (node) => drawn[node].dead === undefined,
    name: (node) => `#${node}`,
    component: (node) => drawn[node].component ?? 0,
    leaders: states.flatMap(({ status }, node) => (status === 'leader' ? [node] : [])),
    deposed: [],
  }
}

const broken = (...drawn: Drawn[]) => allKnowTheResult(mean).broken(situation(drawn))

describe('all know the truth', () => {
  it('holds where they do, apart from rounding', () => {
    expect(broken({ value: 1, found: 2 }, { value: 3, found: 2 + 1e-12 })).toBeNull()
  })

  it('is broken by one that is wrong, or knows nothing', () => {
    expect(broken({ value: 1, found: 2 }, { value: 3, found: 2.001 })).toBe(
      'node #1: mean 2.001, but it is 2',
    )
    expect(broken({ value: 1, found: 2 }, { value: 3 })).toBe('node #1 has no result')
    expect(broken({ value: 1, found: Number.NaN })).toContain('mean NaN')
  })

  it('asks of each component only its own result, and ignores crashed nodes', () => {
    const [here, there] = [{ component: 1 }, { component: 2 }]
    const dead = { value: 100, dead: true } as const
    expect(
      broken({ value: 1, found: 1, ...here }, { value: 5, found: 5, ...there }, dead),
    ).toBeNull()
    expect(broken({ value: 1, found: 3, ...here }, { value: 5, found: 3, ...there })).not.toBeNull()
  })

  it('ignores a component in which all nodes sleep, unless all nodes sleep', () => {
    const asleep = { value: 5, status: 'asleep', component: 2 } as const
    expect(broken({ value: 1, found: 1 }, asleep)).toBeNull()
    expect(broken(asleep)).toBe('node #0 has no result')
  })

  it('is not decided without live nodes', () => {
    expect(allKnowTheResult(mean).moot!(situation([{ value: 1, dead: true }]))).not.toBeNull()
  })
})

describe('findings', () => {
  it('are those of the leader of each part', () => {
    const drawn: Drawn[] = [
      { value: 1, found: 2, status: 'leader' },
      { value: 3, found: 2 },
      { value: 4, component: 7 },
    ]
    expect(computedValues(situation(drawn), mean)).toEqual([
      { nodes: 2, source: 0, known: { mean: 2 }, truth: { mean: 2 } },
      { nodes: 1, source: null, known: null, truth: { mean: 4 } },
    ])
  })
})
