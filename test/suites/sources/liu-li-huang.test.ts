import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { hirschbergSinclair, lcr, singh } from '../../../src/algorithms/index.ts'
import type { RunResult } from '../../../src/sim/index.ts'
import { sample } from '../../support/campaign.ts'
import { modulo, startSets, sum } from '../../support/oracles.ts'
import { cost, electionMessages, observe, shuffled, simulate } from '../../support/random-worlds.ts'

/** The k of the text for powers of two, and the S nodes that a candidate captures first. */
function figures(n: number): { k: number; teeth: number } {
  const k = n / 2 ** Math.ceil(Math.log2(Math.log2(n)))
  return { k, teeth: n / k - 1 }
}

const POWERS = [4, 8, 16, 32, 64, 128]
const LARGER_POWERS = [256, 512, 1024, 2048]

/** Some start, at different moments, over links of different speed. */
const worlds = fc.record({
  n: fc.constantFrom(...POWERS),
  seed: fc.nat(),
  wake: fc.constantFrom('all', 'rate:0.2', 'rate:0.8'),
  delay: fc.constantFrom('unit', 'uniform:1:10', 'exponential:1'),
})

/** Fails unless what is claimed of a run is true in many. */
function always(claim: (run: ReturnType<typeof observe>, n: number) => void): void {
  fc.assert(
    fc.property(worlds, (given) => {
      claim(observe(singh, given), given.n)
    }),
    { numRuns: 40 },
  )
}

describe('Liu, Li and Huang: the problem', () => {
  it('on rings: n(n+1)/2 messages with the first algorithm, O(n log n) with the second', () => {
    for (const n of [64, 256]) {
      expect(electionMessages(lcr, { n, ids: 'decreasing' })).toBe((n * (n + 1)) / 2)
      const doubling = electionMessages(hirschbergSinclair, { n, ids: 'decreasing' })
      expect(doubling).toBeLessThanOrEqual(8 * n * Math.log2(n) + 4 * n)
    }
  })

  it('an arbitrary subset wakes, and exactly one processor announces itself', () => {
    for (const n of [5, 8])
      for (const starters of startSets(n)) {
        const given = { ids: shuffled(n, starters.length), wake: starters.join() }
        const { events, result } = observe(singh, given)
        const elected = events.filter(({ event }) => event === 'lead')
        expect(elected).toHaveLength(1)
        expect(starters).toContain(elected[0].node)
        expect(result.verdict.ok).toBe(true)
      }
  })

  it('processors that a message wakes never become candidates', () => {
    always(({ sends, starts }) => {
      const candidates = sends.filter(({ type }) => /capture|owner/.test(type))
      expect(candidates.filter(({ node }) => !starts.has(node))).toEqual([])
      expect(candidates.length).toBeGreaterThan(0)
    })
  })

  it('the leader need not have the largest id, nor that of those who woke', () => {
    expect(simulate(singh, { n: 8, ids: 'increasing', wake: '0' }).leader?.id).toBe(1)
    const late = simulate(singh, { n: 8, ids: 'increasing', wake: '0@0,7@4' })
    expect(late.leader?.id).toBe(1)
  })
})

