import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bully, changRoberts } from '../../../src/algorithms/index.ts'
import { type CheckResult, checkWorld, type FaultOptions } from '../../../src/check/index.ts'
import type { Algorithm, TraceEvent } from '../../../src/core/index.ts'
import { leaderElection } from '../../../src/problems/leader-election.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { RunResult } from '../../../src/sim/index.ts'
import { campaign } from '../../support/campaign.ts'
import { startSets } from '../../support/oracles.ts'
import { named, observe, preparation, simulate } from '../../support/random-worlds.ts'

const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7]
const upTo = (n: number) => Array.from({ length: n }, (_, id) => id)
const byType = (given: ScenarioInput) => simulate(bully, { ids: EIGHT, ...given }).messages.byType

/** The leader of every live process, which the text writes L(p). */
function views({ nodes }: RunResult): (number | null)[] {
  const live = nodes!.filter(({ status }) => status !== 'dead')
  return live.map(({ leader }) => leader)
}

/** The leaders after each change. */
function leaderships(events: readonly TraceEvent[]): number[][] {
  const leaders = new Set<number>()
  return events
    .filter(({ event }) => ['lead', 'follow', 'withdraw', 'crash'].includes(event))
    .map(({ event, node }) => {
      if (event === 'lead') leaders.add(node)
      else leaders.delete(node)
      return [...leaders].sort()
    })
}

/** Processes that crash at random moments, except one. */
const dying = fc.integer({ min: 2, max: 8 }).chain((n) =>
  fc.record({
    n: fc.constant(n),
    seed: fc.nat(),
    delay: fc.constantFrom('unit', 'uniform:1:3'),
    deaths: fc.dictionary(fc.nat(n - 1).map(String), fc.integer({ min: 0, max: 30 }), {
      minKeys: 1,
      maxKeys: n - 1,
    }),
  }),
)

describe('Albano: what leader election is', () => {
  it.each(named([changRoberts, bully]))(
    'safe and live: all living processes know the largest of them, crashes or not: %s',
    (_, algorithm) => {
      fc.assert(
        fc.property(dying, ({ deaths, ...given }) => {
          const crash = Object.entries(deaths).map(([node, at]) => `${node}@${at}`)
          const result = simulate(algorithm, { ...given, wake: 'all', crash: crash.join() })
          const live = result.nodes!.filter(({ node }) => !(node in deaths))
          const largest = Math.max(...live.map(({ id }) => id!))
          expect(views(result)).toEqual(live.map(() => largest))
          expect(result.verdict.properties.filter(({ holds }) => !holds)).toEqual([])
        }),
        { numRuns: campaign(1200) },
      )
    },
  )

  it.each(named([changRoberts, bully]))(
    'assumes that crashes are detected: otherwise live processes wait for a crashed one: %s',
    (_, algorithm: Algorithm) => {
      const given = { ids: [1, 2, 3, 4, 5], wake: 'all', crash: '4@3' }
      expect(views(simulate(algorithm, given))).toEqual([4, 4, 4, 4])
      const blind = simulate(algorithm, { ...given, detect: 'off' })
      expect(blind.leader).toBeNull()
      expect(blind.verdict.ok).toBe(false)
    },
  )
})

describe('Albano: Chang-Roberts', () => {
  const total = (given: ScenarioInput) => simulate(changRoberts, given).messages.total

  it('3N - 1 messages, all told, on the ring of the text: process i has id i', () => {
    for (let n = 1; n <= 40; n++) expect(total({ ids: upTo(n) })).toBe(3 * n - 1)
  })

  it('3N - 1 is also the most that it takes when one process starts', () => {
    for (let n = 1; n <= 12; n++) {
      const counts = upTo(n).map((wake) => total({ ids: upTo(n), wake: `${wake}` }))
      expect(Math.max(...counts)).toBe(3 * n - 1)
    }
  })

  it('3N - 1 is not what every election takes: decreasing ids cost N(N+1)/2 + N', () => {
    for (const n of [3, 8, 40]) {
      expect(total({ n, ids: 'decreasing' })).toBe((n * (n + 1)) / 2 + n)
      expect(total({ n, ids: 'decreasing' })).toBeGreaterThan(3 * n - 1)
    }
  })

  it('a larger id is forwarded and the own id sent otherwise, but never twice', () => {
    for (const starters of startSets(5)) {
      const ids = [3, 1, 5, 2, 4]
      const { sends } = observe(changRoberts, { ids, wake: starters.join() })
      const elections = sends.filter(({ type }) => type === 'election')
      for (const { node, body } of elections) expect(body.id).toBeGreaterThanOrEqual(ids[node])
      const own = elections.filter(({ node, body }) => body.id === ids[node])
      expect(new Set(own.map(({ node }) => node)).size).toBe(own.length)
    }
  })

  it('participants stop being it with the election, so that there can be another', () => {
    const given = { ids: [3, 1, 5, 2, 4], wake: 'all' }
    const { nodes } = simulate(changRoberts, given)
    expect(nodes!.map(({ state }) => state.participant)).toEqual(nodes!.map(() => false))
    const twice = simulate(changRoberts, { ...given, again: 50 })
    expect(twice.messages.total).toBe(2 * total(given))
  })
})

