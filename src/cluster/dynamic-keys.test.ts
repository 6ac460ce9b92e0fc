import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import {
  bully,
  changRoberts,
  ghs,
  itaiRodeh,
  peterson,
  ringList,
  wireless,
} from '../algorithms/index.ts'
import type { Algorithm } from '../core/language/algorithm.ts'
import { complete } from '../core/networks/complete.ts'
import { ring } from '../core/networks/ring.ts'
import { keyOf } from './dynamic-keys.ts'
import { memberOptionsOf } from './local-cluster.ts'
import { Member } from './member.ts'
import type { MemberOptions } from './member-options.ts'
import { memoryNetwork } from './transports/memory.ts'
import { Listener, tcpLinks, tcpTransport } from './transports/tcp.ts'

const OFTEN = { interval: 2, timeout: 5000 }
const WATCH = { heartbeat: 20, timeout: 300 }
const ids = [3, 1, 4, 2]

const opened: Member[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((member) => member.close()))
})

function worldOf(algorithm: Algorithm) {
  const topology = algorithm.needs.topology === 'ring' ? ring(4) : complete(4)
  const params = algorithm === bully ? { patience: 2 } : {}
  const weights = Float64Array.from({ length: topology.channels }, () => 1)
  return { algorithm, topology, ids: Float64Array.from(ids), params, weights }
}

/** Members with the priorities in the list, which may change. */
function members(
  algorithm: Algorithm,
  priorities: readonly number[],
  starts: readonly number[],
  special: Partial<MemberOptions> = {},
) {
  const world = worldOf(algorithm)
  const transports = memoryNetwork(world.topology)
  const memberAt = (position: number) => {
    const member = new Member({
      ...memberOptionsOf(world, position),
      transport: transports[position],
      starts: starts.includes(position),
      priority: () => priorities[position],
      ...special,
    })
    opened.push(member)
    return member
  }
  return { all: ids.map((_, position) => memberAt(position)), memberAt, transports }
}

/** The largest id among the members of the highest priority. */
function champion(priorities: readonly number[], who = [0, 1, 2, 3]): number {
  const most = Math.max(...who.map((position) => priorities[position]))
  return Math.max(...who.filter((one) => priorities[one] === most).map((position) => ids[position]))
}

const watched = { failureDetector: WATCH, unit: 20 }
const lasting = [bully, ringList, wireless]

describe('members that are elected by priority', () => {
  it.each([
    [changRoberts, [5, 9, 0, 1], [0, 1, 2, 3], 1],
    [changRoberts, [5, 5, 5, 5], [2], 4],
    [peterson, [7, 2, 7, 0], [0, 3], 4],
  ] as const)('%o', async (algorithm, priorities, starts, leader) => {
    const { all } = members(algorithm, priorities, starts)
    await Promise.all(all.map((member) => member.open()))
    await Promise.all(all.map((member) => member.ended))
    expect(all.map((member) => member.outcome.leader)).toEqual(ids.map(() => leader))
  })

  it('read their priority when they wake, not before', async () => {
    const priorities = [0, 0, 0, 0]
    const { all } = members(changRoberts, priorities, [0, 1, 2, 3])
    priorities[1] = 8
    await Promise.all(all.map((member) => member.open()))
    await Promise.all(all.map((member) => member.ended))
    expect(all[0].outcome.leader).toBe(1)
  })

  it('are refused where ids are not compared, or the priority is not valid', async () => {
    expect(() => members(itaiRodeh, [1, 2, 3, 4], [0])).toThrow(/compares ids/)
    expect(() => keyOf(0.5, 1)).toThrow(/whole number/)
    expect(() => keyOf(2 ** 40, 1)).toThrow(/whole number/)
    const { all } = members(bully, [-1, 0, 0, 0], [0], watched)
    await expect(all[0].open()).rejects.toThrow('these are -1 and 3')
  })

  it('know the keys of their neighbours before they start, and keep them', async () => {
    // Every reading gives another number: with changing keys, fragments would not merge.
    let reading = 0
    const { all } = members(ghs, [], [0, 1, 2, 3], { priority: () => reading++ % 7 })
    await Promise.all(all.map((member) => member.open()))
    await Promise.all(all.map((member) => member.ended))
    const leaders = all.filter(({ outcome }) => outcome.status === 'leader')
    expect(leaders).toHaveLength(1)
    expect(new Set(all.map(({ outcome }) => outcome.leader)).size).toBe(1)
    expect(reading).toBe(4)
  })

  it('announce their key first to a neighbour that recovers', async () => {
    const priorities = [5, 1, 1, 1]
    const rarely = { failureDetector: { heartbeat: 10_000, timeout: 60_000 }, unit: 5 }
    const { all, transports } = members(bully, priorities, [0], rarely)
    await Promise.all(all.map((member) => member.open()))
    await expect.poll(() => all[1].outcome.leader, OFTEN).toBe(3)
    transports[0].cut(1)
    transports[0].mend(1)
    const sent: number[] = []
    const { send } = transports[0]
    transports[0].send = (link, bytes) => {
      if (link === 1) sent.push(bytes[0])
      send.call(transports[0], link, bytes)
    }
    priorities[1] = 2
    all[1].start()
    await expect.poll(() => sent.length, OFTEN).toBeGreaterThan(1)
    const BEAT = 252
    expect(sent.slice(0, 2).map((kind) => kind === BEAT)).toEqual([true, false])
  })
})

