import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { preparation, simulate } from '../../../test/support/random-worlds.ts'
import { shellJson } from '../../../test/support/run-command.ts'
import { checkWorld } from '../../check/index.ts'
import { exploredProperties, propertiesOf } from '../../problems/algorithm-properties.ts'
import { omega } from './omega.ts'

const ids = (n: number) => Array.from({ length: n }, (_, id) => id)

describe('what omega sends', () => {
  it.each([1, 2, 3, 5, 8])('without faults only n - 1 messages per beat, n = %i', (n) => {
    const { messages, time, senders, leader, verdict } = simulate(omega, {
      ids: ids(n),
      until: 100,
    })
    expect(messages.total).toBe(21 * (n - 1))
    expect(time.stable).toBe(0)
    expect(senders).toEqual(n === 1 ? [] : [n - 1])
    expect(leader?.id).toBe(n - 1)
    expect(verdict.ok).toBe(true)
  })

  it('after crashes one message per beat and smaller id, also to dead ones', () => {
    const crash = '4@32,3@81'
    const run = (until: number) => simulate(omega, { ids: ids(5), crash, until })
    expect(run(200).time.stable).toBe(91)
    expect(run(205).messages.total - run(200).messages.total).toBe(2)
    const dead = { ids: ids(5), crash: '0,4@32', until: 200 }
    const before = simulate(omega, dead).messages.total
    expect(simulate(omega, { ...dead, until: 205 }).messages.total - before).toBe(3)
  })

  it('goes down one id after another where several die at once', () => {
    // The last beats are sent at 45; each silence takes 12.
    for (const k of [1, 2, 3, 5]) {
      const crash = Array.from({ length: k }, (_, i) => `${7 - i}@50`).join()
      const { time, leader } = simulate(omega, { ids: ids(8), crash, until: 300 })
      expect(time.stable).toBe(46 + 12 * k)
      expect(leader?.id).toBe(7 - k)
    }
  })
})

describe('the bound on stability', () => {
  it('says that nobody is ever suspected where the patience covers a beat and a delay', () => {
    for (const longest of [1, 3, 7])
      for (let seed = 1; seed <= 20; seed++) {
        const given = { n: 5, seed, delay: `uniform:1:${longest}`, until: 300 }
        const { bounds, time } = simulate(omega, { ...given, set: { patience: 5 + longest } })
        expect(bounds).toMatchObject([{ of: 'stability', value: 0, within: true }])
        expect(time.stable).toBe(0)
        const impatient = simulate(omega, { ...given, set: { patience: 4 + longest } })
        expect(impatient.bounds).toEqual([])
      }
  })

  it('is sharp: with one unit less somebody is suspected in some run', () => {
    const last = Array.from({ length: 40 }, (_, seed) =>
      simulate(omega, { n: 5, seed, delay: 'uniform:1:9', until: 300, set: { patience: 12 } }),
    )
    expect(last.some(({ time }) => time.stable !== 0)).toBe(true)
  })
})

