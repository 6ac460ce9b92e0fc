import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bully, ringList, wireless } from '../algorithms/index.ts'
import { Random } from '../core/index.ts'
import { complete } from '../core/networks/complete.ts'
import { idBehind } from './dynamic-keys.ts'
import { memberOptionsOf } from './local-cluster.ts'
import { Member } from './member.ts'
import { memoryNetwork } from './transports/memory.ts'

/* Worths change, members start again, die and come back, all on top of each other. */

const ids = [3, 1, 4, 2, 5]
const WATCH = { heartbeat: 20, timeout: 2000 }

const position = fc.nat(ids.length - 1)
const happenings = fc.array(
  fc.record({
    what: fc.constantFrom('start', 'start', 'leave', 'return'),
    who: position,
    /** Whose worth changes before that, to what. */
    whose: position,
    worth: fc.nat(3),
    /** Milliseconds until the next. */
    pause: fc.constantFrom(0, 0, 0, 15, 45),
  }),
  { minLength: 4, maxLength: 9 },
)

it.each([bully, ringList, wireless].map((algorithm) => [algorithm.name, algorithm] as const))(
  '%s: once the storm is over all follow the worthiest, by what was read of it last',
  async (_, algorithm) => {
    await fc.assert(
      fc.asyncProperty(happenings, fc.nat(), async (storm, seed) => {
        const topology = complete(ids.length)
        const params = algorithm === bully ? { patience: 2 } : {}
        const world = { algorithm, topology, ids: Float64Array.from(ids), params }
        const transports = memoryNetwork(topology, Random.from(seed))
        const worths = ids.map(() => 1)
        const options = (one: number) => ({
          ...memberOptionsOf(world, one),
          transport: transports[one],
          worth: () => worths[one],
          watch: WATCH,
          unit: 20,
        })
        const members = ids.map((_, one): Member | null => new Member(options(one)))
        const live = () => members.filter((member) => member !== null)
        await Promise.all(live().map((member) => member.open()))
        for (const { what, who, whose, worth, pause } of storm) {
          worths[whose] = worth
          if (what === 'start') members[who]?.start()
          else if (what === 'return' && members[who] === null) {
            members[who] = new Member(options(who))
            await members[who].open()
          } else if (what === 'leave' && live().length > 2) {
            await members[who]?.close()
            members[who] = null
          }
          await new Promise((resolve) => setTimeout(resolve, pause))
        }
        const views = () => live().map(({ outcome: { leader, status } }) => ({ leader, status }))
        const worthiest = () => Math.max(...live().map(({ state }) => state.id!))
        const wanted = () =>
          live().map(({ state }) => ({
            leader: idBehind(worthiest(), options(0)),
            status: state.id === worthiest() ? 'leader' : 'lost',
          }))
        await expect
          .poll(() => JSON.stringify(views()) === JSON.stringify(wanted()), { timeout: 5000 })
          .toBe(true)
        await Promise.all(live().map((member) => member.close()))
      }),
      { numRuns: 8, endOnFailure: true },
    )
  },
  30_000,
)