describe('Liu, Li and Huang: the first phase', () => {
  it('captures the n/k - 1 others of the subring: log n processors only if that is a power', () => {
    const sizes = POWERS.map((n) => {
      const { sends } = observe(singh, { n, wake: '0' })
      const captured = sends.filter(({ type }) => type === 'capture1').map(({ to }) => to)
      const { k, teeth } = figures(n)
      expect(captured).toEqual(Array.from({ length: teeth }, (_, i) => (i + 1) * k))
      return captured.length + 1
    })
    expect(sizes).toEqual([2, 4, 4, 8, 8, 8])
    expect(POWERS.map(Math.log2)).toEqual([2, 3, 4, 5, 6, 7])
  })

  it('elects at most one leader in each subring, so at most k candidates remain', () => {
    always(({ sends }, n) => {
      const owners = new Set(sends.filter(({ type }) => type === 'owner').map(({ node }) => node))
      const subrings = [...owners].map((node) => node % figures(n).k)
      expect(new Set(subrings).size).toBe(subrings.length)
      expect(owners.size).toBeGreaterThan(0)
    })
  })

  it('OWNER follows when all are captured, not before: line 3 is printed inverted', () => {
    always(({ events }, n) => {
      const levels = new Map<number, number>()
      for (const event of events) {
        if (event.event === 'receive' && event.type === 'accept1') {
          const more = (event.body.level as number) + 1
          levels.set(event.node, (levels.get(event.node) ?? 0) + more)
        }
        if (event.event === 'send' && event.type === 'owner')
          expect(levels.get(event.node)).toBe(figures(n).teeth)
      }
    })
  })

  it('no node sends to itself, and with S = 0 the first phase is empty', () => {
    always(({ sends }) => expect(sends.filter(({ node, to }) => node === to)).toEqual([]))
    for (const [n, capture2] of [[1, 0] as const, [2, 1] as const]) {
      const { byType } = simulate(singh, { n, wake: '0' }).messages
      expect(byType).toMatchObject({ capture1: 0, owner: 0, ack: 0, capture2 })
    }
  })
})

describe('Liu, Li and Huang: the second phase', () => {
  it('asks the odd multiples of k/2^step, 2^(step-1) of them: line 30 prints too few', () => {
    for (const n of POWERS) {
      const { k } = figures(n)
      const { sends } = observe(singh, { n, wake: '0' })
      const asked = sends.filter(({ type }) => type === 'capture2')
      for (let step = 1; step <= Math.log2(k); step++) {
        const width = k / 2 ** step
        const targets = asked.filter(({ body }) => body.step === step).map(({ to }) => to)
        const odd = (to: number) => (to / width) % 2 === 1
        expect(targets).toEqual(Array.from({ length: k - 1 }, (_, i) => i + 1).filter(odd))
        expect(targets).toHaveLength(2 ** (step - 1))
        const printed = (2 ** (step - 1) - 1) * width
        expect(targets.filter((to) => to <= printed).length).toBeLessThan(2 ** (step - 1))
      }
    }
  })

  it('every subring has a representative among the k - 1 nodes next ahead', () => {
    for (const n of POWERS) {
      const { k } = figures(n)
      const { sends } = observe(singh, { n, wake: '3' })
      const asked = sends.filter(({ type }) => type === 'capture2')
      const subrings = new Set(asked.map(({ to }) => to % k))
      expect(subrings).toEqual(new Set(Array.from({ length: k - 1 }, (_, i) => (i + 4) % k)))
    }
  })

  it('OWNER and INFORM tell the distance along the cycle, not the id', () => {
    let informed = 0
    always(({ sends }, n) => {
      const owners = new Map<number, number>()
      for (const { type, node, to, body } of sends) {
        const away = body.away as number
        if (type === 'owner') {
          expect(modulo(to + away, n)).toBe(node)
          owners.set(to, node)
        }
        if (type === 'inform') {
          expect(modulo(node + away, n)).toBe(owners.get(node))
          informed++
        }
      }
    })
    expect(informed).toBeGreaterThan(0)
  })

  it('the winner tells everybody, which the text leaves out', () => {
    always(({ sends, result }, n) => {
      const told = sends.filter(({ type }) => type === 'elected')
      expect(told.every(({ node }) => node === result.leader?.node)).toBe(true)
      expect(new Set(told.map(({ to }) => to)).size).toBe(n - 1)
      expect(told).toHaveLength(n - 1)
    })
  })
})

