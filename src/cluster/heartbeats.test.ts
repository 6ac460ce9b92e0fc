import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { lcr } from '../algorithms/ring/lcr.ts'
import { algorithm, larger, type My, message, type Net, nat, uid } from '../core/index.ts'
import type { World } from '../core/language/world.ts'
import { complete } from '../core/networks/complete.ts'
import { memberOptionsOf } from './local-cluster.ts'
import { Member } from './member.ts'
import type { MemberOptions } from './member-options.ts'
import type { Address } from './transports/address.ts'
import { type MemoryTransport, memoryNetwork } from './transports/memory.ts'
import { Listener, tcpLinks, tcpTransport } from './transports/tcp.ts'

const OFTEN = { interval: 5, timeout: 5000 }
const WATCH = { heartbeat: 20, timeout: 300 }

const HELLO = message({ id: uid })
const needs = { topology: 'complete', ids: 'unique', knows: ['peers', 'liveness'] } as const
const state = { greeted: nat, downs: nat, ups: nat }

/** Follows the largest id that is up, and greets all neighbours at every change. */
const loyal = algorithm({
  name: 'loyal',
  needs,
  messages: { HELLO },
  state,
  lasting: true,
  wakes: true,
  start: look,
  on: {
    HELLO(my) {
      my.greeted++
    },
  },
  down(my, _link, net) {
    my.downs++
    look(my, net)
  },
  up(my, _link, net) {
    my.ups++
    look(my, net)
  },
  theory: lcr.theory,
})

function look(my: My<typeof needs, typeof state>, net: Net<'peers' | 'liveness'>): void {
  if (my.status === 'asleep') return
  const live = net.links.filter((link) => net.up(link)).map((link) => net.peer(link))
  const best = live.reduce(larger, my.id)
  if (best === my.id) net.lead()
  else net.follow(best)
  net.sendAll(HELLO, { id: my.id })
}

const members = new Set<Member>()

afterEach(async () => {
  await Promise.all([...members].map((member) => member.close()))
  members.clear()
})

function worldOf(ids: readonly number[]): World {
  const topology = complete(ids.length)
  return { algorithm: loyal, topology, ids: Float64Array.from(ids), params: {} }
}

function startedMember(options: MemberOptions): Member {
  const member = new Member({ failureDetector: WATCH, ...options })
  members.add(member)
  return member
}

/** A complete network in memory with all members started. */
async function inMemory(ids: readonly number[]) {
  const world = worldOf(ids)
  const transports: MemoryTransport[] = memoryNetwork(world.topology)
  const sit = (position: number) =>
    startedMember({ ...memberOptionsOf(world, position), transport: transports[position] })
  const all = transports.map((_, position) => sit(position))
  await Promise.all(all.map((member) => member.open()))
  return { all, transports, sit }
}

function views(...some: Member[]): (number | null)[] {
  return some.map(({ outcome }) => outcome.leader)
}

describe('in memory', () => {
  test('all members suspect one that leaves, and none ends', async () => {
    const { all } = await inMemory([4, 9, 2, 7])
    expect(views(...all)).toEqual([9, 9, 9, 9])
    await all[1].close()
    await expect.poll(() => views(all[0], all[2], all[3]), OFTEN).toEqual([7, 7, 7])
    expect(all[3].outcome.status).toBe('leader')
    await all[3].close()
    await expect.poll(() => views(all[0], all[2]), OFTEN).toEqual([4, 4])
    expect(await Promise.race([all[0].ended, sleep(50, 'pending')])).toBe('pending')
    expect(await all[3].ended).toBe('closed')
  })

  test('a cut link is down at both ends; messages over it are counted and lost', async () => {
    const { all, transports } = await inMemory([4, 9, 2])
    await expect.poll(() => all.map(({ state }) => state.greeted), OFTEN).toEqual([2, 2, 2])
    transports[0].cut(1)
    expect(views(...all)).toEqual([4, 9, 9])
    expect(all.map(({ counts }) => counts.toDead)).toEqual([1, 1, 0])
    expect(all[0].counts.total).toBe(4)
    await expect.poll(() => all[2].state.greeted, OFTEN).toBe(4)
    expect(all.slice(0, 2).map(({ state }) => state.greeted)).toEqual([2, 2])
    transports[0].mend(1)
    await expect.poll(() => views(...all), OFTEN).toEqual([9, 9, 9])
    expect(all.map(({ state }) => [state.downs, state.ups])).toEqual([
      [1, 1],
      [1, 1],
      [0, 0],
    ])
  })

  test('a silent link is down after the timeout, and up when a frame arrives', async () => {
    const { all, transports } = await inMemory([4, 9])
    const began = performance.now()
    transports[1].mute(1)
    await expect.poll(() => views(...all), OFTEN).toEqual([4, 9])
    expect(performance.now() - began).toBeGreaterThan(WATCH.timeout - WATCH.heartbeat)
    transports[1].mend(1)
    await expect.poll(() => views(...all), OFTEN).toEqual([9, 9])
  })

  test('heartbeats alone keep links up', async () => {
    const { all } = await inMemory([1, 2, 3])
    await sleep(2 * WATCH.timeout)
    expect(all.map(({ state }) => state.downs)).toEqual([0, 0, 0])
    expect(all.map(({ counts }) => counts.total)).toEqual([2, 2, 2])
  })

  test('a restarted member is trusted again', async () => {
    const { all, sit } = await inMemory([4, 9, 2])
    await all[1].close()
    await expect.poll(() => views(all[0], all[2]), OFTEN).toEqual([4, 4])
    await all[2].close()
    await expect.poll(() => all[0].state.downs, OFTEN).toBe(2)
    const again = sit(1)
    await again.open()
    await expect.poll(() => views(all[0], again), OFTEN).toEqual([9, 9])
    expect(again.state.downs).toBe(1)
  })

  test('ignores frames of termination detection', async () => {
    const lines: string[] = []
    const world = worldOf([1, 2])
    const transports = memoryNetwork(world.topology)
    const log = (line: string) => lines.push(line)
    const one = startedMember({ ...memberOptionsOf(world, 0), transport: transports[0], log })
    await one.open()
    await transports[1].open({ schema: '', n: 2, position: 1 }, { received() {}, down() {} })
    for (let i = 0; i < 3; i++) transports[1].send(1, Uint8Array.of(253))
    await expect.poll(() => lines.length, OFTEN).toBe(3)
    expect(lines[0]).toBe('link 1: unexpected frame of termination detection ignored')
    expect(one.outcome.leader).toBe(2)
  })

  test('alone on a complete network', async () => {
    const { all } = await inMemory([5])
    expect(views(...all)).toEqual([5])
  })
})

