import { describe, expect, it } from 'vitest'
import { preparation } from '../../../test/support/random-worlds.ts'
import { shell, shellJson } from '../../../test/support/run-command.ts'
import { itaiRodeh } from '../../algorithms/index.ts'
import { algorithm, left, message, ring } from '../../core/index.ts'
import { type CheckOptions, type CheckResult, checkWorld } from '../index.ts'

const AGAIN = message({})

/** Makes a random choice for each message until it is 1. */
const gambler = algorithm({
  name: 'gambler',
  needs: { topology: 'ring', ids: 'unique', coins: true },
  messages: { AGAIN },
  state: {},
  wakes: false,
  start(_, net) {
    net.send(left, AGAIN, {})
  },
  on: {
    AGAIN(_, __, net) {
      if (net.choose(2) === 1) net.lead()
      else net.send(left, AGAIN, {})
    },
  },
})

const RULES = { mode: 'untimed', order: 'fifo', wake: 'any', fairRuns: true } as const
const LIMITS = { states: 100_000 }

function gambling(draws: number, options: Partial<CheckOptions> = {}): CheckResult {
  const world = { algorithm: gambler, topology: ring(1), ids: Float64Array.of(7), params: {} }
  return checkWorld(world, { ...RULES, limits: LIMITS, properties: [], draws, ...options })
}

function itaiRodehWith(n: number, options: Partial<CheckOptions>): CheckResult {
  const { world, properties } = preparation(itaiRodeh, { n })
  return checkWorld(world, { ...RULES, limits: LIMITS, properties, ...options })
}

describe('a limit of random choices', () => {
  it.each([1, 2, 9])('keeps the states up to choice %i', (draws) => {
    // Asleep, awake, and two states after each choice; after the last there is no further choice.
    for (const reduction of ['off', 'auto'] as const)
      expect(gambling(draws, { reduction })).toMatchObject({
        ...{ states: 2 + 2 * draws, transitions: 1 + 2 * draws, exhausted: true },
        draws: { most: draws, enough: false, cut: 1 },
        properties: [{ name: 'every fair run ends', holds: null }],
      })
  })

  it('counts the choices of each node, and cuts only runs that need more', () => {
    const { states: one } = itaiRodehWith(1, {})
    const limited = itaiRodehWith(1, { draws: 1 })
    expect(limited).toMatchObject({ states: one, draws: { enough: true, cut: 0 } })
    expect(limited.properties.every(({ holds }) => holds)).toBe(true)
  })

  it.each([
    [2, 1],
    [2, 4],
    [3, 1],
    [3, 2],
  ])('cuts the same runs with and without reduction: %i nodes, %i choices', (n, draws) => {
    const all = itaiRodehWith(n, { draws, reduction: 'off', exact: true })
    const few = itaiRodehWith(n, { draws, reduction: 'auto' })
    expect(few.states).toBeLessThan(all.states)
    expect(few.draws).toEqual(all.draws)
    // Nodes that share the largest of n^n draws draw again.
    if (draws === 1) expect(all.draws!.cut).toBe(tiesAmong(n))
    const holding = ({ properties }: CheckResult) => properties.map(({ holds }) => holds)
    expect(holding(few)).toEqual(holding(all))
  })

  it('adds equally many states with each further choice of two nodes', () => {
    const states = [1, 2, 3, 4].map((draws) => itaiRodehWith(2, { draws }).states)
    const [first, second, third] = [1, 2, 3].map((i) => states[i] - states[i - 1])
    expect([second, third]).toEqual([second, second])
    expect(first).toBeGreaterThan(0)
  })

  it('is in the first line, with the number of states where runs are cut', async () => {
    const { code, out } = await shell('check', 'itai-rodeh', '-n', '2', '--draws', '2')
    expect(code).toBe(3)
    expect(out).toMatch(
      /^Every run with at most 2 random choices per node explored; 2 properties are\s+undecided\n/,
    )
    expect(out).toContain('runs with more random choices are cut: 2 states')
    expect(out).toMatch(/\? every fair run ends: not checked/)
    const all = ['--ids', 'all', '--json']
    const both = await shellJson('check', 'itai-rodeh', '-n', '2', '--draws', '2', ...all)
    expect(both).toMatchObject({ draws: { most: 2, enough: false, cut: 2 }, arrangements: 1 })
    const { out: worst } = await shell(
      ...['check', 'itai-rodeh', '-n', '2', '--draws', '2', '--worst', 'messages'],
    )
    expect(worst).toContain('some runs need more than 2 random choices of a node')
  })

  it('says nothing about choices in runs that were not explored', async () => {
    const cut = (result: CheckResult) => result.draws?.enough
    expect(cut(itaiRodehWith(3, { draws: 9, limits: { states: 20 } }))).toBeNull()
    const { out } = await shell('check', 'itai-rodeh', '-n', '3', '--draws', '2', '--losses', '1')
    expect(out).toMatch(/^Violated/)
    expect(out).not.toContain('no node makes')
  })

  it.each(['0', 'many', '1.5'])('of %s is rejected in one line', async (draws) => {
    const { code, err } = await shell('check', 'itai-rodeh', '-n', '2', '--draws', draws)
    expect(code).toBe(2)
    expect(err).toMatch(/^--draws: .*\n$/)
  })
})

/** How many of n^n ways to draw from 1 to n have the largest draw at least twice. */
function tiesAmong(n: number): number {
  const outcomes = Array.from({ length: n ** n }, (_, i) =>
    Array.from({ length: n }, (_, node) => Math.floor(i / n ** node) % n),
  )
  return outcomes.filter((draws) => draws.filter((one) => one === Math.max(...draws)).length > 1)
    .length
}
