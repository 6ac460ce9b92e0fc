import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Algorithm, algorithm, left, message, nat, right } from '../../core/index.ts'
import { ring } from '../../core/networks/ring.ts'
import { checkWorld } from '../index.ts'

const WORD = message({ said: nat })

function termination(definition: Algorithm, n: number) {
  const ids = Float64Array.from({ length: n }, (_, i) => i + 1)
  const { properties, violated, exhausted } = checkWorld(
    { algorithm: definition, topology: ring(n), ids, params: {} },
    {
      mode: 'untimed',
      order: 'fifo',
      wake: [0],
      limits: { states: 10_000 },
      properties: [],
      fairRuns: true,
    },
  )
  expect(exhausted).toBe(true)
  return { ...properties[0], violated }
}

const common = {
  needs: { topology: 'ring', coins: true },
  messages: { WORD },
  state: {},
  wakes: false,
} as const

describe('runs with random choices', () => {
  it('do not end if no choice leads to an end', () => {
    const undecided = algorithm({
      ...common,
      name: 'undecided',
      start: (_, net) => net.send(left, WORD, { said: 0 }),
      on: { WORD: (_, __, net) => net.send(left, WORD, { said: net.choose(2) }) },
    })
    const { holds, violated } = termination(undecided, 1)
    expect(holds).toBe(false)
    expect(violated?.loop).toBeGreaterThan(1)
  })

  it('do not end if a fair schedule may avoid the choices, although an end is in reach', () => {
    /** Two words go round, one each way. A node tosses a coin at some of them, and stops at 1. */
    const tosser = (tosses: (from: number, last: number) => boolean) =>
      algorithm({
        ...common,
        name: 'tosser',
        state: { last: nat },
        start: (_, net) => net.sendAll(WORD, { said: 0 }),
        on: {
          WORD(my, { said }, net) {
            if (tosses(net.from, my.last) && net.choose(2) === 1) return net.stop()
            my.last = net.from
            net.send(net.onward, WORD, { said })
          },
        },
      })
    expect(
      termination(
        tosser((from) => from === left),
        1,
      ).holds,
    ).toBe(true)
    const { holds, violated } = termination(
      tosser((from, last) => from === last),
      1,
    )
    expect(holds).toBe(false)
    const sides = violated!.trace.slice(violated!.loop! - 1).map(({ text }) => text)
    expect(sides).toHaveLength(2)
    expect(sides[0]).not.toBe(sides[1])
  })
})

/** By state and word: the next state, the word to send (2: none) and the link, by random choice. */
type Table = readonly (readonly (readonly Outcome[])[])[]
type Outcome = readonly [next: number, says: number, link: number]

const STATES = 2
const NOTHING = 2
const upTo = (max: number) => fc.integer({ min: 0, max })
const outcome = fc.tuple(upTo(STATES - 1), upTo(NOTHING), upTo(1))
const cell = fc.array(outcome, { minLength: 1, maxLength: 2 })
const row = fc.array(cell, { minLength: 2, maxLength: 2 })
const tables: fc.Arbitrary<Table> = fc.array(row, { minLength: STATES, maxLength: STATES })

function protocol(table: Table) {
  return algorithm({
    ...common,
    name: 'table',
    state: { at: nat },
    start: (_, net) => net.sendAll(WORD, { said: 0 }),
    on: {
      WORD(my, { said }, net) {
        const cell = table[my.at][said]
        const [next, says, link] = cell[cell.length === 1 ? 0 : net.choose(cell.length)]
        my.at = next
        if (says !== NOTHING) net.send(link, WORD, { said: says })
      },
    },
  })
}

interface NaiveState {
  readonly at: number
  /** What the node has said over each link, and will receive over the other. */
  readonly queues: readonly (readonly number[])[]
}

/** A step over one channel, with its outcomes. */
interface Step {
  readonly channel: number
  readonly to: readonly number[]
}

/** Everything that a single node on a ring may do; null if that is too much to enumerate. */
function graphOf(table: Table): { steps: Step[][]; states: NaiveState[] } | null {
  const states: NaiveState[] = [{ at: 0, queues: [[0], [0]] }]
  const keys = new Map([[JSON.stringify(states[0]), 0]])
  const steps: Step[][] = []
  const add = (state: NaiveState) => {
    const key = JSON.stringify(state)
    if (!keys.has(key)) keys.set(key, states.push(state) - 1)
    return keys.get(key)!
  }
  for (let from = 0; from < states.length; from++) {
    if (states.length > 10) return null
    const { at, queues } = states[from]
    steps.push(
      [left, right].flatMap((channel) => {
        const [said, ...rest] = queues[channel]
        if (said === undefined) return []
        const to = table[at][said].map(([next, says, link]) => {
          const left = queues.with(channel, rest)
          const sent = says === NOTHING ? left : left.with(link, [...left[link], says])
          return add({ at: next, queues: sent })
        })
        return [{ channel, to }]
      }),
    )
  }
  return { steps, states }
}

/** Whether some set of states keeps a fair run for ever, by trying every set. */
function someSetKeepsRuns({ steps, states }: NonNullable<ReturnType<typeof graphOf>>): boolean {
  const keeps = (set: number) => {
    const has = (state: number) => ((set >> state) & 1) === 1
    const members = states.map((_, state) => state).filter(has)
    const staying = members.map((state) => steps[state].filter(({ to }) => to.every(has)))
    const targets = new Map(
      members.map((state, i) => [state, new Set(staying[i].flatMap(({ to }) => to))]),
    )
    const connected = members.every((start) => {
      const seen = new Set(targets.get(start))
      for (const state of seen) for (const to of targets.get(state)!) seen.add(to)
      return members.every((state) => seen.has(state))
    })
    const fair = [left, right].every(
      (channel) =>
        staying.flat().some((step) => step.channel === channel) ||
        members.some((state) => states[state].queues[channel].length === 0),
    )
    return connected && fair
  }
  return Array.from({ length: 2 ** states.length - 1 }, (_, i) => i + 1).some(keeps)
}

describe('random protocols with random choices', () => {
  it('end with probability 1 exactly if no set of states keeps a fair run', () => {
    const found = { certain: 0, luck: 0, endless: 0 }
    fc.assert(
      fc.property(tables, (table) => {
        const graph = graphOf(table)
        fc.pre(graph !== null)
        const { holds, detail } = termination(protocol(table), 1)
        expect(holds).toBe(!someSetKeepsRuns(graph))
        found[holds ? (detail.startsWith('with probability 1') ? 'luck' : 'certain') : 'endless']++
      }),
      // The seed is fixed, so that the counts below are.
      { numRuns: 400, seed: 1 },
    )
    expect(Math.min(...Object.values(found))).toBeGreaterThan(20)
  })
})
