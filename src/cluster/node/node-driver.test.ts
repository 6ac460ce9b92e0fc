import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import {
  algorithm,
  flag,
  incarnation,
  message,
  nat,
  type Problem,
  stable,
  timer,
} from '../../core/index.ts'
import { Random } from '../../core/runtime/random.ts'
import { NodeDriver } from './node-driver.ts'
import type { NodeOptions } from './node-options.ts'

const SAY = message({ text: nat })
const VOTE = message({ term: nat, lasts: nat })
const BREAK = message({})
const QUIT = message({})
const LEASE = timer()
const OTHER = timer()

const bare: Problem = { name: 'bare', terms: true, properties: [] }

/** VOTE: writes the term, sets LEASE, says it and leads while LEASE. */
const voting = algorithm({
  name: 'voting',
  needs: {
    topology: 'complete',
    ids: 'unique',
    time: 'clocks',
    knows: ['voters', 'incarnation', 'liveness'],
  },
  messages: { SAY, VOTE, BREAK, QUIT },
  timers: { LEASE, OTHER },
  problem: bare,
  state: {
    term: stable(nat),
    memory: stable(flag),
    heard: nat,
    fired: nat,
    name: incarnation,
    asked: flag,
  },
  wakes: false,
  start(my) {
    my.memory = true
  },
  recover(my, net) {
    my.name = net.incarnation
  },
  on: {
    SAY(my, { text }, net) {
      my.heard = text
      net.sendOthers(SAY, { text: text + 1 })
    },
    VOTE(my, { term, lasts }, net) {
      my.asked = net.from === -1
      if (term > 0) my.term = term
      if (lasts > 0) net.after(lasts, LEASE)
      net.lead({ term, while: LEASE })
      net.sendAll(SAY, { text: term })
    },
    BREAK(my, _, net) {
      my.term = 99
      net.after(1, OTHER)
      net.sendAll(SAY, { text: 0 })
      net.withdraw()
      throw new Error('broken')
    },
    QUIT(my, _, net) {
      my.term++
      net.withdraw()
      net.sendAll(SAY, { text: 0 })
    },
  },
  timeout: {
    LEASE(my) {
      my.fired++
    },
    OTHER(my) {
      my.fired += 100
    },
  },
})