describe('a process that was stopped', () => {
  test('recovers, and knows which links are down', async () => {
    const { all, transports } = await inMemory([4, 9, 2])
    transports[1].cut(1)
    await expect.poll(() => all[1].state.downs, OFTEN).toBe(1)
    expect(all[1].counts.total).toBe(4)
    const outcomes: string[] = []
    all[1].on('outcome', ({ status }) => outcomes.push(status))
    const until = performance.now() + 2 * WATCH.timeout
    while (performance.now() < until);
    await expect.poll(() => outcomes, OFTEN).toEqual(['leader'])
    expect(all[1].state).toMatchObject({ status: 'leader', downs: 1, ups: 0 })
  })
})

describe('over sockets', () => {
  const FREE: Address = { host: '127.0.0.1', port: 0 }

  async function overTcp(ids: readonly number[]) {
    const world = worldOf(ids)
    const listeners = await Promise.all(ids.map(() => Listener.at(FREE)))
    const addresses = listeners.map(({ address }) => address)
    const sit = (position: number, listener: Listener, special: Partial<MemberOptions> = {}) => {
      const links = tcpLinks(world.topology, position, addresses)
      const transport = tcpTransport({ listener, links, lasting: true, patience: 400 })
      return startedMember({ ...memberOptionsOf(world, position), transport, ...special })
    }
    return { listeners, addresses, sit }
  }

  test('closed connections are crashes, and a process at the same address recovers', async () => {
    const { listeners, addresses, sit } = await overTcp([4, 9, 2, 7])
    const all = listeners.map((listener, position) => sit(position, listener))
    await Promise.all(all.map((member) => member.open()))
    expect(views(...all)).toEqual([9, 9, 9, 9])
    await Promise.all([all[1].close(), all[2].close()])
    await expect.poll(() => views(all[0], all[3]), OFTEN).toEqual([7, 7])
    const again = sit(1, await Listener.at(addresses[1]))
    await again.open()
    await expect.poll(() => views(all[0], again, all[3]), OFTEN).toEqual([9, 9, 9])
    expect(again.state.downs).toBe(1)
    expect(again.counts.toDead).toBeGreaterThan(0)
  })

  test('a late member joins the others', async () => {
    const { listeners, sit } = await overTcp([4, 9, 2])
    const early = [0, 2].map((position) => sit(position, listeners[position]))
    await Promise.all(early.map((member) => member.open()))
    expect(views(...early)).toEqual([4, 4])
    const late = sit(1, listeners[1])
    await late.open()
    await expect.poll(() => views(...early, late), OFTEN).toEqual([9, 9, 9])
  })

  test('members with different heartbeats refuse each other', async () => {
    const { listeners, sit } = await overTcp([1, 2])
    const slow = { failureDetector: { heartbeat: 30, timeout: 300 } }
    const pair = [sit(0, listeners[0]), sit(1, listeners[1], slow)]
    const opened = await Promise.allSettled(pair.map((member) => member.open()))
    const refused = opened.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    expect(String(refused.reason)).toMatch(
      /settings differ: heartbeat (20|30) ms there, heartbeat (20|30) ms here/,
    )
  })
})