describe('Albano: the bully algorithm', () => {
  it('asks the higher ids, the higher answer, the highest alive broadcasts itself', () => {
    for (const starters of startSets(6)) {
      const given = { ids: upTo(6), wake: starters.join(), crash: '5', detect: 'off' }
      const { sends, events } = observe(bully, given)
      for (const { type, node, to } of sends)
        if (type === 'election') expect(to).toBeGreaterThan(node)
        else expect(to).toBeLessThan(node)
      const announced = sends.filter(({ type }) => type === 'coordinator')
      const live = starters.filter((node) => node !== 5)
      expect(announced.map(({ node, to }) => [node, to])).toEqual(
        live.length === 0 ? [] : upTo(4).map((to) => [4, to]),
      )
      const asked = events.filter((one) => one.event === 'receive' && one.type === 'election')
      expect(sends.filter(({ type }) => type === 'ok')).toHaveLength(asked.length)
    }
  })

  it('best case: N - 2 messages, when the second highest knows that the highest is dead', () => {
    expect(byType({ crash: '7', wake: '6' })).toEqual({ election: 0, ok: 0, coordinator: 6 })
    for (let n = 2; n <= 10; n++) {
      const counts = upTo(n - 1).map(
        (wake) =>
          simulate(bully, { ids: upTo(n), crash: `${n - 1}`, wake: `${wake}` }).messages.total,
      )
      expect(Math.min(...counts)).toBe(n - 2)
      expect(counts.indexOf(n - 2)).toBe(n - 2)
    }
  })

  it('worst case: O(N^2), when the lowest starts: exactly N^2 - 1', () => {
    expect(byType({ wake: '0', detect: 'off' })).toEqual({ election: 28, ok: 28, coordinator: 7 })
    for (let n = 1; n <= 12; n++) {
      const totals = upTo(n).map(
        (wake) => simulate(bully, { ids: upTo(n), wake: `${wake}`, detect: 'off' }).messages.total,
      )
      expect(totals[0]).toBe(n * n - 1)
      expect(totals).toEqual(totals.toSorted((a, b) => b - a))
    }
  })

  it('worst case: several processes that start at once do not make it worse', () => {
    const totals = startSets(6).map(
      (starters) => simulate(bully, { ids: upTo(6), wake: starters.join() }).messages.total,
    )
    expect(Math.max(...totals)).toBe(35)
  })

  it.each([
    ['the lowest starts and the highest has crashed undetected', '0', 'off', [28, 21, 6]],
    ['the lowest starts and the highest is known to be dead', '0', 1, [21, 21, 6]],
  ] as const)('%s: its messages', (_, wake, detect, [election, ok, coordinator]) => {
    const counts = byType({ crash: '7', wake, detect })
    expect(counts).toEqual({ election, ok, coordinator })
  })

  it('takes 2 rounds with multicast: one to ask, one to announce', () => {
    for (const wake of upTo(7)) {
      const { events, sends } = observe(bully, { ids: EIGHT, wake: `${wake}` })
      const decided = events.filter(({ event }) => event === 'follow')
      expect(decided.map(({ at }) => at)).toEqual(upTo(7).map(() => 2))
      // All that one process tells several others in one round counts once.
      const multicasts = sends.filter(({ type }) => type !== 'ok')
      const once = new Set(multicasts.map(({ node, type, at }) => `${type} of ${node} at ${at}`))
      expect(once).toContain(`election of ${wake} at 0`)
      expect([...once].filter((what) => /coordinator/.test(what))).toEqual([
        'coordinator of 7 at 1',
      ])
      expect(once.size).toBe(8 - wake)
    }
  })

  it('an undetected crash takes one time-out more than the 2 rounds', () => {
    const { events } = observe(bully, { ids: EIGHT, wake: '0', crash: '7', detect: 'off' })
    const decided = events.filter(({ event }) => event === 'follow')
    expect(new Set(decided.map(({ at }) => at))).toEqual(new Set([2 + 2]))
  })

  it('depends on synchronous behaviour: delays without a bound are refused', () => {
    expect(() => simulate(bully, { n: 4, delay: 'exponential:1' })).toThrow(/needs bounded delays/)
  })
})