describe('Liu, Li and Huang: what it costs', () => {
  it('one candidate: 4S + 2(k-1) messages, elected at 2S + 2 + 2 log2 k', () => {
    expect([8, 64].map((n) => cost(singh, simulate(singh, { n, wake: '0' }).messages))).toEqual([
      14, 42,
    ])
    for (const n of [...POWERS, ...LARGER_POWERS]) {
      const { k, teeth } = figures(n)
      const { messages, time } = simulate(singh, { n, wake: '0' })
      expect(cost(singh, messages)).toBe(4 * teeth + 2 * (k - 1))
      expect(time.elected).toBe(2 * teeth + 2 + 2 * Math.log2(k))
    }
  })

  it('a leader need not capture a majority', () => {
    for (const n of [16, 64, 1024]) {
      const { byType } = simulate(singh, { n, wake: '0' }).messages
      expect(byType.accept1 + byType.accept2).toBeLessThan(n / 2 - 1)
    }
  })

  it('O(n) messages and O(log n) time when all start', () => {
    for (const n of [...POWERS, ...LARGER_POWERS]) {
      const { messages, time } = simulate(singh, { n })
      expect(messages.total).toBeLessThanOrEqual(8 * n)
      expect(time.elected).toBeLessThanOrEqual(5 * Math.log2(n))
    }
  })

  it('n that is no power of two: capturing on both sides costs a constant factor more', () => {
    const sizes = Array.from({ length: 126 }, (_, i) => i + 3)
    for (const n of sample(sizes, 4)) {
      const forward = simulate(singh, { n, wake: '0' })
      const both = simulate(singh, { n, wake: '0', set: { variant: 'two-sided' } })
      expect(cost(singh, both.messages)).toBeLessThanOrEqual(2 * cost(singh, forward.messages))
      expect(both.time.elected).toBeLessThanOrEqual(2 * forward.time.elected!)
    }
  })

  it('more than 5000 nodes are no limit', () => {
    expect(simulate(singh, { n: 5001 }).verdict.ok).toBe(true)
  })
})

describe('Liu, Li and Huang: the experiment, n from 2 to 100 and wake rate 0.8', () => {
  /** Thirty repeats each of four sizes. */
  const sizes = [25, 50, 75, 100]
  const runs: Record<string, { n: number; repeats: RunResult[] }[]> = {}
  beforeAll(() => {
    for (const variant of ['forward', 'two-sided'])
      runs[variant] = sizes.map((n) => {
        const given = { n, wake: 'rate:0.8', delay: 'constant:0.1', set: { variant } }
        const repeats = Array.from({ length: 30 }, (_, seed) =>
          simulate(singh, { ...given, seed }, { traffic: true }),
        )
        return { n, repeats }
      })
  })
  const mean = (repeats: RunResult[], read: (result: RunResult) => number) =>
    sum(repeats.map(read)) / repeats.length

  it('0.613n + 7.3 is no total: announcing the leader alone takes more', () => {
    for (const { n, repeats } of runs.forward) {
      expect(n - 1).toBeGreaterThan(0.613 * n + 7.3)
      const total = mean(repeats, ({ messages }) => messages.total)
      expect(Math.abs(total / (5.96 * n - 15) - 1)).toBeLessThan(0.15)
    }
  })

  it('0.613n + 7.3 is near to what the leader alone sends on two sides', () => {
    for (const { n, repeats } of runs['two-sided']) {
      const sent = mean(repeats, ({ nodes, leader }) => nodes![leader!.node].sent! - (n - 1))
      expect(Math.abs(sent / (0.613 * n + 7.3) - 1)).toBeLessThan(0.35)
    }
  })

  it('time grows with log2 n, but messages of 0.1 s explain less than half of the seconds', () => {
    for (const { n, repeats } of runs.forward) {
      const seconds = mean(repeats, ({ time }) => time.elected!)
      expect(Math.abs(seconds / (0.335 * Math.log2(n)) - 1)).toBeLessThan(0.2)
      expect(seconds).toBeLessThan((1.397 * Math.log2(n) - 1.971) / 2)
    }
  })
})
