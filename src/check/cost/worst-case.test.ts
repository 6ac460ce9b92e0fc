import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { doublingMessages, peakPhases } from '../../../test/support/oracles.ts'
import { changRoberts } from '../../algorithms/ring/chang-roberts.ts'
import { franklin } from '../../algorithms/ring/franklin.ts'
import { hirschbergSinclair } from '../../algorithms/ring/hirschberg-sinclair.ts'
import { lcr } from '../../algorithms/ring/lcr.ts'
import { peterson } from '../../algorithms/ring/peterson.ts'
import { slowFast } from '../../algorithms/ring/slow-fast.ts'
import { timeSlice } from '../../algorithms/ring/time-slice.ts'
import { type Algorithm, algorithm, left, message, type TraceEvent } from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { ring } from '../../core/networks/ring.ts'
import { type WorstCase, worstCase } from '../index.ts'
import type { ModelOptions } from '../options.ts'

const untimed: ModelOptions = { mode: 'untimed', order: 'fifo', wake: 'any' }
const limits = { states: 300_000 }

function on(definition: Algorithm, ids: readonly number[]): World {
  return {
    algorithm: definition,
    topology: ring(ids.length),
    ids: Float64Array.from(ids),
    params: {},
  }
}

const figures = ({ figures }: WorstCase) =>
  Object.fromEntries(figures.map(({ name, most, least }) => [name, [most, least]]))

const messagesOf = (definition: Algorithm, ids: readonly number[], options = untimed) =>
  figures(worstCase(on(definition, ids), options, limits, 'messages'))

const everybody = (n: number) => Array.from({ length: n }, (_, node) => node)

describe('messages over all schedules', () => {
  it.each([1, 2, 3, 4, 5, 6])('of LCR are those of its formulas, n = %i', (n) => {
    const decreasing = everybody(n).map((i) => n - i)
    const worst = (n * (n + 1)) / 2
    expect(messagesOf(lcr, decreasing)).toEqual({
      messages: [worst + n, worst + n],
      'without the announcement': [worst, worst],
    })
    const best = 2 * n - 1
    expect(messagesOf(lcr, decreasing.toReversed())).toMatchObject({
      messages: [best + n, best + n],
    })
  })

  const shuffled = fc.integer({ min: 1, max: 5 }).chain((n) =>
    fc.shuffledSubarray(
      everybody(n).map((i) => i + 1),
      { minLength: n },
    ),
  )

  it('of Hirschberg-Sinclair, Peterson and Franklin do not depend on the schedule', () => {
    fc.assert(
      fc.property(shuffled, (ids) => {
        fc.pre(ids.length < 5)
        const bare = 'without the announcement'
        const n = ids.length
        const phases = peakPhases(ids)
        expect(messagesOf(peterson, ids)[bare]).toEqual(Array(2).fill(2 * n * (phases - 1) + n))
        expect(messagesOf(franklin, ids)[bare]).toEqual(Array(2).fill(2 * n * phases))
        if (n === 1) return
        expect(messagesOf(hirschbergSinclair, ids)[bare]).toEqual(
          Array(2).fill(doublingMessages(ids)),
        )
      }),
      { numRuns: 12 },
    )
  })

  it('of Chang-Roberts, and their chains, are found by trying every schedule in turn', () => {
    fc.assert(
      fc.property(shuffled, (ids) => {
        fc.pre(ids.length < 5)
        const { sent, chain } = changRobertsByEnumeration(ids)
        expect(messagesOf(changRoberts, ids).messages).toEqual([sent.most, sent.least])
        const time = figures(worstCase(on(changRoberts, ids), untimed, limits, 'time'))
        expect(time['last receipt']).toEqual([chain.most, chain.least])
      }),
      { numRuns: 12 },
    )
  })

  it('are shown by sample runs', () => {
    const world = on(changRoberts, [2, 3, 1])
    const { figures: all, samples } = worstCase(world, untimed, limits, 'messages')
    const sent = ({ trace }: { trace: readonly { sends: readonly unknown[] }[] }) =>
      trace.reduce((sum, { sends }) => sum + sends.length, 0)
    expect([sent(samples!.most), sent(samples!.least)]).toEqual([all[0].most, all[0].least])
    expect(all[0].most).toBeGreaterThan(all[0].least!)
  })

  const TOKEN = message({})
  const restless = (rounds: boolean) =>
    algorithm({
      name: 'restless',
      needs: { topology: 'ring', coins: true },
      messages: { TOKEN },
      state: {},
      wakes: false,
      start: (_, net) => net.send(left, TOKEN, {}),
      on: {
        TOKEN(_, __, net) {
          if (rounds && net.choose(2) === 0) net.send(left, TOKEN, {})
        },
      },
    })

  it('are unbounded if a cycle sends messages, and the cycle is shown', () => {
    const endless = worstCase(on(restless(true), [1, 2]), untimed, limits, 'messages')
    expect(figures(endless)).toEqual({ messages: ['unbounded', 1] })
    const { trace, loop } = endless.samples!.most
    const round = trace.slice(loop! - 1)
    expect(round.reduce((sum, { sends }) => sum + sends.length, 0)).toBeGreaterThan(0)
    expect(messagesOf(restless(false), [1, 2])).toEqual({ messages: [2, 1] })
  })

  it('are unknown if the exploration is incomplete', () => {
    const few = worstCase(on(lcr, [4, 3, 2, 1]), untimed, { states: 20 }, 'messages')
    expect(few).toMatchObject({ figures: [], reason: 'the limit of 20 states was reached' })
  })
})

