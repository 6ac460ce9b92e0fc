import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { bully } from '../algorithms/complete/bully.ts'
import { ringList } from '../algorithms/complete/ring-list.ts'
import { wireless } from '../algorithms/graph/wireless.ts'
import type { Algorithm, State } from '../core/index.ts'
import type { World } from '../core/language/world.ts'
import { complete } from '../core/networks/complete.ts'
import { memberOptionsOf, runInMemory, runOnLoopback } from './local-cluster.ts'
import { Member } from './member.ts'
import { memoryNetwork } from './transports/memory.ts'

const OFTEN = { interval: 2, timeout: 8000 }
/** Generous: in memory crashes are reported at once, and a busy machine must not be suspected. */
const TIMES = { failureDetector: { heartbeat: 50, timeout: 2000 }, unit: 10 }

let close = async () => {}

afterEach(() => close())

function worldOf(algorithm: Algorithm, ids: readonly number[]): World {
  const params = algorithm === bully ? { patience: 2 } : {}
  return { algorithm, topology: complete(ids.length), ids: Float64Array.from(ids), params }
}

/** Members in memory that can be killed and started again, by position. */
function stage(algorithm: Algorithm, ids: readonly number[], starters: readonly number[]) {
  const world = worldOf(algorithm, ids)
  const transports = memoryNetwork(world.topology)
  const live = new Map<number, Member>()
  const last = new Map<number, State>()
  const start = async (position: number, starts: boolean) => {
    const transport = transports[position]
    const earlier = last.get(position)
    const options = {
      ...memberOptionsOf(world, position),
      ...(earlier && { previousState: earlier }),
    }
    const member = new Member({ ...options, ...TIMES, transport, starts })
    live.set(position, member)
    await member.open()
  }
  const kill = async (position: number) => {
    const member = live.get(position)
    live.delete(position)
    await member?.close()
    if (member) last.set(position, member.state)
  }
  const raised = Promise.all(ids.map((_, i) => start(i, starters.includes(i))))
  close = async () => {
    for (const position of [...live.keys()]) await kill(position)
  }
  /** All live members follow the largest id, which alone leads. */
  const expectLargest = async () => {
    const largest = Math.max(...[...live.keys()].map((position) => ids[position]))
    const wanted = [...live.keys()].map((position) => [
      ids[position] === largest ? 'leader' : 'lost',
      largest,
    ])
    await expect
      .poll(() => [...live.values()].map(({ outcome: o }) => [o.status, o.leader]), OFTEN)
      .toEqual(wanted)
  }
  return { raised, start, kill, live, expectLargest }
}

describe.each([bully, ringList, wireless])('$name', (algorithm) => {
  test('live members agree on the largest of their ids after crashes and recoveries', async () => {
    const stories = fc.integer({ min: 2, max: 6 }).chain((n) =>
      fc.record({
        ids: fc.uniqueArray(fc.nat(99), { minLength: n, maxLength: n }),
        first: fc.nat(n - 1),
        events: fc.array(fc.nat(n - 1), { maxLength: 4 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(stories, async ({ ids, first, events }) => {
        const { raised, start, kill, live, expectLargest } = stage(algorithm, ids, [first])
        await raised
        await expectLargest()
        for (const position of events) {
          if (!live.has(position)) await start(position, true)
          else if (live.size > 1) await kill(position)
          await expectLargest()
        }
        await close()
      }),
      { numRuns: 12 },
    )
  })

  test('several crashes at once', async () => {
    const { raised, kill, expectLargest } = stage(algorithm, [3, 8, 5, 9, 1, 7], [0])
    await raised
    await expectLargest()
    await Promise.all([3, 1, 5].map(kill))
    await expectLargest()
  })
})

/** Without crashes termination is detected as for others: n^2 - 1 messages for bully. */
test.each([runInMemory, runOnLoopback])('%o ends when the election has terminated', async (run) => {
  const { messages, states } = await run(worldOf(bully, [0, 1, 2, 3]), { starters: [0], unit: 50 })
  expect(messages.byType).toEqual({ election: 6, ok: 6, coordinator: 3 })
  expect(states.map(({ leader }) => leader)).toEqual([3, 3, 3, 3])
  const alone = await run(worldOf(bully, [7]), { unit: 1 })
  expect(alone).toMatchObject({ leaders: [0], messages: { total: 0 } })
})
