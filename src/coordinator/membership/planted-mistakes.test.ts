import { afterEach, describe, expect, it, vi } from 'vitest'
import { sample } from '../../../test/support/campaign.ts'
import { Turmoil } from '../../../test/support/membership/turmoil.ts'
import { LEASE, World } from '../../../test/support/membership/world.ts'
import { type Configuration, entryOf, mostOf } from './configuration.ts'
import { Membership } from './membership.ts'
import { MembershipTimes } from './membership-times.ts'

/** How many worlds are tried at most. */
const MOST = 400

/** Those that show in few worlds: daily one of them. */
const RARE = sample(['older requests', 'old majority', 'lost memory'], 3)

afterEach(() => void vi.restoreAllMocks())

/** Methods that are private elsewhere. */
interface Inner {
  memoryUnder(configuration: Configuration): boolean
}

/** The first world in which the mistake shows; 0 if it does not. */
async function foundAt(wipes: number): Promise<number> {
  for (let seed = 1; seed <= MOST; seed++) {
    const turmoil = new Turmoil(seed, wipes)
    await turmoil.run(60)
    if (turmoil.world.oracle.violations.length > 0) return seed
  }
  return 0
}

/** How often leases of a role overlapped in worlds where one member hears only the witness. */
async function overlapsWithOneApart(): Promise<number> {
  let found = 0
  for (let seed = 1; seed <= 12; seed++) {
    const world = new World(seed)
    for (const name of 'abc') world.start(name, ['a', 'b', 'c'], true, 'b')
    await world.run(6 * LEASE)
    for (const name of 'adefg') for (const link of [`${name}>c`, `c>${name}`]) world.cuts.add(link)
    for (const name of 'defg') world.start(name, ['a', 'b', 'c', name])
    const added = Object.fromEntries([...'defg'].map((name) => [name, `${name}:1`]))
    void world.change('a', { add: added })
    await world.run(20 * LEASE)
    found += world.oracle.violations.length
  }
  return found
}

describe('is found: ', () => {
  it.runIf(RARE.includes('older requests'))(
    'a voter that answers requests of older configurations',
    async () => {
      expect(await overlapsWithOneApart()).toBe(0)
      vi.spyOn(Membership.prototype, 'admits').mockReturnValue(true)
      expect(await overlapsWithOneApart()).toBeGreaterThan(0)
    },
  )

  it('a configuration without the highest terms', async () => {
    const laterTerm = async (seed: number) => {
      const world = new World(seed)
      world.start('a', ['a'], true)
      for (let i = 0; i < 10; i++) {
        await world.run(5 * LEASE)
        world.machine('a').process!.lease.stand('rare')
      }
      world.start('b', ['a', 'b'])
      void world.change('a', { add: { b: 'b:1' }, remove: ['a'] })
      await world.run(10 * LEASE)
      world.machine('b').process!.lease.stand('rare')
      await world.run(LEASE)
      return world.oracle.violations
    }
    const violations = async () => (await Promise.all([1, 2, 3, 4, 5, 6].map(laterTerm))).flat()
    expect(await violations()).toEqual([])
    vi.spyOn(Membership.prototype, 'highestTerms').mockReturnValue(new Map())
    expect(await violations()).not.toEqual([])
  })

  it('a change that does not wait until old leases are over', async () => {
    vi.spyOn(MembershipTimes.prototype, 'outlasting').mockReturnValue(0)
    expect(await foundAt(0)).toBeGreaterThan(0)
  })

  it('leases that need a majority of the new members only', async () => {
    vi.spyOn(Membership.prototype, 'majority').mockImplementation(function (
      this: Membership,
      names,
    ) {
      return mostOf(this.configuration?.members ?? [], new Set(names))
    })
    expect(await foundAt(0)).toBeGreaterThan(0)
  })

  it.runIf(RARE.includes('old majority'))(
    'leases that need a majority of the old members only',
    async () => {
      vi.spyOn(Membership.prototype, 'majority').mockImplementation(function (
        this: Membership,
        names,
      ) {
        const { old = null, members = [] } = this.configuration ?? {}
        return mostOf(old ?? members, new Set(names))
      })
      expect(await foundAt(0)).toBeGreaterThan(0)
    },
  )

  it.runIf(RARE.includes('lost memory'))(
    'a member that votes at once after it lost its memory',
    async () => {
      vi.spyOn(Membership.prototype as unknown as Inner, 'memoryUnder').mockImplementation(
        function (this: unknown, configuration) {
          const { me } = (this as Membership).options
          return entryOf(configuration, me) !== undefined
        },
      )
      expect(await foundAt(2)).toBeGreaterThan(0)
    },
  )

  // It shows in few worlds.
  it.runIf(process.env.LONG_TESTS)(
    'a member that learns no terms after it lost its memory',
    async () => {
      const { recovered } = Membership.prototype
      vi.spyOn(Membership.prototype, 'recovered').mockImplementation(function (this: Membership) {
        return recovered.call(this, 0, new Map())
      })
      expect(await foundAt(2)).toBeGreaterThan(0)
    },
  )
})
