import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { astray, crashes, overlaps, recoveries } from '../../../test/support/random-faults.ts'
import { observe, simulate } from '../../../test/support/random-worlds.ts'
import type { TraceEvent } from '../../core/index.ts'
import { bully } from './bully.ts'

const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7]

describe('what bully sends', () => {
  it.each([
    [{ wake: '0', detect: 'off' }, [28, 28, 7]],
    [{ wake: '7' }, [0, 0, 7]],
    [{ wake: '0', crash: '7', detect: 'off' }, [28, 21, 6]],
    [{ wake: '0', crash: '7' }, [21, 21, 6]],
    [{ wake: '6', crash: '7' }, [0, 0, 6]],
    [{ wake: '4', crash: '7', detect: 'off' }, [6, 3, 6]],
    [{ wake: '2,4', crash: '6,7', detect: 'off' }, [14, 6, 5]],
  ])('with ids 0 to 7, %o: %j', (given, [election, ok, coordinator]) => {
    for (const timing of ['async', 'sync']) {
      const { messages, verdict } = simulate(bully, { ids: EIGHT, timing, ...given })
      expect(messages.byType).toEqual({ election, ok, coordinator })
      expect(verdict.ok).toBe(true)
    }
  })

  it('depends only on the live nodes and their knowledge, not on the initiators', () => {
    const worlds = fc.integer({ min: 1, max: 12 }).chain((n) =>
      fc.record({
        ids: fc.uniqueArray(fc.nat(99), { minLength: n, maxLength: n }),
        dead: fc.subarray([...Array(n).keys()], { maxLength: n - 1 }),
        start: fc.nat(),
        detect: fc.constantFrom(1, 'off'),
      }),
    )
    fc.assert(
      fc.property(worlds, ({ ids, dead, start, detect }) => {
        const live = [...ids.keys()].filter((node) => !dead.includes(node))
        const starter = live[start % live.length]
        const told = detect === 'off' ? [...ids.keys()] : live
        const above = (node: number, among: number[]) =>
          among.filter((other) => ids[other] > ids[node]).length
        const holders = live.filter((node) => ids[node] >= ids[starter])
        const highest = holders.find((node) => above(node, live) === 0)!
        const sum = (among: number[]) =>
          holders.map((node) => above(node, among)).reduce((a, b) => a + b)
        const crash = dead.join() || 'none'
        const { messages, leader } = simulate(bully, { ids, crash, wake: `${starter}`, detect })
        expect(messages.byType).toEqual({
          election: sum(told),
          ok: sum(live),
          coordinator: told.filter((node) => ids[node] < ids[highest]).length,
        })
        expect(leader?.node).toBe(highest)
      }),
      { numRuns: campaign(1_000) },
    )
  })

  it('when a node is back: the highest just announces itself, another holds an election', () => {
    const fromReturn = (given: object) => {
      const { sends } = observe(bully, { ids: EIGHT, wake: '7', ...given })
      const late = sends.filter(({ at }) => at >= 40).map(({ type }) => type)
      return ['election', 'ok', 'coordinator'].map(
        (it) => late.filter((type) => type === it).length,
      )
    }
    expect(fromReturn({ crash: '7@20', recover: '7@40' })).toEqual([0, 0, 7])
    expect(fromReturn({ crash: '4@20', recover: '4@40' })).toEqual([3 + 2 + 1, 3 + 2 + 1, 7])
    expect(fromReturn({ crash: '0@20', recover: '0@40' })).toEqual([28, 28, 7])
  })
})

/**
 * Whether all nodes recover after their crashes were reported, and are not heard within the
 * longest delay of any such report: then their messages cannot come from before the crash.
 */
function clear(events: readonly TraceEvent[], detect: number, longest: number, shortest: number) {
  const reports = new Map<number, number>()
  const times = events.flatMap(({ event, at }) => (event === 'crash' ? [at + detect] : []))
  return events.every(({ event, node, at }) => {
    if (event === 'crash') reports.set(node, at + detect)
    if (event !== 'recover') return true
    const heard = [at + shortest, at + longest]
    const doubtful = times.some((time) => time + longest >= heard[0] && time <= heard[1])
    return reports.get(node)! < at && !doubtful
  })
}

/** The delay of a detector in units of the longest delay of a message; null: as it was planned. */
const lags = fc.option(fc.constantFrom(0, 0.25, 0.5, 1, 2, 3), { freq: 2 })

describe('bully in random worlds', () => {
  it('has one leader at a time through all crashes, and the largest live one at the end', () => {
    fc.assert(
      fc.property(crashes, ({ longest: _, ...given }) => {
        const { result, events } = observe(bully, given)
        expect(overlaps(events)).toEqual([])
        expect(astray(result)).toEqual([])
      }),
      { numRuns: campaign(2_000) },
    )
  })

  it('has the largest live leader after all returns; an old one stands for one delay', () => {
    fc.assert(
      fc.property(recoveries, lags, ({ longest, shortest, ...planned }, lag) => {
        // With another delay than planned the detector may also speak after a return.
        const given = lag === null ? planned : { ...planned, detect: lag * longest }
        const { result, events } = observe(bully, given)
        expect(astray(result)).toEqual([])
        if (given.detect > longest && !clear(events, given.detect, longest, shortest)) return
        expect(overlaps(events).filter(({ from, to }) => to - from > longest)).toEqual([])
        const [unrivalled] = result.verdict.properties
        if (given.detect <= 2 * longest) expect(unrivalled).toMatchObject({ holds: true })
      }),
      { numRuns: campaign(2_000) },
    )
  })
})

