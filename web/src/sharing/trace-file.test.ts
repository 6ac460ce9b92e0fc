import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import type { TraceEvent } from '../../../src/core/trace/trace-event.ts'
import { prepare } from '../../../src/scenario/index.ts'
import { simulationOf } from '../../../src/sim/index.ts'
import { readTrace, worldOf } from './trace-file.ts'

const rings = catalogue.filter(({ needs }) => needs.topology === 'ring' && !needs.time)

/** The events of a run, as a file has them. */
function traced(name: string, n: number, seed: number) {
  const algorithm = catalogue.find((one) => one.name === name)!
  const { world, conditions, properties } = prepare({ n, seed }, algorithm, String)
  const events: TraceEvent[] = []
  simulationOf(world, conditions, properties, { trace: (event) => events.push(event) }).finish()
  return JSON.parse(JSON.stringify(events)) as TraceEvent[]
}

const linesOf = (values: readonly object[]) =>
  values.map((it) => `${JSON.stringify(it)}\n`).join('')

describe('a file of events', () => {
  it('has the nodes and links of the run, without any scenario', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...rings.map(({ name }) => name)),
        fc.integer({ min: 2, max: 12 }),
        fc.nat(1000),
        (name, n, seed) => {
          const events = traced(name, n, seed)
          const file = readTrace(linesOf(events))
          expect(file).toEqual({ scenario: null, check: null, events })
          const world = worldOf(events, name)
          expect(world.n).toBe(n)
          for (let i = 0; i < world.edges.length; i += 2)
            expect([1, n - 1]).toContain(world.edges[i + 1] - world.edges[i])
          const sent = new Set(events.flatMap((it) => ('type' in it ? [it.type] : [])))
          expect(world.types.slice(0, world.messageTypes).sort()).toEqual([...sent].sort())
        },
      ),
      { numRuns: 40 },
    )
  })

  it('says in its first line what run it is, and what an exploration found', () => {
    const scenario = { algorithm: 'lcr', n: 3 }
    const wake = { at: 1, node: 0, event: 'wake' }
    const check = { mode: 'clocked:2', property: 'at most one leader', moves: [] }
    expect(readTrace(linesOf([{ event: 'scenario', scenario, check }, wake]))).toEqual({
      scenario,
      check: { mode: 'clocked:2', property: 'at most one leader', isInduction: false },
      events: [wake],
    })
  })

  it.each([
    ['wake', 'Line 1 is no object in JSON.'],
    ['{"at":1,"node":0,"event":"wake"}\n[]', 'Line 2 is no object in JSON.'],
    ['{"at":1,"node":0,"event":"dance"}', 'Line 1: there is no event "dance".'],
    ['{"node":0,"event":"wake"}', 'Line 1: the time "at" is missing.'],
    ['{"at":1,"event":"wake"}', 'Line 1: "node" is a position from 0.'],
    ['{"at":1,"node":0,"event":"send","to":-1}', 'Line 1: "to" is a position from 0.'],
    ['{"at":1,"node":1e9,"event":"wake"}', 'Line 1: "node" is a position from 0.'],
  ])('%s: %s', (text, complaint) => {
    expect(readTrace(text)).toBe(complaint)
  })
})