interface Commit {
  readonly fields: Uint8Array
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** A driver of position 0 of 3, what it did in order, and the commits that wait for the test. */
function nodeOf(given: Partial<NodeOptions> & { slow?: true; clock?: ManualClock } = {}) {
  const clock = given.clock ?? new ManualClock()
  const done: string[] = []
  const commits: Commit[] = []
  const failures: unknown[] = []
  const { slow, ...options } = given
  const commit = (fields: Uint8Array) => {
    done.push('commit')
    if (slow) {
      return new Promise<void>((resolve, reject) => commits.push({ fields, resolve, reject }))
    }
    commits.push({ fields, resolve() {}, reject() {} })
    return undefined
  }
  const driver = new NodeDriver(
    {
      ...{ algorithm: voting, position: 0, n: 3, id: 7, links: [1, 2], unit: 1, clock },
      ...{ random: Random.from(1), storage: { commit }, incarnation: 'one', ...options },
    },
    {
      send: (link, bytes) => done.push(`send ${link} ${bytes.join(' ')}`),
      up: () => true,
      outcomeChanged: () => done.push(`${driver.outcome.status} ${driver.outcome.term}`),
      failed: (error) => failures.push(error),
    },
  )
  driver.start()
  return { driver, clock, done, commits, failures }
}

it('gossips over the links that the node chose, the first ones', () => {
  const { driver } = nodeOf({ links: [4, 5, 6], outLinks: 2 })
  const picked = new Set(Array.from({ length: 40 }, () => driver.pick()))
  expect([...picked].sort()).toEqual([4, 5])
})

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('effects', () => {
  it('leave after the commit of their handler, in the order of the handlers', async () => {
    const { driver, done, commits } = nodeOf({ slow: true })
    driver.request('VOTE', { term: 3, lasts: 100 })
    driver.acceptBytes(1, Uint8Array.of(0, 5))
    expect(done).toEqual(['commit', 'commit'])
    expect(driver.leads()).toBe(false)
    commits[1].resolve()
    await settled()
    expect(done).toEqual(['commit', 'commit'])
    commits[0].resolve()
    await settled()
    expect(done.slice(2)).toEqual(['send 1 0 3', 'send 2 0 3', 'leader 3', 'send 2 0 6'])
    expect(driver.leads()).toBe(true)
  })

  it('leave at once where no stable field changed', () => {
    const { driver, done } = nodeOf()
    done.length = 0
    driver.acceptBytes(2, Uint8Array.of(0, 8))
    expect(done).toEqual(['send 1 0 9'])
  })

  it('do not happen when a commit fails, and never again', async () => {
    const { driver, done, commits, failures } = nodeOf({ slow: true })
    commits[0].resolve()
    driver.request('VOTE', { term: 3, lasts: 100 })
    commits[1].resolve()
    await settled()
    expect(driver.leads()).toBe(true)
    driver.request('VOTE', { term: 4, lasts: 100 })
    commits[2].reject(new Error('full'))
    await settled()
    done.length = 0
    driver.acceptBytes(1, Uint8Array.of(0, 5))
    await settled()
    expect(failures).toEqual([new Error('full')])
    expect([driver.leads(), driver.outcome.status, done]).toEqual([false, 'unknown', []])
  })

  it('of a handler that throws do not happen, and its changes are undone', () => {
    const { driver, clock, done, commits } = nodeOf()
    driver.request('VOTE', { term: 3, lasts: 100 })
    const before = [done.length, commits.length]
    expect(() => driver.acceptBytes(1, Uint8Array.of(2))).toThrow('broken')
    expect([done.length, commits.length]).toEqual(before)
    expect([driver.my.term, driver.leads()]).toEqual([3, true])
    clock.advance(99)
    expect([driver.my.fired, driver.leads()]).toEqual([0, true])
    clock.advance(1)
    expect([driver.my.fired, driver.leads()]).toEqual([1, false])
  })

  it('follow a request of the application, which comes over no link', () => {
    const { driver } = nodeOf()
    driver.request('VOTE', { term: 1, lasts: 5 })
    expect(driver.my.asked).toBe(true)
    expect(() => driver.request('NOTHING', {})).toThrow('it has no message type NOTHING')
  })
})

describe('stored fields', () => {
  it('are there again, and the node recovers as another incarnation', () => {
    const { driver, commits } = nodeOf()
    driver.request('VOTE', { term: 300, lasts: 5 })
    const stored = commits.at(-1)!.fields
    const next = nodeOf({ stored, incarnation: 'two' })
    expect(next.driver.my).toMatchObject({ term: 300, memory: true, name: 'two', fired: 0 })
    expect(next.commits).toEqual([])
  })

  it('may be lost: it recovers all the same', () => {
    const { driver } = nodeOf({ stored: null, recovers: true })
    expect(driver.my).toMatchObject({ term: 0, memory: false, name: 'one' })
  })
})

describe('bound leadership', () => {
  it('ends by the clock at the call, before any handler or timer has run', () => {
    const { driver, clock } = nodeOf()
    driver.request('VOTE', { term: 3, lasts: 100 })
    expect(driver.remaining()).toBe(100)
    clock.block(99)
    expect([driver.leads(), driver.remaining()]).toEqual([true, 1])
    clock.block(1)
    expect([driver.leads(), driver.remaining()]).toEqual([false, 0])
    expect(driver.outcome).toEqual({ status: 'unknown', leader: null, stopped: false, term: null })
    expect(driver.my.status).toBe('leader')
    driver.acceptBytes(1, Uint8Array.of(0, 5))
    expect(driver.my.status).toBe('unknown')
  })

  it('ends without being asked, and says so', () => {
    const { driver, clock, done } = nodeOf()
    driver.request('VOTE', { term: 3, lasts: 100 })
    driver.request('VOTE', { term: 3, lasts: 50 })
    expect(done.filter((what) => what.startsWith('leader'))).toEqual(['leader 3'])
    clock.advance(50)
    expect(done.at(-1)).toBe('unknown null')
  })

  it('ends while the machine is suspended, also between the request and its answer', () => {
    const { driver, clock } = nodeOf()
    driver.request('VOTE', { term: 3, lasts: 100 })
    clock.suspend(99)
    expect(driver.leads()).toBe(true)
    clock.suspend(2)
    expect(driver.leads()).toBe(false)
    driver.request('VOTE', { term: 4, lasts: 100 })
    clock.suspend(200)
    driver.request('VOTE', { term: 5, lasts: 0 })
    expect(driver.leads()).toBe(false)
  })

  it('ends when the wall clock is set back, which could hide a suspension', () => {
    const { driver, clock } = nodeOf()
    driver.request('VOTE', { term: 3, lasts: 100 })
    clock.suspend(-1)
    expect(driver.leads()).toBe(false)
  })

  it('never lasts longer by the coarse steps of a clock', () => {
    for (let phase = 0; phase < 10; phase++)
      for (const suspended of [0, 30, 60]) {
        const { driver, clock } = nodeOf({ clock: new ManualClock(10) })
        clock.block(phase)
        driver.request('VOTE', { term: 3, lasts: 100 })
        expect(driver.remaining()).toBeGreaterThanOrEqual(80)
        clock.suspend(suspended)
        for (let past = 0; driver.leads(); past++, clock.block(1))
          expect(past).toBeLessThan(100 - suspended)
      }
  })

  it('counts from the beginning of the handler, not from the end of its commit', async () => {
    const { driver, clock, commits } = nodeOf({ slow: true })
    commits[0].resolve()
    driver.request('VOTE', { term: 3, lasts: 100 })
    clock.block(60)
    commits[1].resolve()
    await settled()
    expect(driver.remaining()).toBe(40)
  })

  it('does not begin outside if it has ended before its commit did', async () => {
    const { driver, done, commits } = nodeOf({ slow: true })
    commits[0].resolve()
    driver.request('VOTE', { term: 3, lasts: 100 })
    driver.request('QUIT', {})
    commits[1].resolve()
    await settled()
    expect(driver.leads()).toBe(false)
    expect(done.filter((what) => what.startsWith('leader'))).toEqual([])
    commits[2].resolve()
    await settled()
    expect([driver.leads(), done.at(-1)]).toEqual([false, 'unknown null'])
  })

  it('is over when the driver is closed', () => {
    const { driver } = nodeOf()
    driver.request('VOTE', { term: 3, lasts: 100 })
    driver.close()
    expect([driver.leads(), driver.outcome.status]).toEqual([false, 'unknown'])
  })
})

describe('links', () => {
  it('may come and go, and majorities are those of the options', () => {
    const asked: [number[], boolean][] = []
    const { driver, done } = nodeOf({
      majority: (links, own) => {
        asked.push([[...links], own])
        return true
      },
    })
    driver.addLink(9)
    driver.removeLink(1)
    done.length = 0
    driver.acceptBytes(2, Uint8Array.of(0, 8))
    expect(done).toEqual(['send 9 0 9'])
    // The algorithm may remember a neighbour that has left: what it sends there is lost.
    expect(() => driver.send(1, SAY, { text: 1 })).not.toThrow()
    expect(done).toEqual(['send 9 0 9'])
    expect([driver.majority([2, 9], true), asked]).toEqual([true, [[[2, 9], true]]])
    expect(nodeOf().driver.majority([1], true)).toBe(true)
    expect(nodeOf().driver.majority([1], false)).toBe(false)
  })
})
