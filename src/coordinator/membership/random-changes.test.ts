import { describe, expect, it } from 'vitest'
import { Turmoil } from '../../../test/support/membership/turmoil.ts'

describe('under random crashes, losses, pauses, partitions and changes', () => {
  const worlds = process.env.LONG_TESTS ? 1500 : 12

  it(`leases never overlap, and configurations are one chain: ${worlds} worlds`, async () => {
    let changes = 0
    for (let seed = 1; seed <= worlds; seed++) {
      const turmoil = new Turmoil(seed, 0)
      await turmoil.run(60)
      await turmoil.heal()
      expect(turmoil.report(seed)).toEqual({ seed, violations: [], unfinished: [] })
      changes += turmoil.world.oracle.changes
    }
    expect(changes).toBeGreaterThan(1.5 * worlds)
  }, 600_000)

  it(`they never do while disks are lost, too: ${worlds} worlds`, async () => {
    for (let seed = 1; seed <= worlds; seed++) {
      const turmoil = new Turmoil(seed, 2)
      await turmoil.run(60)
      expect(turmoil.report(seed)).toMatchObject({ violations: [] })
    }
  }, 600_000)

  it(`configurations are one chain whatever clocks do: ${worlds} worlds`, async () => {
    for (let seed = 1; seed <= worlds; seed++) {
      const turmoil = new Turmoil(seed, 0, true)
      await turmoil.run(60)
      expect(turmoil.report(seed)).toMatchObject({ violations: [] })
    }
  }, 600_000)
})
