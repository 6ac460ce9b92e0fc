import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { preparation } from '../../../test/support/random-worlds.ts'
import { aggregationNamed, itaiRodeh, lcr } from '../../algorithms/index.ts'
import type { TraceEvent } from '../../core/index.ts'
import { aggregationCycles, simulationOf } from '../../sim/index.ts'
import { checkTargetOf } from '../check-target.ts'
import { flagged, prepare, type ScenarioInput } from '../index.ts'

function eventsOf(given: ScenarioInput): TraceEvent[] {
  const { world, conditions, properties } = preparation(itaiRodeh, given)
  const events: TraceEvent[] = []
  simulationOf(world, conditions, properties, { trace: (event) => events.push(event) }).finish()
  return events
}

/** The ids that each node draws, from 0: those of the tokens that it starts. */
function drawnIn(events: readonly TraceEvent[]): Map<number, number[]> {
  const drawn = new Map<number, number[]>()
  for (const event of events) {
    if (event.event !== 'send' || event.type !== 'token' || event.body.hop !== 1) continue
    drawn.set(event.node, [...(drawn.get(event.node) ?? []), Number(event.body.id) - 1])
  }
  return drawn
}

describe('scripted choices', () => {
  it('that repeat the draws of a run repeat the run, whatever the seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), fc.nat(500), (n, seed) => {
        const events = eventsOf({ n, seed })
        const script = Array.from(drawnIn(events), ([node, draws]) => `${node}:${draws}`)
        expect(script.length).toBe(n)
        expect(eventsOf({ n, seed: seed + 1, coins: script.join(';') })).toEqual(events)
      }),
      { numRuns: campaign(480) },
    )
  })

  it('repeat their last one, and leave other nodes as they were', () => {
    const drawn = drawnIn(eventsOf({ n: 3, coins: '0:2,1;1:2' }))
    expect(drawn.get(0)?.slice(0, 2)).toEqual([2, 1])
    expect(new Set(drawn.get(1))).toEqual(new Set([2]))
  })

  it('pick the links of gossip by messages', () => {
    const average = aggregationNamed('gossip-average')!
    const given = { n: 3, coins: '0:1;1:0;2:1', until: 4 }
    const { begin, scenario, topology } = prepare(given, average, flagged)
    const asked: [number, number][] = []
    const run = begin({
      trace(event) {
        if (event.event === 'send' && event.type === 'push') asked.push([event.node, event.link])
      },
    })
    for (const _ of aggregationCycles(run, scenario));
    expect(asked.length).toBeGreaterThan(6)
    const picked = asked.map(([node, link]) => [node, link - topology.firstLink])
    expect(picked.every(([node, link]) => link === [1, 0, 1][node])).toBe(true)
  })

  it('that the algorithm does not offer are refused with the position and the number', () => {
    const run = () => eventsOf({ n: 4, coins: '2:1,1,9' })
    // Position 2 must draw three times, so all must share the largest id twice.
    const forced = () => eventsOf({ n: 4, coins: '0:1;1:1;2:1,1,9;3:1' })
    expect(run).not.toThrow()
    expect(forced).toThrow(/choice 3 of position 2 is scripted as 9.* 0 to 3 \(k = 4\)/)
  })

  it('have no place where nothing is drawn, or everything is explored', () => {
    expect(() => preparation(lcr, { coins: '0:1' })).toThrow(/lcr makes no random choices/)
    const explorable = { definition: itaiRodeh, ownProperties: [] }
    const target = () => checkTargetOf(explorable, { n: 2, coins: '0:1' }, flagged)
    expect(target).toThrow(/explores every random choice/)
  })
})
