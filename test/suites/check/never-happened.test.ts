import { describe, expect, it, vi } from 'vitest'
import { type CheckOptions, checkWorld, inNeither } from '../../../src/check/index.ts'
import type { Algorithm, World } from '../../../src/core/index.ts'
import { leaderElection } from '../../../src/problems/leader-election.ts'
import { campaign } from '../../support/campaign.ts'
import { type ReferenceOptions, referenceCheck } from '../../support/reference-checker.ts'
import { Handling } from '../../support/reference-handling.ts'
import { wideProtocol } from '../../support/wide-protocols.ts'

const LIMITS = { states: 1000 }
const PROPERTIES = leaderElection.properties(false).filter(({ sees }) => sees === 'leaders')

/** What never happens, by a plain exploration with handlers that keep a record. */
function plainly(world: World, rules: ReferenceOptions) {
  const { algorithm } = world
  const seen = { sent: new Set<string>(), handled: new Set<string>(), timers: new Set<string>() }
  const faults = { crashes: false, losses: false, duplicates: false }
  const recorded: Algorithm = {
    ...algorithm,
    kinds: algorithm.kinds.map((kind) => ({
      ...kind,
      handle(my, body, net) {
        kind.handle(my, body, net)
        if (!(net as unknown as Handling).wasDeferred) seen.handled.add(kind.name)
      },
    })),
    timers: algorithm.timers.map((timer) => ({
      ...timer,
      fire(my, net) {
        seen.timers.add(timer.name)
        timer.fire(my, net)
      },
    })),
  }
  const prototype = Handling.prototype as unknown as {
    dispatch(link: number, kind: number, body: object): void
  }
  const { dispatch } = prototype
  const spy = vi.spyOn(prototype, 'dispatch').mockImplementation(function (
    this: object,
    link,
    kind,
    body,
  ) {
    seen.sent.add(algorithm.kinds[kind].name)
    dispatch.call(this, link, kind, body)
  })
  referenceCheck({ ...world, algorithm: recorded }, rules, (_, __, now) => {
    faults.crashes ||= now.nodes.some(({ dead }) => dead)
    faults.losses ||= now.lost > 0
    faults.duplicates ||= now.doubled > 0
  })
  spy.mockRestore()
  const missing = (all: readonly { name: string }[], some: ReadonlySet<string>) =>
    all.map(({ name }) => name).filter((name) => !some.has(name))
  const allowed = Object.entries(faults).filter(
    ([fault]) => (rules[fault as keyof typeof faults] ?? 0) > 0,
  )
  return {
    messages: {
      sent: missing(algorithm.kinds, seen.sent),
      handled: missing(algorithm.kinds, seen.handled),
    },
    timers: missing(algorithm.timers, seen.timers),
    faults: allowed.filter(([, happened]) => !happened).map(([fault]) => fault),
  }
}

function byChecker(world: World, options: CheckOptions) {
  const { never, exhausted } = checkWorld(world, options)
  const { messages, timers, faults } = never
  return { exhausted, never: { messages, timers, faults: faults.map(({ name }) => name) } }
}

describe('random protocols', () => {
  const worlds = [
    { wake: 'any' },
    { wake: [0] },
    { wake: 'any', mode: 'patient' },
    { wake: 'any', order: 'any' },
    { wake: [0, 1], crashes: 1 },
    { wake: 'any', losses: 1 },
    { wake: [1], duplicates: 1 },
    { wake: [0], losses: 1, crashes: 1, mode: 'patient' },
  ] as const satisfies ReferenceOptions[]

  it.each(worlds)('never have what a plain exploration does not find: %o', (rules) => {
    const { crashes = 0, losses = 0, duplicates = 0, ...rest }: ReferenceOptions = rules
    const faulty = crashes + losses + duplicates > 0
    const sizes = new Set<string>()
    for (let seed = 1; seed <= campaign(480); seed++) {
      const world = wideProtocol(seed)
      const options: CheckOptions = {
        ...{ mode: 'untimed', order: 'fifo', ...rest },
        ...(faulty && { faults: { crashes, losses, duplicates, detect: 'off' } }),
        ...{ properties: [], limits: LIMITS },
      }
      const whole = byChecker(world, { ...options, reduction: 'off' })
      if (!whole.exhausted) continue
      const plain = plainly(world, rules)
      expect(whole.never, `seed ${seed}`).toEqual(plain)
      const less = byChecker(world, { ...options, reduction: 'auto' })
      expect(less.never, `seed ${seed}, reduced`).toEqual(plain)
      sizes.add(JSON.stringify(plain))
    }
    // Not all are alike.
    expect(sizes.size).toBeGreaterThan(campaign(480) / 4)
  })

  it.each([
    ['a clock', { mode: { clocked: 2 }, wake: 'any' }],
    ['a clock, crashes', { mode: { clocked: 1 }, wake: [0, 1], faults: { crashes: 1 } }],
    ['a clock, cuts', { mode: { clocked: 1 }, wake: [0, 2], faults: { cuts: 1 } }],
    ['cuts', { mode: 'untimed', wake: [0], faults: { cuts: 1 } }],
    ['partitions', { mode: 'untimed', wake: [0], faults: { partitions: 1, oneWay: true } }],
    ['recoveries', { mode: 'untimed', wake: [0], faults: { crashes: 1, recoveries: 1 } }],
    ['pauses', { mode: { clocked: 1 }, wake: [0], faults: { pauses: 1 } }],
    ['lossy links', { mode: 'untimed', order: 'lossy', wake: 'any' }],
  ] as const)('lose nothing to a reduction: %s', (_, rules) => {
    let compared = 0
    for (let seed = 1; seed <= campaign(160); seed++) {
      const options: CheckOptions = {
        order: 'fifo',
        ...rules,
        properties: PROPERTIES,
        limits: LIMITS,
      }
      const whole = checkWorld(wideProtocol(seed), { ...options, reduction: 'off' })
      const less = checkWorld(wideProtocol(seed), { ...options, reduction: 'auto' })
      if (!whole.exhausted || !less.exhausted) continue
      compared++
      expect(less.never, `seed ${seed}`).toEqual(whole.never)
    }
    expect(compared).toBeGreaterThan(0)
  })

  it('have in two explorations what they have in one of them', () => {
    const rules = { mode: 'untimed', order: 'fifo', properties: [], limits: LIMITS } as const
    const neverWith = (wake: readonly number[]) =>
      checkWorld(wideProtocol(7), { ...rules, wake }).never.messages.sent
    const [a, b] = [[0], [1]].map((wake) => checkWorld(wideProtocol(7), { ...rules, wake }).never)
    expect(inNeither(a, b).messages.sent).toEqual(
      neverWith([0]).filter((name) => neverWith([1]).includes(name)),
    )
  })
})