interface Span {
  most: number
  least: number
}

/** Tries every schedule in turn: the messages from here on, and the longest chain. */
function changRobertsByEnumeration(ids: readonly number[]): { sent: Span; chain: Span } {
  interface Node {
    awake: boolean
    took: boolean
    stopped: boolean
    chain: number
  }
  type Word = [type: 'election' | 'leader', id: number, chain: number]
  type Costs = { sent: Span; chain: Span } | null
  const n = ids.length
  const known = new Map<string, Costs>()
  const join = (a: Costs, b: Costs): Costs => {
    if (a === null || b === null) return a ?? b
    const span = (x: Span, y: Span) => ({
      most: Math.max(x.most, y.most),
      least: Math.min(x.least, y.least),
    })
    return { sent: span(a.sent, b.sent), chain: span(a.chain, b.chain) }
  }
  const play = (nodes: readonly Node[], queues: readonly Word[][]): Costs => {
    const key = JSON.stringify([nodes, queues])
    const before = known.get(key)
    if (before !== undefined) return before
    const longest = Math.max(...nodes.map(({ chain }) => chain))
    const over = queues.every((queue) => queue.length === 0) && nodes.some(({ awake }) => awake)
    let costs: Costs = over
      ? { sent: { most: 0, least: 0 }, chain: { most: longest, least: longest } }
      : null
    const go =
      (act: (node: Node, send: (type: Word[0], id: number) => void, word?: Word) => void) =>
      (i: number, taken: boolean) => {
        const next = structuredClone(nodes) as Node[]
        const channels = structuredClone(queues) as Word[][]
        const word = taken ? channels[i].shift() : undefined
        let sent = 0
        act(
          next[i],
          (type, id) => {
            sent++
            channels[(i + 1) % n].push([type, id, next[i].chain + 1])
          },
          word,
        )
        const rest = play(next, channels)
        if (rest === null) return
        const all = { most: rest.sent.most + sent, least: rest.sent.least + sent }
        costs = join(costs, { sent: all, chain: rest.chain })
      }
    for (let i = 0; i < n; i++) {
      const wake = go((node, send) => {
        node.awake = node.took = true
        send('election', ids[i])
      })
      if (!nodes[i].awake) wake(i, false)
      const receive = go((node, send, word) => {
        const [type, id, chain] = word!
        node.awake = true
        node.chain = Math.max(node.chain, chain)
        if (node.stopped) return
        if (type === 'leader') {
          if (id !== ids[i]) send('leader', id)
          node.took = false
          node.stopped = true
          return
        }
        if (id > ids[i]) send('election', id)
        if (id === ids[i]) send('leader', id)
        if (id < ids[i] && !node.took) send('election', ids[i])
        node.took = true
      })
      if (queues[i].length > 0) receive(i, true)
    }
    known.set(key, costs)
    return costs
  }
  const asleep = { awake: false, took: false, stopped: false, chain: 0 }
  return play(
    ids.map(() => ({ ...asleep })),
    ids.map(() => []),
  )!
}

