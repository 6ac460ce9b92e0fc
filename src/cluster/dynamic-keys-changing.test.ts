import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bully, ringList, wireless } from '../algorithms/index.ts'
import { Random } from '../core/index.ts'
import { complete } from '../core/networks/complete.ts'
import { idBehind } from './dynamic-keys.ts'
import { memberOptionsOf } from './local-cluster.ts'
import { Member } from './member.ts'
import { memoryNetwork } from './transports/memory.ts'

/* Priorities change while members restart, crash and recover. */

const ids = [3, 1, 4, 2, 5]
const WATCH = { heartbeat: 20, timeout: 2000 }

const position = fc.nat(ids.length - 1)
const happenings = fc.array(
  fc.record({
    what: fc.constantFrom('start', 'start', 'leave', 'return'),
    who: position,
    /** Whose priority changes before that, and its new value. */
    whose: position,
    priority: fc.nat(3),
    /** Milliseconds until the next. */
    pause: fc.constantFrom(0, 0, 0, 15, 45),
  }),
  { minLength: 4, maxLength: 9 },
)

it.each([bully, ringList, wireless].map((algorithm) => [algorithm.name, algorithm] as const))(
  '%s: after all changes all members follow the highest key',
  async (_, algorithm) => {
    await fc.assert(
      fc.asyncProperty(happenings, fc.nat(), async (storm, seed) => {
        const topology = complete(ids.length)
        const params = algorithm === bully ? { patience: 2 } : {}
        const world = { algorithm, topology, ids: Float64Array.from(ids), params }
        const transports = memoryNetwork(topology, Random.from(seed))
        const priorities = ids.map(() => 1)
        const options = (one: number) => ({
          ...memberOptionsOf(world, one),
          transport: transports[one],
          priority: () => priorities[one],
          failureDetector: WATCH,
          unit: 20,
        })
        const members = ids.map((_, one): Member | null => new Member(options(one)))
        const live = () => members.filter((member) => member !== null)
        await Promise.all(live().map((member) => member.open()))
        for (const { what, who, whose, priority, pause } of storm) {
          priorities[whose] = priority
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
        const highestKey = () => Math.max(...live().map(({ state }) => state.id!))
        const wanted = () =>
          live().map(({ state }) => ({
            leader: idBehind(highestKey(), options(0)),
            status: state.id === highestKey() ? 'leader' : 'lost',
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