describe('omega with slow messages', () => {
  it('is stable in the end, on the largest live id, which alone sends', () => {
    const worlds = fc.integer({ min: 2, max: 7 }).chain((n) =>
      fc.record({
        n: fc.constant(n),
        seed: fc.integer({ min: 1, max: 1e9 }),
        longest: fc.integer({ min: 1, max: 12 }),
        order: fc.constantFrom('fifo', 'any'),
        // Nodes that stand still make delays of any length at first.
        pauses: fc.array(fc.tuple(fc.nat(n - 1), fc.nat(200), fc.integer({ min: 1, max: 90 })), {
          maxLength: 6,
        }),
        crashes: fc.uniqueArray(fc.tuple(fc.nat(n - 1), fc.integer({ min: 1, max: 300 })), {
          maxLength: n - 1,
          selector: ([node]) => node,
        }),
      }),
    )
    fc.assert(
      fc.property(worlds, ({ n, seed, longest, order, pauses, crashes }) => {
        const apart = pauses.filter(
          ([node, from], i) =>
            !pauses.slice(0, i).some(([other, at]) => other === node && Math.abs(at - from) < 91),
        )
        const { verdict, leader, senders } = simulate(omega, {
          ...{ n, seed, order, delay: `uniform:1:${longest}`, until: 3000 },
          ...(apart.length > 0 && {
            pause: apart.map(([node, from, time]) => `${node}@${from}..${from + time}`).join(),
          }),
          crash: crashes.map(([node, at]) => `${node}@${at}`).join() || 'none',
        })
        expect(verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        const none = leader === null || senders?.length === 0
        if (!none) expect(senders).toEqual([leader.node])
      }),
      { numRuns: campaign(1_000) },
    )
  })

  it('suspects a node wrongly at most ceil((beat + delay - patience) / growth) times', () => {
    const [beat, patience, longest] = [5, 6, 20]
    for (const growth of [1, 2, 5])
      for (let seed = 1; seed <= 20; seed++) {
        const { nodes = [] } = simulate(omega, {
          ...{ n: 4, seed, delay: `empirical:1,${longest}`, until: 4000 },
          set: { beat, patience, growth },
        })
        const most = patience + growth * Math.ceil((beat + longest - patience) / growth)
        const waits = nodes.flatMap(({ state }) =>
          (state.wait as [number, number][]).map(([, w]) => w),
        )
        expect(Math.max(patience, ...waits)).toBeLessThanOrEqual(most)
      }
  })

  it('moves for ever without growth', () => {
    const world = { n: 4, delay: 'empirical:1,20', until: 3000 }
    const moved = (growth: number) =>
      Array.from({ length: 10 }, (_, seed) =>
        simulate(omega, { ...world, seed, set: { patience: 6, growth } }),
      )
    for (const { time } of moved(0)) expect(time.stable ?? 3000).toBeGreaterThan(2900)
    for (const { time, verdict } of moved(1)) {
      expect(time.stable).toBeLessThan(2900)
      expect(verdict.ok).toBe(true)
    }
  })
})

describe('omega in the checker', () => {
  const explored = (set: object, clocked: number, crashes: number, n = 3) => {
    const { world } = preparation(omega, { n, set, delay: `uniform:1:${clocked}` })
    const faults = { crashes, detect: 'off' } as const
    return checkWorld(world, {
      ...{ mode: { clocked }, order: 'fifo', wake: ids(n), faults, fairRuns: true },
      properties: exploredProperties(omega, true, propertiesOf(omega, true)),
      limits: { states: 300_000 },
    })
  }

  it('is stable in every fair run, whoever crashes', () => {
    const quick = { beat: 2, patience: 4, growth: 2 }
    for (const result of [explored(quick, 1, 2, 4), explored(quick, 2, 2), explored({}, 1, 1)]) {
      expect(result).toMatchObject({ exhausted: true, violated: null })
      expect(result.properties.map(({ name, holds }) => [name, holds])).toContainEqual([
        'the largest is the stable leader',
        true,
      ])
    }
  })

  it('is explored to the end without further flags, in the world that it needs', async () => {
    for (const words of [['3'], ['3', '--crashes', '2'], ['4', '--crashes', '1']])
      expect(
        await shellJson<object>('check', 'omega', '-n', ...words),
        words.join(' '),
      ).toMatchObject({ exhausted: true, violated: null })
  })

  it('finds the run that moves for ever without growth', () => {
    const { violated } = explored({ beat: 2, patience: 2, growth: 0 }, 2, 0)
    expect(violated).toMatchObject({ property: 'the largest is the stable leader' })
    expect(violated?.loop).toBeGreaterThan(0)
  })
})

it('omega refuses times in which nothing could happen between two events', () => {
  for (const set of [{ beat: 0 }, { patience: 0 }])
    expect(() => simulate(omega, { n: 3, set })).toThrow('must be above 0')
})
