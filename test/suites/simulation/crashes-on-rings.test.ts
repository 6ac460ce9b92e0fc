import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  alternatingSteps,
  changRoberts,
  franklin,
  hirschbergSinclair,
  hirschbergSinclairOneWay,
  lcr,
  leLann,
  peterson,
  uniAlternate,
} from '../../../src/algorithms/index.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import { campaign } from '../../support/campaign.ts'
import { observe, simulate } from '../../support/random-worlds.ts'

const algorithms = [
  lcr,
  changRoberts,
  hirschbergSinclair,
  hirschbergSinclairOneWay,
  peterson,
  franklin,
  leLann,
  alternatingSteps,
  uniAlternate,
]

/** A ring on which some nodes crash, and some of these recover; at least one never crashes. */
const hurtRings = fc.integer({ min: 2, max: 10 }).chain((n) =>
  fc.record({
    n: fc.constant(n),
    deaths: fc.subarray(
      Array.from({ length: n - 1 }, (_, i) => i),
      { minLength: 1, maxLength: Math.min(4, n - 1) },
    ),
    survivor: fc.integer({ min: 0, max: n - 1 }),
    times: fc.array(
      fc.integer({ min: 0, max: 600 }).map((t) => t / 10),
      {
        minLength: 4,
        maxLength: 4,
      },
    ),
    back: fc.boolean(),
    pause: fc.integer({ min: 1, max: 300 }).map((t) => t / 10),
    detect: fc.constantFrom(0, 1, 7),
    delay: fc.constantFrom('unit', 'uniform:1:5', 'exponential:2'),
    seed: fc.nat(100_000),
  }),
)

function crashPlanOf({
  n,
  deaths,
  survivor,
  times,
}: typeof hurtRings extends fc.Arbitrary<infer T> ? T : never) {
  return deaths.map((node, i) => ({ node: (survivor + 1 + node) % n, at: times[i] }))
}

/** The faults of such a ring, as fields of a scenario. */
function faultsOf(ring: typeof hurtRings extends fc.Arbitrary<infer T> ? T : never) {
  const { n, detect, delay, seed, back, pause } = ring
  const plan = crashPlanOf(ring)
  const crash = plan.map(({ node, at }) => `${node}@${at}`).join(',')
  const recover = plan.map(({ node, at }) => `${node}@${at + pause}`).join(',')
  return { n, detect, delay, seed, crash, 'max-messages': 20_000, ...(back && { recover }) }
}

describe.each(algorithms.map((it) => [it.name, it] as [string, Algorithm]))(
  '%s',
  (_, algorithm) => {
    it('closes the ring over crashed nodes and elects the largest live node', () => {
      fc.assert(
        fc.property(hurtRings, (ring) => {
          const result = simulate(algorithm, faultsOf(ring))
          expect(result.verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
          const dead = new Set(ring.back ? [] : crashPlanOf(ring).map(({ node }) => node))
          const living = result.nodes!.filter(({ node }) => !dead.has(node))
          if (algorithm.elects === 'largest')
            expect(result.leader?.id).toBe(Math.max(...living.map(({ id }) => id!)))
        }),
        { numRuns: campaign(2000) },
      )
    })
  },
)

it('a trace names the sender of a message, even if the ring has closed since', () => {
  fc.assert(
    fc.property(hurtRings, fc.constantFrom(0, 0.2), (ring, duplicate) => {
      const { events } = observe(lcr, { ...faultsOf(ring), duplicate })
      const sends = new Map(
        events.flatMap((event) => (event.event === 'send' ? [[event.message, event]] : [])),
      )
      for (const event of events) {
        if (event.event !== 'receive' && event.event !== 'vanish') continue
        const { node, to } = sends.get(event.message)!
        expect([event.from, event.node]).toEqual([node, to])
      }
    }),
    { numRuns: campaign(2000) },
  )
})
