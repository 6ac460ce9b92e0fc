import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../src/sim/index.ts'
import { shellJson } from '../../support/run-command.ts'

interface Case<I, E> {
  readonly input: I
  readonly expected: E
}

function casesOf<I, E>(algorithm: string): Case<I, E>[] {
  const file = new URL(`../../fixtures/cases-2/${algorithm}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Case<I, E>[]
}

/** Positions and times of crashes, as the flag has them. */
function crashFlag(crash: readonly (readonly [number, number])[] = []): string[] {
  if (crash.length === 0) return []
  return ['--crash', crash.map(([node, at]) => `${node}@${at}`).join(','), '--detect', 'off']
}

interface RaftInput {
  readonly n: number
  readonly patience: number
  readonly beat: number
  readonly timeouts_in_order_of_drawing: readonly (readonly number[])[]
  readonly prevote: boolean
  readonly until: number
  readonly note: string
  readonly crash?: readonly (readonly [number, number])[]
}
interface RaftExpected {
  readonly leads: readonly object[]
  readonly messages: Readonly<Record<string, number>>
  readonly terms_at_the_end: readonly number[]
  readonly one_leader_per_term: boolean
}

describe('raft', () => {
  it.each(casesOf<RaftInput, RaftExpected>('raft'))(
    '$input.note, pre-vote $input.prevote',
    async ({ input, expected }) => {
      const coins = input.timeouts_in_order_of_drawing
        .map((drawn, node) => `${node}:${drawn.map((timeout) => timeout - input.patience)}`)
        .join(';')
      const settings = [
        `patience=${input.patience}`,
        `beat=${input.beat}`,
        `prevote=${input.prevote ? 'on' : 'off'}`,
      ]
      const result = await shellJson<RunResult>(
        ...['run', 'raft', '-n', `${input.n}`, '--until', `${input.until}`, '--coins', coins],
        ...settings.flatMap((setting) => ['--set', setting]),
        ...crashFlag(input.crash),
      )
      expect(result.leads).toEqual(expected.leads)
      expect(result.messages.byType).toEqual({
        ...{ prevote: 0, prevoted: 0, vote: 0, voted: 0, heartbeat: 0, heard: 0 },
        ...expected.messages,
      })
      expect(result.nodes?.map(({ state }) => state.term)).toEqual(expected.terms_at_the_end)
      const one = result.verdict.properties.find(({ name }) => name === 'one leader per term')
      expect(one?.holds).toBe(expected.one_leader_per_term)
    },
  )
})

interface OmegaInput {
  readonly n: number
  readonly beat: number
  readonly patience: number
  readonly growth: number
  readonly until: number
  readonly note: string
  readonly crash: readonly (readonly [number, number])[]
}
interface OmegaExpected {
  readonly leader: number
  readonly stable_since: number
  readonly messages: Readonly<Record<string, number>>
  readonly messages_per_beat_in_the_end: number
}

describe('omega', () => {
  it.each(casesOf<OmegaInput, OmegaExpected>('omega'))(
    '$input.note',
    async ({ input, expected }) => {
      const { n, beat, patience, growth, until } = input
      const command = (end: number) =>
        shellJson<RunResult>(
          ...['run', 'omega', '--ids', Array.from({ length: n }, (_, id) => id).join()],
          ...[`beat=${beat}`, `patience=${patience}`, `growth=${growth}`].flatMap((one) => [
            '--set',
            one,
          ]),
          ...['--until', `${end}`, ...crashFlag(input.crash)],
        )
      const result = await command(until)
      expect(result.leader?.id).toBe(expected.leader)
      expect(result.time.stable).toBe(expected.stable_since)
      expect(result.messages.byType).toEqual(expected.messages)
      expect(result.senders).toEqual([expected.leader])
      const later = await command(until + beat)
      const perBeat = later.messages.total - result.messages.total
      expect(perBeat).toBe(expected.messages_per_beat_in_the_end)
      expect(result.verdict.ok).toBe(true)
    },
  )
})

interface StabilizingInput {
  readonly topology: string
  readonly ids: readonly number[]
  readonly bound: number
  readonly tables: readonly (readonly unknown[])[]
  readonly note: string
}
interface StabilizingExpected {
  readonly stable_since_round: number
  readonly leader: number
  readonly distances: readonly number[]
  readonly messages_per_round: number
  readonly bound_round: number
}

describe('stabilizing', () => {
  it.each(casesOf<StabilizingInput, StabilizingExpected>('stabilizing'))(
    '$input.note',
    async ({ input, expected }) => {
      const { topology, ids, bound, tables } = input
      const rounds = 40
      const result = await shellJson<RunResult>(
        ...['run', 'stabilizing', '-t', topology, '--ids', ids.join(), '--timing', 'sync'],
        ...['--set', `bound=${bound}`, '--tables', JSON.stringify(tables), '--until', `${rounds}`],
      )
      expect(result.time.stable).toBe(expected.stable_since_round)
      expect(expected.stable_since_round).toBeLessThanOrEqual(expected.bound_round)
      expect(result.leader?.id).toBe(expected.leader)
      expect(result.nodes?.map(({ state }) => state.dist)).toEqual(expected.distances)
      expect(result.messages.total).toBe(rounds * expected.messages_per_round)
      expect(result.verdict.ok).toBe(true)
    },
  )
})