/** Every interleaving of a small world whose messages take 1 to `delay` units of time. */
function explored(
  delay: number,
  rules: { order?: 'any'; faults?: FaultOptions; set?: object } = {},
) {
  const { order = 'fifo', faults, set = {} } = rules
  const given = { ids: [0, 1, 2], delay: `uniform:1:${delay}`, set }
  const { world } = preparation(bully, given)
  const properties = leaderElection.properties(faults !== undefined, { lasting: true })
  const limits = { states: 1_000_000 }
  const mode = { clocked: delay }
  return checkWorld(world, {
    ...{ mode, order, wake: 'any', properties, limits },
    ...(faults && { faults }),
  })
}

function expectHarmless({ exhausted, violated, properties }: CheckResult): void {
  expect({ exhausted, violated }).toEqual({ exhausted: true, violated: null })
  expect(properties.filter(({ holds }) => !holds)).toEqual([])
}

describe('Albano: beware of the bully', () => {
  it('safety is broken if the deadline is too tight, as in the code of the text', () => {
    const given = { ids: EIGHT, wake: '0', set: { patience: 1 } }
    const { events, result } = observe(bully, given)
    expect(leaderships(events)).toContainEqual([0, 7])
    expect([...result.leaders].sort()).toEqual([0, 7])
    const safe = observe(bully, { ...given, set: {} })
    expect(leaderships(safe.events)).not.toContainEqual([0, 7])
  })

  it('the deadline is too tight if it is shorter than an answer takes, and not else', () => {
    for (const delay of [1, 2]) {
      expectHarmless(explored(delay, { set: { patience: 2 * delay } }))
      const { violated } = explored(delay, { set: { patience: 2 * delay - 1 } })
      expect(violated?.property).toBe('at most one leader')
    }
  })

  it('safety is broken if the id of a living process reappears', () => {
    const given = { ids: EIGHT, crash: '3@20' }
    const { nodes, verdict } = simulate(bully, { ...given, recover: '3@40:id=7' })
    const leading = nodes!.filter(({ status }) => status === 'leader')
    expect(leading.map(({ node, id }) => [node, id])).toEqual([
      [3, 7],
      [7, 7],
    ])
    expect(verdict.ok).toBe(false)
    expect(simulate(bully, { ...given, recover: '3@40' }).verdict.ok).toBe(true)
  })

  it('the violation is due to the id, not to the recovered process', () => {
    const faults = { dead: [0], recoveries: 1 }
    expectHarmless(explored(1, { faults }))
    const { violated } = explored(1, { faults: { ...faults, reappear: true } })
    expect(violated?.property).toBe('no two leaders that reach each other')
  })

  it('safety is broken if the system is not synchronous: a late process is suspected', () => {
    const broken = upTo(30).filter((seed) => {
      const delay = { delay: 'exponential:1', 'allow-weaker': true, seed }
      const { events } = observe(bully, { ids: EIGHT, set: { patience: 2 }, ...delay })
      return leaderships(events).some((leaders) => leaders.length > 1)
    })
    expect(broken.length).toBeGreaterThan(0)
    const { world, properties } = preparation(bully, { ids: [0, 1, 2] })
    const rules = { mode: 'untimed', order: 'fifo', wake: 'any', properties } as const
    const { violated } = checkWorld(world, { ...rules, limits: { states: 10_000 } })
    expect(violated?.property).toBe('at most one leader')
  })

  it('needs no ordering of messages, against the text, as long as each keeps the bound', () => {
    expectHarmless(explored(2, { order: 'any' }))
    expectHarmless(explored(2, { order: 'any', faults: { crashes: 1 } }))
  })
})
