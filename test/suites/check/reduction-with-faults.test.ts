import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkWorld, type FaultOptions, type Mode } from '../../../src/check/index.ts'
import { ChannelTable } from '../../../src/check/model/channels.ts'
import { FaultTransitions } from '../../../src/check/model/faults/fault-transitions.ts'
import { StubbornSets } from '../../../src/check/reduction/stubborn-sets.ts'
import { Random, type World } from '../../../src/core/index.ts'
import { compare, inOrder, type Rules, seen } from '../../support/compared-reductions.ts'
import { pendulum, pendulumAndLetters, timersApart } from '../../support/random-protocols.ts'

/** All by `npm run test:long`, some of them daily. */
const PROTOCOLS = process.env.LONG_TESTS ? 10_000 : 25
const IN_TERMS = process.env.LONG_TESTS ? 2000 : 10

const MODES: readonly Mode[] = [
  ...([{ clocked: 1 }, { clocked: 1 }, { clocked: 2 }, { clocked: 2 }] as const),
  ...(['untimed', 'untimed', 'patient', { clocked: Number.POSITIVE_INFINITY }] as const),
]

/** A random model: the mode, the order of messages, who starts, and one or two kinds of faults. */
function rulesFor(seed: number, { topology: { n, kind } }: World): Rules {
  const random = Random.from(seed).split('rules')
  const mode = MODES[random.below(MODES.length)]
  const clock = typeof mode !== 'string'
  const kinds: FaultOptions[] = [
    ...[{ crashes: 1 }, { crashes: 1, detect: 'off' as const }, { crashes: 2 }, { losses: 1 }],
    ...[{ duplicates: 1 }, { losses: 2 }, { crashes: 1, losses: 1, detect: 'off' as const }],
    ...[{ crashes: 1, recoveries: 1 }, { crashes: 1, amnesia: 1 }, { dead: [n - 1] }],
    ...(clock
      ? [{ pauses: 1 }, { drift: 1 }, { drift: 1, crashes: 1 }, { crashes: 1, detect: 2 }]
      : []),
    ...(kind === 'ring' ? [] : [{ cuts: 1 }, { partitions: 1 }]),
  ]
  return {
    mode,
    order: random.below(4) === 0 ? 'any' : 'fifo',
    wake: random.below(3) === 0 ? [n - 1, 0] : 'any',
    faults: random.below(8) === 0 ? {} : kinds[random.below(kinds.length)],
  }
}

/** Two nodes lead at the same moment; the second must not do so first. */
function leadAtOnce(reduction: 'off' | 'auto'): boolean | null {
  const { world, wake } = timersApart()
  const limits = { states: 1000 }
  const rules = { mode: { clocked: 1 }, order: 'fifo', wake, reduction } as const
  return checkWorld(world, { ...rules, properties: [inOrder], limits }).properties[0].holds
}

/** What mistakes are planted in. */
interface Parts {
  closure(first: number): ReadonlySet<number>
  isVisible(): boolean
  isSilent(): boolean
  addReceipts(): void
}

const parts = StubbornSets.prototype as unknown as Parts
const faults = FaultTransitions.prototype

/** The faults of a kind that belong to the chosen node are left out. */
function leaveOut(kind: 'crashes' | 'messageFaults'): void {
  const all = faults[kind]
  vi.spyOn(faults, kind).mockImplementation(function (this: FaultTransitions, visit, skips) {
    const { n } = this as unknown as { readonly n: number }
    const skipped = Array.from({ length: n }, (_, node) => skips(node)).filter((it) => it)
    if (skipped.length < n - 1) all.call(this, visit, skips)
  })
}

describe('the reduction of the checker with faults and clocks', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it(`keeps ends, local states and verdicts of ${PROTOCOLS} random protocols`, {
    timeout: 3_600_000,
  }, () => {
    const { wrong, sizes, manyEnds, compared } = compare(PROTOCOLS, rulesFor)
    expect(wrong).toEqual([])
    expect(sizes.auto).toBeLessThan(0.95 * sizes.off)
    expect(manyEnds).toBeGreaterThan(compared / 2)
    expect(compared).toBeGreaterThan(PROTOCOLS / 2)
  })

  it(`keeps them, and who led in which term, of ${IN_TERMS} random protocols in terms`, {
    timeout: 3_600_000,
  }, () => {
    const { wrong, sizes, manyEnds, compared } = compare(IN_TERMS, rulesFor, 1, 'in terms')
    expect(wrong).toEqual([])
    expect(sizes.auto).toBeLessThan(sizes.off)
    expect(manyEnds).toBeGreaterThan(compared / 2)
  })

  it('preserves properties of leaders that hold only for a moment', () => {
    expect([leadAtOnce('off'), leadAtOnce('auto')]).toEqual([false, false])
  })

  it.each([{ losses: 1 }, { crashes: 1, detect: 'off' }] as const)(
    'postpones nothing forever with %o',
    (faults) => {
      const rules = { mode: 'untimed', order: 'fifo', wake: 'any', faults } as const
      const [whole, less] = [seen(pendulum(), rules, 'off'), seen(pendulum(), rules, 'auto')]
      expect(less.what).toBe(whole.what)
    },
  )

  it('would be caught if it took a fault for progress, which a later step may need', () => {
    const { world, wake } = pendulumAndLetters()
    const rules = { mode: 'untimed', order: 'fifo', wake, faults: { losses: 1 } } as const
    const whole = seen(world, rules, 'off')
    expect(seen(world, rules, 'auto').what).toBe(whole.what)
    vi.spyOn(StubbornSets, 'lasts').mockReturnValue(true)
    expect(seen(world, rules, 'auto').what).not.toBe(whole.what)
  })

  it('would be caught if it ignored what properties read', () => {
    vi.spyOn(parts, 'isVisible').mockReturnValue(false)
    expect(leadAtOnce('auto')).toBe(true)
  })

  // Each planted mistake is tried where it is found soon.
  it('would be caught if it ignored possible senders', () => {
    vi.spyOn(parts, 'closure').mockImplementation((first) => new Set([first]))
    expect(compare(5, rulesFor, 60).wrong).not.toEqual([])
  })

  it('would be caught if it took all faults for local ones', () => {
    vi.spyOn(faults, 'local', 'get').mockReturnValue(true)
    expect(compare(5, rulesFor, 32).wrong).not.toEqual([])
  })

  it('would be caught if it took nodes for silent that still send', () => {
    vi.spyOn(parts, 'isSilent').mockReturnValue(true)
    expect(compare(2, rulesFor, 61).wrong).not.toEqual([])
  })

  it('would be caught if it ignored who leads in a term', () => {
    vi.spyOn(parts, 'isVisible').mockReturnValue(false)
    expect(compare(2, rulesFor, 24, 'in terms').wrong).not.toEqual([])
  })

  it('would be caught if it left out crashes', () => {
    leaveOut('crashes')
    expect(compare(5, rulesFor, 3016).wrong).not.toEqual([])
  })

  it('would be caught if it left out losses', () => {
    leaveOut('messageFaults')
    expect(compare(5, rulesFor, 1).wrong).not.toEqual([])
  })

  it('would be caught if it chose messages that are not overdue', () => {
    const { addReceipts } = parts
    vi.spyOn(parts, 'addReceipts').mockImplementation(function (this: Parts) {
      const overdue = vi.spyOn(ChannelTable.prototype, 'overdue').mockReturnValue(true)
      addReceipts.call(this)
      overdue.mockRestore()
    })
    expect(compare(6, rulesFor, 1003).wrong).not.toEqual([])
  })
})
