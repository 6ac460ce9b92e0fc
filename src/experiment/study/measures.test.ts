import { describe, expect, it } from 'vitest'
import type { ScenarioInput } from '../../scenario/index.ts'
import { readExperiment } from './document.ts'
import { jobsOf } from './jobs.ts'
import { measureLabel, measureList } from './measures.ts'
import { measureJob } from './run-job.ts'

const all = measureList.map(({ name }) => name).filter((name) => !/[A-Z]{3}|\//.test(name))
const unitOf = new Map(measureList.map(({ name, unit }) => [name, unit]))

/** Every measure of one run. */
function measuredIn(base: ScenarioInput): Map<string, number | null> {
  const experiment = readExperiment({ base, sweep: { seed: [3] }, measures: all }, (field) => field)
  const { values } = measureJob(jobsOf(experiment)[0])
  return new Map(all.map((name, i) => [name, values[i]]))
}

/** The same world, in which everything takes so many times as long. */
const slower: readonly (readonly [string, (scale: number) => ScenarioInput])[] = [
  ...['lcr', 'hirschberg-sinclair', 'peterson', 'franklin', 'tree', 'wireless', 'bully', 'ghs'].map(
    (algorithm) =>
      [
        `${algorithm}, constant delays`,
        (scale: number): ScenarioInput => ({ algorithm, n: 8, delay: `constant:${scale}` }),
      ] as const,
  ),
  [
    'lcr, starters at different times',
    (scale) => ({ algorithm: 'lcr', n: 8, delay: `constant:${scale}`, wake: `0@0,3@${4 * scale}` }),
  ],
  ...['gossip-average', 'gossip-max', 'push-sum', 'rumor', 'gossip-count'].map(
    (algorithm) =>
      [
        `${algorithm}, periods`,
        (scale: number): ScenarioInput => ({
          ...{ algorithm, n: 30, timing: 'async', until: 12 },
          ...{ delay: `constant:${scale}`, set: { period: 10 * scale } },
        }),
      ] as const,
  ),
]

describe.each(slower)('the unit of every measure: %s', (_, world) => {
  it('is the one that is stated, at every speed of the clock', () => {
    const one = measuredIn(world(1))
    for (const scale of [2, 5])
      for (const [name, value] of measuredIn(world(scale))) {
        const factor = unitOf.get(name) === 'units of time' ? scale : 1
        const before = one.get(name)!
        if (value === null || before === null) expect([name, value]).toEqual([name, before])
        else expect([name, value / factor]).toEqual([name, expect.closeTo(before, 9)])
      }
  })
})

describe('a measure', () => {
  it('of time counts a round as the delay of one message', () => {
    const inRounds = measuredIn({ algorithm: 'lcr', n: 8, timing: 'sync' })
    const inTime = measuredIn({ algorithm: 'lcr', n: 8, timing: 'async' })
    const times = all.filter((name) => unitOf.get(name) === 'units of time')
    expect(times).toContain('time')
    for (const name of times) expect([name, inRounds.get(name)]).toEqual([name, inTime.get(name)])
  })

  it('of cycles is the same number of cycles with and without messages', () => {
    const world = { algorithm: 'gossip-max', n: 1000, until: 40 }
    const reached = ['async', 'cycles'].map(
      (timing) => measuredIn({ ...world, timing }).get('reached')!,
    )
    for (const cycles of reached) expect(cycles).toBeGreaterThan(4)
    for (const cycles of reached) expect(cycles).toBeLessThan(16)
  })

  it('of interactions has no time: meetings are not delays', () => {
    const found = measuredIn({ algorithm: 'pairwise', topology: 'complete:6' })
    const known = all.filter((name) => found.get(name) !== null)
    expect(known).toEqual(expect.arrayContaining(['interactions', 'parallel', 'elected']))
    expect(known.filter((name) => unitOf.get(name) === 'units of time')).toEqual([])
  })

  it.each(measureList.filter(({ name }) => all.includes(name)))(
    'has a unit on its axis: $name',
    ({ name, unit }) => {
      expect(unit).not.toBe('')
      if (unit !== 'ratio') expect(measureLabel(name)).toContain(unit)
    },
  )
})
