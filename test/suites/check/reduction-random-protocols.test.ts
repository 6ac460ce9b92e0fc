import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkWorld } from '../../../src/check/index.ts'
import { PersistentSets } from '../../../src/check/reduction/persistent-sets.ts'
import type { World } from '../../../src/core/index.ts'
import { campaign } from '../../support/campaign.ts'
import { compare, inOrder, type Rules, seen } from '../../support/compared-reductions.ts'
import { pendulum, timersApart } from '../../support/random-protocols.ts'

/** The planted mistakes are found among the first hundred. */
const PROTOCOLS = campaign(5000)

/** Replaces the closure of a node: the node alone. */
function alone(this: Record<'memberOf' | 'enabled', Int32Array>, first: number): number {
  this.memberOf.fill(0)
  this.memberOf[first] = 1
  return this.enabled[first]
}

/** Most are explored as they would be by default, some otherwise. */
function rulesFor(seed: number, { topology: { n } }: World): Rules {
  const base = { mode: 'untimed', order: 'fifo', wake: 'any' } as const
  if (seed % 8 === 1) return { ...base, order: 'any' }
  if (seed % 8 === 2) return { ...base, wake: seed % 16 === 2 ? [n - 1, 0] : [1] }
  if (seed % 8 === 3) return { ...base, mode: 'patient' }
  return base
}

describe('the reduction of the checker', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it(`keeps ends, local states and verdicts of ${PROTOCOLS} random protocols`, {
    timeout: 300_000,
  }, () => {
    const { wrong, sizes, manyEnds } = compare(PROTOCOLS, rulesFor)
    expect(wrong).toEqual([])
    expect(sizes.auto).toBeLessThan(sizes.off)
    expect(manyEnds).toBeGreaterThan(PROTOCOLS / 2)
  })

  it('preserves properties of leaders that hold only temporarily', () => {
    const { world, wake } = timersApart()
    const rules = { mode: 'untimed', order: 'fifo', wake } as const
    const [right, found] = (['off', 'auto'] as const).map((reduction) => {
      const limits = { states: 400 }
      return checkWorld(world, { ...rules, reduction, properties: [inOrder], limits }).properties[0]
        .holds
    })
    expect([right, found]).toEqual([false, false])
  })

  it('postpones nothing forever', () => {
    const rules = { mode: 'untimed', order: 'fifo', wake: 'any' } as const
    const [whole, less] = [seen(pendulum(), rules, 'off'), seen(pendulum(), rules, 'auto')]
    expect(less.what).toBe(whole.what)
  })

  it('would be caught if it ignored possible senders', () => {
    const prototype = PersistentSets.prototype as unknown as { closure: typeof alone }
    vi.spyOn(prototype, 'closure').mockImplementation(alone)
    expect(compare(100, rulesFor).wrong).not.toEqual([])
  })

  it('would be caught if it used eager wake-up where it is not sound', () => {
    const prototype = PersistentSets.prototype as unknown as { mayWakeEagerly: () => boolean }
    vi.spyOn(prototype, 'mayWakeEagerly').mockReturnValue(true)
    expect(compare(100, rulesFor).wrong).not.toEqual([])
  })
})
