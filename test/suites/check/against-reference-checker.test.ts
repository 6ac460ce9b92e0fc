import { describe, expect, it } from 'vitest'
import { aggregations, byMessages, catalogue, lcr } from '../../../src/algorithms/index.ts'
import { checkWorld } from '../../../src/check/index.ts'
import type { Algorithm, Property, State, World } from '../../../src/core/index.ts'
import { flagged, prepare } from '../../../src/scenario/index.ts'
import { sample } from '../../support/campaign.ts'
import { named, preparation } from '../../support/random-worlds.ts'
import { type ReferenceOptions, referenceCheck } from '../../support/reference-checker.ts'
import { textOf } from '../../support/reference-state.ts'

/** The naive checker takes too long for worlds with more states. */
const MOST_STATES = 250

/** Without reduction: every state is compared. */
const WHOLE = { reduction: 'off' } as const

const NETWORKS = {
  ring: ['ring:1', 'ring:2', 'ring:3', 'ring:4'],
  complete: ['complete:1', 'complete:2', 'complete:3', 'complete:4'],
  tree: ['path:1', 'path:2', 'path:3', 'star:4'],
  hypercube: ['hypercube:0', 'hypercube:1', 'hypercube:2'],
  any: ['path:2', 'path:3', 'ring:3', 'star:4'],
}

/** The same options for both checkers. */
function rulesFor({ name, needs }: Algorithm, { n, kind }: World['topology']): ReferenceOptions[] {
  // Timers that are set again without a bound have infinitely many states.
  const mode = name === 'bully' ? 'patient' : 'untimed'
  const all = Array.from({ length: n }, (_, node) => node)
  const base = { mode, order: 'fifo', wake: 'any' } as const
  // The reference checker does not have closing rings.
  const told = kind === 'ring' ? [] : [{ ...base, crashes: 1, detector: true }]
  return [
    base,
    { ...base, order: 'any' },
    { ...base, wake: all },
    { ...base, order: 'any', wake: all.slice(0, 2).reverse() },
    { ...base, losses: 1 },
    { ...base, order: 'any', losses: 2 },
    { ...base, crashes: 1 },
    { ...base, order: 'any', crashes: Math.min(n, 2) },
    ...(needs.topology === 'ring' ? [{ ...base, duplicates: 1 }] : []),
    { ...base, crashes: 1, losses: 1 },
    ...told,
  ]
}

function optionsFor({ mode = 'untimed', order = 'fifo', wake, ...faults }: ReferenceOptions) {
  const { crashes = 0, losses = 0, duplicates = 0, detector } = faults
  const detect = detector ? {} : { detect: 'off' as const }
  return { mode, order, wake, faults: { crashes, losses, duplicates, ...detect } }
}

/** Records the local states, and the quiescent states. */
class Notes {
  readonly locals = new Set<string>()
  readonly ends = new Set<string>()

  private readonly known = new Map<State, string>()

  readonly see = (states: readonly State[], quiet: boolean) => {
    for (const state of states) if (!this.known.has(state)) this.known.set(state, textOf(state))
    const texts = states.map((state) => this.known.get(state))
    for (const [node, text] of texts.entries()) this.locals.add(`${node}: ${text}`)
    if (quiet) this.ends.add(texts.join())
  }

  get properties(): Property[] {
    return (['always', 'at the end'] as const).map((when) => ({
      name: when,
      says: 'It only listens.',
      when,
      broken: ({ n, state }) => {
        this.see(
          Array.from({ length: n }, (_, node) => state(node)),
          when === 'at the end',
        )
        return null
      },
    }))
  }
}

/** Fails unless both results are equal; returns whether the world was small enough. */
function compare(world: World, rules: ReferenceOptions): boolean {
  const [ours, reference] = [new Notes(), new Notes()]
  const { states, transitions, exhausted } = checkWorld(world, {
    ...WHOLE,
    ...optionsFor(rules),
    properties: ours.properties,
    limits: { states: MOST_STATES },
  })
  if (!exhausted) return false
  expect({ states, transitions }).toEqual(referenceCheck(world, rules, reference.see))
  expect(ours.ends).toEqual(reference.ends)
  expect(ours.locals).toEqual(reference.locals)
  return true
}

/**
 * The reference checker has no clock, and knows nothing of leadership that is bound to one. What
 * never falls silent has infinitely many states without a clock.
 */
const timeless = catalogue.filter(({ needs, quiet }) => needs.time !== 'clocks' && quiet === null)

describe('the checker agrees with the reference checker', () => {
  it.each(named(sample(timeless, 4)))('of %s', (_, algorithm) => {
    let compared = 0
    for (const topology of NETWORKS[algorithm.needs.topology]) {
      const { world } = preparation(algorithm, { topology })
      for (const rules of rulesFor(algorithm, world.topology)) if (compare(world, rules)) compared++
    }
    // With random choices only a ring of one has finitely many states; with timers few are small.
    const { coins, time } = algorithm.needs
    expect(compared).toBeGreaterThanOrEqual(coins || time ? 10 : 15)
  })

  // Drawn numbers have too many outcomes.
  const explored = aggregations.filter(
    (it) => byMessages(it).computes!.aggregate.row?.drawn !== true,
  )
  it.each(sample(explored, 4).map((it) => [it.name, it] as const))('of %s', (_, aggregation) => {
    const given = { n: 2, values: [0.25, 0.75], set: { exchanges: 1 } }
    const { world } = prepare(given, aggregation, flagged).messages()!
    const rules = rulesFor(world.algorithm, world.topology)
    expect(rules.filter((it) => compare(world, it))).toEqual(rules)
  })

  it('of a ring that all other tools know: LCR on decreasing ids', () => {
    const sizes = [3, 4, 5, 6, 7].map((n) => {
      const { world } = preparation(lcr, { n, ids: 'decreasing' })
      return referenceCheck(world, { wake: 'any' })
    })
    const ours = [3, 4, 5, 6, 7].map((n) => size(n))
    expect(ours).toEqual(sizes)
  })
})

function size(n: number): { states: number; transitions: number } {
  const { world, properties } = preparation(lcr, { n, ids: 'decreasing' })
  const rules = { ...WHOLE, mode: 'untimed', order: 'fifo', wake: 'any', properties } as const
  const { states, transitions, violated } = checkWorld(world, { ...rules, limits: { states: 2e6 } })
  expect(violated).toBeNull()
  return { states, transitions }
}
