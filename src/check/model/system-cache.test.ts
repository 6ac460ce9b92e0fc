import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { preparation, shuffled } from '../../../test/support/random-worlds.ts'
import { catalogue, lcr } from '../../algorithms/index.ts'
import { algorithm, left, message, type Uid, uid } from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import {
  type CheckOptions,
  checkWorld,
  inNeither,
  type NeverHappened,
  SystemCache,
} from '../index.ts'

const HELLO = message({ id: uid })

/** Sends the id of its left neighbour to the right, without declaring that knowledge. */
const nosy = algorithm({
  name: 'nosy',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { HELLO },
  state: {},
  wakes: true,
  start(my, net) {
    const { peer } = net as unknown as { peer(link: number): Uid }
    net.send(left, HELLO, { id: peer.call(net, left) })
    if (peer.call(net, left) > my.id) net.follow(peer.call(net, left))
    else net.lead()
  },
  on: {
    HELLO(my, { id }, net) {
      if (id < my.id) net.stop()
    },
  },
})

const algorithms = [...catalogue.filter(({ needs }) => needs.ids !== undefined), nosy]

const inOrder = (world: World, ids: readonly number[]): World => ({
  ...world,
  ids: Float64Array.from(ids),
})

/** Large enough for most worlds; searches that end at the limit must be equal too. */
const LIMITS = { states: 1000 }

function optionsFor(world: World, some: Partial<CheckOptions>): CheckOptions {
  const { time } = world.algorithm.needs
  const mode = time === undefined ? 'untimed' : { clocked: 1 }
  const { properties } = preparation(world.algorithm, { ids: [...world.ids].join() })
  const options = { mode, order: 'fifo', wake: 'any', fairRuns: true } as const
  return { ...options, limits: LIMITS, properties, ...some }
}

describe('a transition system reused for permutations of ids', () => {
  it('gives the same results as a new one', () => {
    const seeds = fc.array(fc.nat(1000), { minLength: 2, maxLength: 4 })
    const starts = fc.constantFrom<CheckOptions['wake']>('any', [0, 1, 2], [2])
    const orders = fc.constantFrom<CheckOptions['order']>('fifo', 'fifo', 'any')
    const reductions = fc.constantFrom<'auto' | 'off'>('auto', 'off')
    fc.assert(
      fc.property(
        fc.constantFrom(...algorithms),
        fc.integer({ min: 3, max: 4 }),
        ...[seeds, starts, orders, reductions],
        (it, size, permutations, wake, order, reduction) => {
          // There is no hypercube of three nodes; the starters are up to three.
          const n = it.needs.topology === 'hypercube' ? 4 : size
          const systems = new SystemCache()
          const { world } = preparation(it, { n, 'allow-weaker': true })
          const options = optionsFor(world, { wake, order, reduction })
          const never: [reused: NeverHappened, anew: NeverHappened][] = []
          for (const seed of permutations) {
            const arranged = inOrder(world, shuffled(n, seed))
            const reused = checkWorld(arranged, options, systems)
            const anew = checkWorld(arranged, options)
            never.push([reused.never, anew.never])
            expect({ ...reused, never: null }).toEqual({ ...anew, never: null })
          }
          // What a system has seen of one order it does not run again: that is seen in all orders.
          const [reused, anew] = [0, 1].map((i) => never.map((both) => both[i]).reduce(inNeither))
          expect(reused).toEqual(anew)
        },
      ),
      { numRuns: campaign(600) },
    )
  })

  const kept = (world: World, { order = 'fifo' }: Partial<CheckOptions>, memoryMB = 100) => {
    const systems = new SystemCache()
    const options = optionsFor(world, { order })
    const limits = { ...LIMITS, memoryMB }
    const first = systems.of(world, options, limits)
    checkWorld(world, options, systems)
    const second = systems.of(inOrder(world, [...world.ids].reverse()), options, limits)
    return first === second
  }

  it('is reused where possible', () => {
    const { world } = preparation(lcr, { ids: '3,1,2' })
    expect(kept(world, {})).toBe(true)
    expect(kept(world, { order: 'any' })).toBe(false)
    expect(kept(preparation(nosy, { ids: '3,1,2' }).world, {})).toBe(false)
  })

  it('is replaced when memory is short, or when more than the ids has changed', () => {
    const { world } = preparation(lcr, { ids: '3,1,2' })
    expect(kept(world, {}, 0.01)).toBe(false)
    const systems = new SystemCache()
    const options = optionsFor(world, {})
    const one = systems.of(world, options, LIMITS)
    expect(systems.of({ ...world, params: { patience: 2 } }, options, LIMITS)).not.toBe(one)
    const two = systems.of(world, options, LIMITS)
    expect(systems.of(world, { ...options, wake: [0] }, LIMITS)).not.toBe(two)
  })
})