describe('bully', () => {
  it.each([
    ['the leader is suspected for a while', { suspect: '7@10..20' }, 7],
    ['another node is suspected', { suspect: '3@10..20' }, 7],
    ['the network is partitioned for a while', { partition: '0,1,2/3,4,5,6,7@10..30' }, 7],
    ['one link is cut, that of the two highest', { cut: '6-7@10..30' }, 7],
    ['a node sleeps through the election, out of reach', { suspect: '2@0..9' }, 7],
    ['the leader retires', { retire: '7@10' }, 6],
    ['the leader retires just when it has won', { retire: '7@2', delay: 'uniform:1:10' }, 6],
  ])('ends with one leader that all nodes follow when %s', (_, given, id) => {
    for (let seed = 1; seed <= 20; seed++) {
      const { nodes, leader } = simulate(bully, { ids: EIGHT, seed, ...given })
      expect(leader?.id).toBe(id)
      expect(new Set(nodes!.map((node) => node.leader))).toEqual(new Set([id]))
    }
  })

  it('follows a recovered node that was not trusted, when the detector reports it', () => {
    const death = { crash: '1@66,2,3', recover: '1@79.75,3@64.25', wake: '3@27' }
    for (let seed = 1; seed <= 300; seed++) {
      const given = { ids: [2, 5, 1, 4, 3], delay: 'uniform:1:10', order: 'any', detect: 2, seed }
      expect(astray(simulate(bully, { ...given, ...death }))).toEqual([])
    }
  })

  it.each([
    ['two nodes recover at once', { crash: '6@10,7@10', recover: '6@30,7@30' }],
    [
      'two nodes recover at once and the detector is slow',
      { crash: '6@10,7@10', recover: '6@30,7@30', detect: 5 },
    ],
    ['the lower node recovers last', { crash: '6@10,7@10', recover: '7@30,6@31' }],
    ['both were never up before', { crash: '6,7', recover: '6@30,7@30.5', detect: 3 }],
    [
      'a node is heard before the detector reports it',
      { crash: '7@10', recover: '7@30', detect: 2 },
    ],
    [
      'a node is heard just after its crash was reported',
      { crash: '7@10', recover: '7@12.5', detect: 2 },
    ],
  ])('has one leader at a time, an old one for one delay, when %s', (_, given) => {
    const { events, result } = observe(bully, { ids: EIGHT, ...given })
    expect(overlaps(events).filter(({ from, to }) => to - from > 1)).toEqual([])
    expect(result.verdict.ok).toBe(true)
  })

  it.each([
    ['is notified of a higher node', 3, { detect: 1, crash: '1,2@2.19', recover: '1@2.32' }],
    [
      'was notified of the crash of the only leader that it has followed since its recovery',
      3,
      { delay: 'constant:2', detect: 2, crash: '2@25,1@19,2@36,1@30', recover: '1@25,2@35,1@37' },
    ],
    [
      'has asked a crashed leader before a node between them recovered',
      4,
      { crash: '0@10,2@10,3@20.5', recover: '0@20,2@20.25' },
    ],
    [
      'waits for the second recovery of a node',
      5,
      { detect: 0.5, crash: '4,3@10,3@20.25,0@15,2@25.75', recover: '3@20,0@25,3@26.5' },
    ],
  ])('does not lead beside a higher node: a node that %s', (_, n, given) => {
    const ids = EIGHT.slice(0, n)
    expect(simulate(bully, { ids, wake: 'all', ...given }).verdict.ok).toBe(true)
  })

  it('has two leaders if a slow detector reports a recovered node as crashed', () => {
    // 2 is back before its death is reported, at 3: it is taken for dead until the end of 5.
    const given = { ids: [0, 1, 2], wake: 'all', crash: '2@1', recover: '2@3', detect: 2.5 }
    const { events, result } = observe(bully, given)
    expect(overlaps(events)).toEqual([
      { from: 3.5, to: 5.5, returns: [Number.NEGATIVE_INFINITY, 3] },
    ])
    expect(astray(result)).toEqual([])
  })

  it('has two leaders if one becomes leader before it knows of a node that waits', () => {
    const given = { ids: [0, 1, 2], wake: 'all', crash: '1@10,2@20', recover: '1@23.5', detect: 4 }
    const { events, result } = observe(bully, given)
    const [{ from, to }] = overlaps(events)
    expect([from, to]).toEqual([25.5, 26.5])
    expect(result.verdict.ok).toBe(false)
    expect(astray(result)).toEqual([])
  })

  it('does not follow a node that is known to have crashed', () => {
    const given = { ids: [0, 1, 2], wake: '2', delay: 'constant:5', crash: '2@1' }
    const { events, result } = observe(bully, given)
    expect(events.filter((it) => it.event === 'follow' && it.leader === 2)).toEqual([])
    expect(result.leader?.id).toBe(1)
  })
})