describe('time over all schedules', () => {
  it.each([1, 2, 3, 4, 5])(
    'of LCR with one starter is a chain round the ring and on, n = %i',
    (n) => {
      // Woken nodes send their own id first: the largest starts when the first chain reaches it.
      for (let starter = 0; starter < n; starter++) {
        const ids = everybody(n).map((i) => i + 1)
        const distance = n - 1 - starter
        const options: ModelOptions = { ...untimed, wake: [starter] }
        expect(figures(worstCase(on(lcr, ids), options, limits, 'time'))).toEqual({
          'last receipt': [distance + 2 * n, distance + 2 * n],
          elected: [distance + n, distance + n],
        })
      }
    },
  )

  it('by the clock is that of the source texts', () => {
    const rounds: ModelOptions = { ...untimed, mode: { clocked: 1 } }
    const time = (definition: Algorithm, ids: readonly number[], wake: ModelOptions['wake']) =>
      figures(worstCase(on(definition, ids), { ...rounds, wake }, limits, 'time'))
    // Elected in round n + 1, last receipt in round 2n + 1; time is round - 1.
    expect(time(lcr, [2, 4, 1, 3], everybody(4))).toEqual({
      'last receipt': [8, 8],
      elected: [4, 4],
    })
    // Smallest id 2: elected in round 2n + 1, back at the leader in round 3n + 1.
    expect(time(timeSlice, [4, 2, 3], everybody(3))).toEqual({
      'last receipt': [9, 9],
      elected: [6, 6],
    })
    // Alone awake, id 1 goes round fast: elected in round 1 + n.
    expect(time(slowFast, [1, 2, 3], [0]).elected).toEqual([3, 3])
  })

  it('by the clock grows with the largest delay', () => {
    const options: ModelOptions = { ...untimed, mode: { clocked: 3 }, wake: [0, 1, 2] }
    expect(figures(worstCase(on(lcr, [1, 2, 3]), options, limits, 'time'))).toEqual({
      'last receipt': [18, 6],
      elected: [9, 3],
    })
  })

  it('is at most the longest chain, and sample runs show it', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([1, 2, 3, 4], { minLength: 3 }), (ids) => {
        const world = on(changRoberts, ids)
        const chains = worstCase(world, untimed, limits, 'time')
        const clock = worstCase(world, { ...untimed, mode: { clocked: 1 } }, limits, 'time')
        const [longest] = figures(chains)['last receipt']
        // Late wake-ups take time by the clock and none in chains, so all wake at the beginning.
        const together: ModelOptions = {
          ...untimed,
          wake: everybody(ids.length),
          mode: { clocked: 1 },
        }
        const [ticked] = figures(worstCase(world, together, limits, 'time'))['last receipt']
        expect(longest).toBeGreaterThanOrEqual(ticked as number)
        expect(clock.reason).toBeUndefined()
        expect(longestChain(chains.samples!.most.events)).toBe(longest)
      }),
      { numRuns: 8 },
    )
  })

  it('is rejected if chains cannot be measured', () => {
    const any: ModelOptions = { ...untimed, order: 'any' }
    expect(() => worstCase(on(lcr, [1, 2]), any, limits, 'time')).toThrow(
      'messages may arrive in any order',
    )
    const lossy: ModelOptions = { ...untimed, faults: { losses: 1 } }
    expect(() => worstCase(on(lcr, [1, 2]), lossy, limits, 'time')).toThrow('faults are allowed')
  })
})

/** The longest chain of messages in a list of events, each known by its number. */
function longestChain(events: readonly TraceEvent[]): number {
  const reached = new Map<number, number>()
  const carried = new Map<number, number>()
  for (const event of events) {
    const here = reached.get(event.node) ?? 0
    if (event.event === 'send') carried.set(event.message, here + 1)
    if (event.event === 'receive')
      reached.set(event.node, Math.max(here, carried.get(event.message)!))
  }
  return Math.max(...reached.values())
}
