import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { candidacy, referees } from '../../../src/algorithms/complete/sublinear.ts'
import { floodMax, sublinear, yoYo } from '../../../src/algorithms/index.ts'
import { factsForBounds } from '../../../src/sim/index.ts'
import { observe, preparation, simulate } from '../../support/random-worlds.ts'
import { iterations } from '../../support/yo-yo-iterations.ts'

/* What independent programs computed; a count that is left out is 0. */

interface Case<Input, Expected> {
  readonly input: Input
  readonly expected: Expected
}

function casesOf<Input, Expected>(algorithm: string): Case<Input, Expected>[] {
  const file = new URL(`../../fixtures/cases-2/${algorithm}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

interface OnGraph {
  readonly topology: string
  readonly ids: number[]
}

interface Elected {
  readonly leader: number
  readonly messages: Readonly<Record<string, number>> & { readonly total: number }
  readonly round_elected: number
  readonly round_last: number | null
}

const floodMaxCases = casesOf<
  OnGraph & { readonly send: string },
  Elected & { readonly diameter: number }
>('flood-max')

const yoYoCases = casesOf<
  OnGraph & { readonly wake: string },
  Elected & Readonly<Record<'sources_per_iteration' | 'links_per_iteration', number[]>>
>('yo-yo')

const sublinearCases = casesOf<
  { readonly n: number },
  {
    readonly referees: number
    readonly candidate_probability: number
    readonly messages_given_c_candidates: string
    readonly expected_messages: number
    readonly chance_of_no_candidate: number
    readonly round_elected: number
  }
>('sublinear')

describe('flood-max', () => {
  it.each(floodMaxCases)('$input.topology, $input.send, ids $input.ids', ({ input, expected }) => {
    const { topology, ids, send } = input
    const given = { topology, ids, set: `send=${send}` }
    const { leader, messages, time } = simulate(floodMax, given)
    const { max = 0, total } = expected.messages
    expect({ leader: leader?.id, ...messages.byType, total: messages.total }).toEqual({
      ...{ leader: expected.leader, max, total },
    })
    expect(time).toMatchObject({ elected: expected.round_elected, last: expected.round_last })
    expect(preparation(floodMax, given).world.params.diameter).toBe(expected.diameter)
  })
})

describe('yo-yo', () => {
  it.each(yoYoCases)('$input.topology, ids $input.ids', ({ input, expected }) => {
    const { topology, ids, wake } = input
    const { total, ...byType } = expected.messages
    const inRounds = { topology, ids, wake, timing: 'sync' }
    const schedules = [1, 2, 3].map((seed) => ({
      ...{ topology, ids, wake: '0', delay: 'uniform:1:9', order: 'any', seed },
    }))
    for (const given of [inRounds, ...schedules]) {
      const { result, sends } = observe(yoYo, given)
      expect(result.leader?.id).toBe(expected.leader)
      expect(result.messages).toMatchObject({ byType, total })
      expect(iterations(sends, ids)).toEqual({
        sources: expected.sources_per_iteration,
        links: expected.links_per_iteration,
      })
    }
    // Links are numbered as there, but for the torus: who is whose child depends on that.
    const { time } = simulate(yoYo, inRounds)
    expect(time).toMatchObject({ elected: expected.round_elected, last: expected.round_last })
  })
})

describe('sublinear', () => {
  it.each(sublinearCases)('n = $input.n', ({ input: { n }, expected }) => {
    expect(referees(n)).toBe(expected.referees)
    expect(candidacy(n)).toBeCloseTo(expected.candidate_probability, 12)
    const [average] = sublinear.theory.bounds.filter(({ kind }) => kind === 'average')
    const { world, conditions } = preparation(sublinear, { n })
    const facts = factsForBounds(world, conditions)
    expect(average.value(facts)).toBeCloseTo(expected.expected_messages, 6)
    // Besides nobody there may be several, with a chance of about n^-4.
    const more = sublinear.theory.fails!(facts) - expected.chance_of_no_candidate
    expect(Math.abs(more)).toBeLessThan(n ** -3)
    const { sends, result } = observe(sublinear, { n })
    const candidates = new Set(sends.filter(({ type }) => type === 'candidate').map(nodeOf)).size
    const each = `${result.messages.total / candidates} c`
    expect(each).toBe(expected.messages_given_c_candidates)
    expect(result.time.elected).toBe(expected.round_elected)
  })
})

const nodeOf = ({ node }: { readonly node: number }) => node
