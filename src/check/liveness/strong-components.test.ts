import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EdgeList, strongComponents } from './strong-components.ts'

/** A small graph; its edges are sorted by source. */
function graphOf(size: number, pairs: readonly (readonly [number, number])[]): EdgeList {
  const sorted = pairs.toSorted(([a], [b]) => a - b)
  return {
    size,
    edges: (state) => sorted.filter(([from]) => from < state).length,
    target: (edge) => sorted[edge][1],
  }
}

/** The transitive closure. */
function reach(size: number, pairs: readonly (readonly [number, number])[]): boolean[][] {
  const reached = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  for (const [from, to] of pairs) reached[from][to] = true
  for (let via = 0; via < size; via++)
    for (let from = 0; from < size; from++)
      for (let to = 0; to < size; to++)
        if (reached[from][via] && reached[via][to]) reached[from][to] = true
  return reached
}

const graphs = fc.integer({ min: 1, max: 12 }).chain((size) => {
  const state = fc.integer({ min: 0, max: size - 1 })
  return fc.tuple(fc.constant(size), fc.array(fc.tuple(state, state), { maxLength: 3 * size }))
})

describe('strongly connected components', () => {
  it('contain the states that reach each other, and no others', () => {
    fc.assert(
      fc.property(graphs, ([size, pairs]) => {
        const components = strongComponents(graphOf(size, pairs))
        const reached = reach(size, pairs)
        for (let a = 0; a < size; a++)
          for (let b = 0; b < size; b++) {
            const together = a === b || (reached[a][b] && reached[b][a])
            expect(components.of(a) === components.of(b)).toBe(together)
            if (reached[a][b]) expect(components.of(b)).toBeLessThanOrEqual(components.of(a))
          }
        const inLoops = components.cyclic.flat().toSorted((a, b) => a - b)
        const returning = reached.flatMap((row, state) => (row[state] ? [state] : []))
        expect(inLoops).toEqual(returning)
      }),
    )
  })

  it('can be computed for a path of a million states', () => {
    const size = 1_000_000
    const path = { size, edges: (state: number) => state, target: (edge: number) => edge }
    const line = { ...path, target: (edge: number) => Math.min(edge + 1, size - 1) }
    expect(strongComponents(line)).toMatchObject({ count: size, cyclic: [[size - 1]] })
    const ring = { ...path, target: (edge: number) => (edge + 1) % size }
    expect(strongComponents(ring).count).toBe(1)
  })
})
