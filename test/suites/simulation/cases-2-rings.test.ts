import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  alternatingSteps,
  catalogue,
  itaiRodehBare,
  itaiRodehBit,
} from '../../../src/algorithms/index.ts'
import type { CheckReport } from '../../../src/cli/check/explore.ts'
import type { Algorithm, NetworkFacts } from '../../../src/core/index.ts'
import type { RunResult } from '../../../src/sim/index.ts'
import { alternatingCandidates, permutations } from '../../support/oracles.ts'
import { simulate } from '../../support/random-worlds.ts'
import { shellJson } from '../../support/run-command.ts'

/* The cases of independent programs for the elections on rings. */

interface Case {
  readonly input: {
    readonly ids?: number[]
    readonly wake?: 'all' | Readonly<Record<string, number>>
    readonly n?: number
    readonly what?: string
    readonly ids_drawn_from?: number
    readonly check?: string
  }
  readonly expected: Readonly<Record<string, unknown>>
}

function casesOf(name: string): Case[] {
  const file = new URL(`../../fixtures/cases-2/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Titles with the cases of an algorithm that fit. */
function titled(name: string, fits: (one: Case) => boolean): [string, Case][] {
  return casesOf(name)
    .filter(fits)
    .map((one) => [JSON.stringify(one.input).slice(0, 80), one])
}

/** A node keeps the number of the step in which it was a candidate for the last time. */
function candidatesPerStep({ nodes = [] }: RunResult): number[] {
  const last = nodes.map(({ state }) => Number(state.step))
  return Array.from({ length: Math.max(...last) }, (_, i) => last.filter((step) => step > i).length)
}

/** What the cases expect, by the names that they use. */
const FOUND: Readonly<Record<string, (result: RunResult) => unknown>> = {
  leader: ({ leader }) => leader?.id,
  messages: ({ messages: { byType, total } }) => ({ ...byType, total }),
  round_elected: ({ time }) => time.elected,
  round_last: ({ time }) => time.last,
  candidates_per_step: candidatesPerStep,
}

describe.each(['le-lann', 'alternating-steps', 'uni-alternate'])('%s', (name) => {
  const algorithm = catalogue.find((one) => one.name === name) as Algorithm

  it.each(titled(name, ({ input }) => input.ids !== undefined))('%s', (_, { input, expected }) => {
    const { ids, wake = 'all' } = input
    const starts =
      wake === 'all'
        ? wake
        : Object.entries(wake)
            .map(([node, round]) => `${node}@${round}`)
            .join()
    const result = simulate(algorithm, { ids, wake: starts, timing: 'sync' })
    expect(result.verdict.ok).toBe(true)
    const { schedule_independent: always = [], ...figures } = expected
    for (const [what, value] of Object.entries(figures))
      expect([what, FOUND[what](result)]).toEqual([what, value])
    for (const what of always as string[])
      for (const [delay, wake] of [
        ['uniform:1:10', 'all'],
        ['exponential:1', '0'],
      ])
        expect(FOUND[what](simulate(algorithm, { ids, delay, wake }))).toEqual(expected[what])
  })
})

describe('alternating-steps: most steps over all arrangements', () => {
  const cases = titled('alternating-steps', ({ input }) => input.what !== undefined)

  it.each(cases)('%s', (_, { input: { n = 0 }, expected }) => {
    const { steps, messages, attained_and_checked_for_n_up_to: enumerated, ...rest } = expected
    expect(rest).toEqual({})
    const [bound] = alternatingSteps.theory.bounds
    expect(bound.value({ n } as NetworkFacts)).toBe(messages)
    expect(messages).toBe(n * Number(steps))
    if (n > Math.min(7, Number(enumerated))) return
    const counts = permutations(n).map((ids) => alternatingCandidates(ids).length)
    expect(Math.max(...counts)).toBe(steps)
  })
})

describe.each([itaiRodehBit, itaiRodehBare])('$name', (algorithm) => {
  const { name } = algorithm

  it.each(titled(name, ({ input }) => input.check === undefined))(
    '%s',
    (_, { input: { n = 0, ids_drawn_from: ids = n }, expected }) => {
      const { expected_tokens: tokens, leader_messages: announced, ...rest } = expected
      expect(rest).toEqual({})
      const [{ value, when }] = algorithm.theory.bounds
      const facts = { n, settings: { ids } } as unknown as NetworkFacts
      expect(when?.(facts)).toBe(true)
      expect(value(facts)).toBeCloseTo(Number(tokens), 8)
      const { messages } = simulate(algorithm, { n, set: `ids=${ids}` })
      expect(messages.byType.leader).toBe(announced)
    },
  )

  it.each(titled(name, ({ input }) => input.check !== undefined))(
    '%s',
    async (_, { input: { n, ids_drawn_from: ids }, expected }) => {
      const words = ['check', name, '-n', `${n}`, '--set', `ids=${ids}`, '--reduction', 'off']
      const { states, exhausted, violated, properties } = await shellJson<CheckReport>(...words)
      expect(exhausted).toBe(true)
      expect(properties.filter(({ holds }) => holds !== true)).toEqual([])
      const ends = properties.find((one) => one.name === 'every fair run ends')
      expect({
        violation: violated,
        end_reachable_from_every_state: /reachable from every state/.test(ends?.detail ?? ''),
        states_of_the_referee: states,
      }).toEqual(expected)
    },
  )
})
