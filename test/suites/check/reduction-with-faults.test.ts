import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FaultOptions, Mode } from '../../../src/check/index.ts'
import { FaultTransitions } from '../../../src/check/model/faults/fault-transitions.ts'
import { StubbornSets } from '../../../src/check/reduction/stubborn-sets.ts'
import { Random, type World } from '../../../src/core/index.ts'
import { compare, type Rules } from '../../support/compared-reductions.ts'

/** All by `npm run test:long`; daily a few, so that each planted mistake is found. */
const PROTOCOLS = process.env.LONG_TESTS ? 10_000 : 60

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

/** The private methods that mistakes are planted in. */
interface Parts {
  closure(first: number): ReadonlySet<number>
  isVisible(): boolean
  addReceipts(): void
}

const parts = StubbornSets.prototype as unknown as Parts

describe('the reduction of the checker with faults and clocks', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it(`keeps ends, local states and verdicts of ${PROTOCOLS} random protocols`, {
    timeout: 3_600_000,
  }, () => {
    const { wrong, sizes, manyEnds, compared } = compare(PROTOCOLS, rulesFor)
    expect(wrong).toEqual([])
    expect(sizes.auto).toBeLessThan(0.9 * sizes.off)
    expect(manyEnds).toBeGreaterThan(compared / 2)
    expect(compared).toBeGreaterThan(PROTOCOLS / 2)
  })

  it('would be caught if it ignored possible senders', () => {
    vi.spyOn(parts, 'closure').mockImplementation((first) => new Set([first]))
    expect(compare(60, rulesFor).wrong).not.toEqual([])
  })

  it('would be caught if it ignored what properties read', () => {
    vi.spyOn(parts, 'isVisible').mockReturnValue(false)
    expect(compare(60, rulesFor).wrong).not.toEqual([])
  })

  it('would be caught if it took all faults for local ones', () => {
    vi.spyOn(FaultTransitions.prototype, 'local', 'get').mockReturnValue(true)
    expect(compare(60, rulesFor).wrong).not.toEqual([])
  })
})