describe.each(lasting.map((algorithm) => [algorithm.name, algorithm] as const))('%s', (_, one) => {
  const agree = (all: readonly Member[], who: readonly number[], leader: number) =>
    expect
      .poll(() => who.map((position) => all[position].outcome.leader), OFTEN)
      .toEqual(who.map(() => leader))

  it('elects the highest priority, and reads them again when the leader crashes', async () => {
    const fewPriorities = fc.array(fc.nat(2), { minLength: 4, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fewPriorities, fewPriorities, fc.nat(3), async (before, after, starter) => {
        const priorities = [...before]
        const { all } = members(one, priorities, [starter], watched)
        await Promise.all(all.map((member) => member.open()))
        const first = champion(before)
        await agree(all, [0, 1, 2, 3], first)
        priorities.splice(0, 4, ...after)
        await all[ids.indexOf(first)].close()
        const rest = [0, 1, 2, 3].filter((position) => ids[position] !== first)
        await agree(all, rest, champion(after, rest))
        await Promise.all(all.map((member) => member.close()))
      }),
      { numRuns: 12 },
    )
  })

  it('keeps its key until an election is started', async () => {
    const priorities = [1, 5, 2, 3]
    const { all } = members(one, priorities, [0], watched)
    await Promise.all(all.map((member) => member.open()))
    await agree(all, [0, 1, 2, 3], 1)
    priorities[0] = 9
    await new Promise((resolve) => setTimeout(resolve, 3 * WATCH.heartbeat))
    await agree(all, [0, 1, 2, 3], 1)
    all[0].start()
    await agree(all, [0, 1, 2, 3], 3)
    // A leader with a lower priority than before gives up leadership.
    priorities[0] = 0
    all[0].start()
    await agree(all, [0, 1, 2, 3], 1)
    // One that starts another election with the same priority leads again.
    all[1].start()
    await expect.poll(() => all[1].outcome.status, OFTEN).toBe('leader')
    await agree(all, [0, 1, 2, 3], 1)
  })

  it('a member that recovers takes part with its present priority', async () => {
    const priorities = [1, 5, 2, 3]
    const { all, memberAt } = members(one, priorities, [0, 1, 2, 3], watched)
    await Promise.all(all.map((member) => member.open()))
    await agree(all, [0, 1, 2, 3], 1)
    await all[1].close()
    await agree(all, [0, 2, 3], 2)
    priorities[1] = 0
    const back = memberAt(1)
    await back.open()
    await agree([all[0], back, all[2], all[3]], [0, 1, 2, 3], 2)
    priorities[1] = 7
    back.start()
    await agree([all[0], back, all[2], all[3]], [0, 1, 2, 3], 1)
  })
})

it('over sockets, a late member learns all keys, and the others learn its key', async () => {
  const world = worldOf(bully)
  const priorities = [4, 6, 8, 7]
  const listeners = await Promise.all(ids.map(() => Listener.at({ host: '127.0.0.1', port: 0 })))
  const addresses = listeners.map(({ address }) => address)
  const memberAt = (position: number, listener: Listener) => {
    const links = tcpLinks(world.topology, position, addresses)
    const transport = tcpTransport({ listener, links, lasting: true, patience: 300 })
    const priority = () => priorities[position]
    const member = new Member({
      ...memberOptionsOf(world, position),
      transport,
      priority,
      ...watched,
    })
    opened.push(member)
    return member
  }
  const early = [0, 1, 3].map((position) => memberAt(position, listeners[position]))
  await Promise.all(early.map((member) => member.open()))
  const views = (some: readonly Member[]) => some.map(({ outcome }) => outcome.leader)
  await expect.poll(() => views(early), OFTEN).toEqual([2, 2, 2])
  const late = memberAt(2, listeners[2])
  await late.open()
  await expect.poll(() => views([...early, late]), OFTEN).toEqual([4, 4, 4, 4])
  await late.close()
  await expect.poll(() => views(early), OFTEN).toEqual([2, 2, 2])
  priorities[2] = 5
  const again = memberAt(2, await Listener.at(addresses[2]))
  await again.open()
  await expect.poll(() => views([...early, again]), OFTEN).toEqual([2, 2, 2, 2])
})
