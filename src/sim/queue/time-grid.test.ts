import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { play } from '../../../test/support/simulation-fixture.ts'
import { algorithm } from '../../core/index.ts'

const NODES = 4000

/** The moments of a span that as many nodes draw; they have nothing to say to each other. */
function momentsOf(span: number, seed: number): number[] {
  const drawn: number[] = []
  const draws = algorithm({
    name: 'draws',
    needs: { topology: 'ring', coins: true },
    messages: {},
    state: {},
    wakes: false,
    start(_my, net) {
      drawn.push(net.moment(span))
    },
    on: {},
    theory: {
      ...{ authors: '', idea: '', because: '', breaks: '', example: '', cost: '' },
      bounds: [],
    },
  })
  play(draws, { n: NODES, seed })
  return drawn
}

describe('a random moment', () => {
  const spans = fc.oneof(
    fc.integer({ min: 1, max: 1_000_000 }),
    fc.double({ min: 1e-6, max: 100, noNaN: true }),
  )

  it('lies within its span, anywhere in it', () => {
    fc.assert(
      fc.property(spans, fc.nat(), (span, seed) => {
        const moments = momentsOf(span, seed)
        expect(Math.min(...moments)).toBeGreaterThanOrEqual(0)
        expect(Math.max(...moments)).toBeLessThan(span)
        // As many as its share, give or take six standard deviations.
        for (const share of [0.25, 0.5, 0.75]) {
          const before = moments.filter((moment) => moment < share * span).length
          const spread = Math.sqrt(NODES * share * (1 - share))
          expect(Math.abs(before - NODES * share)).toBeLessThan(6 * spread + NODES / 512)
        }
        expect(new Set(moments).size).toBeGreaterThan(400)
      }),
      { numRuns: 20 },
    )
  })

  it('is 0 where the span is, and is not asked of a span below that', () => {
    expect(new Set(momentsOf(0, 1))).toEqual(new Set([0]))
    expect(() => momentsOf(-1, 1)).toThrow('net.moment needs a span of 0 or more')
  })

  it('added to whole periods is exact, in whatever order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.nat(), (span, seed) => {
        for (const moment of momentsOf(span, seed).slice(0, 50)) {
          let time = moment
          for (let period = 0; period < 1000; period++) time += span
          expect(time - 1000 * span).toBe(moment)
        }
      }),
      { numRuns: 20 },
    )
  })
})
