import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { aggregationNamed, gossiped } from '../../../test/support/gossip-fixture.ts'
import { Random } from '../../core/runtime/random.ts'
import { flagged, prepare, type ScenarioInput } from '../../scenario/index.ts'
import { type CycleEntry, observe } from '../../sim/index.ts'

function cycles(given: ScenarioInput, until: number) {
  const run = prepare(
    { timing: 'cycles', ...given },
    aggregationNamed('flow-updating'),
    flagged,
  ).begin()
  const entries: CycleEntry[] = [observe(run, 0.01, null)]
  for (let round = 1; round <= until; round++) {
    run.run()
    entries.push(observe(run, 0.01, entries[round - 1]))
  }
  return { run, entries }
}

/** The error of a typical estimate, relative to the truth. */
const relative = ({ mean, variance, truth }: CycleEntry) =>
  Math.sqrt(variance! + (mean! - truth) ** 2) / Math.abs(truth)

it.each(['cycles', 'async'])('on torus:8x8 the errors are the known ones, %s', (timing) => {
  const given = { topology: 'torus:8x8', values: 'index' }
  const entries =
    timing === 'cycles' ? cycles(given, 21).entries : gossiped('flow-updating', 21, given).cycles
  const known = { 1: 0.8086, 2: 0.5403, 3: 0.3835, 6: 0.0891, 11: 0.0336, 21: 0.0017 }
  for (const [round, error] of Object.entries(known))
    expect(relative(entries[Number(round)])).toBeCloseTo(error, 4)
})

it('star:10 is exact in round 3', () => {
  const { entries } = cycles({ topology: 'star:10', values: 'index' }, 3)
  expect(relative(entries[2])).toBeGreaterThan(0.4)
  expect(relative(entries[3])).toBeLessThan(1e-15)
})

it('sends 2E messages per round, in rounds and by messages', () => {
  for (const [topology, links] of [
    ['torus:4x4', 32],
    ['path:5', 4],
    ['complete:6', 15],
  ] as const) {
    const inRounds = cycles({ topology }, 5).run
    expect(inRounds.traffic).toMatchObject({ total: 10 * links, byType: { flow: 10 * links } })
    const { run } = gossiped('flow-updating', 5, { topology })
    expect(run.traffic.total).toBe(10 * links)
    expect(run.bits).toBe(inRounds.bits)
  }
})

it('rounds and messages are the same, number by number', () => {
  for (const topology of [
    'grid:3x4',
    'random:15:0.4',
    'k-out:12:2',
    'complete:1',
    'path:2',
    'ring:1',
    'ring:2',
  ]) {
    const inRounds = cycles({ topology }, 0).run
    const byMessages = prepare(
      { topology, timing: 'async' },
      aggregationNamed('flow-updating'),
      flagged,
    ).begin()
    for (let round = 1; round <= 15; round++) {
      inRounds.run()
      byMessages.run()
      for (let node = 0; node < inRounds.n; node++)
        expect(inRounds.valueAt(node, 0)).toBeCloseTo(byMessages.valueAt(node, 0), 12)
    }
  }
})

/** A random connected network of up to 14 nodes. */
function topologyOf(random: Random): [text: string, n: number] {
  const n = 4 + random.below(11)
  const texts = [
    `ring:${n}`,
    `path:${n}`,
    `star:${n}`,
    `complete:${n}`,
    `random:${n}:0.5`,
    `tree:${n}:2`,
  ]
  return [texts[random.below(texts.length)], n]
}

describe.each(['cycles', 'async'] as const)('random worlds, %s', (timing) => {
  it.each(['loss', 'change', 'crash', 'all'])(
    'survive %s',
    (what) => {
      const worlds = campaign(timing === 'cycles' ? 1000 : 400)
      for (let seed = 1; seed <= worlds; seed++) {
        const random = Random.from(seed).split(what)
        const [topology, n] = topologyOf(random)
        const node = random.below(n)
        // Only networks that a crash cannot take apart.
        const robust = /complete|ring/.test(topology)
        const given: ScenarioInput = {
          ...{ topology, timing, seed },
          values:
            what === 'change' || what === 'all' ? `index;${node}@40=${random.below(100)}` : 'index',
          ...(what !== 'change' && what !== 'crash' && { loss: 0.3 }),
          ...(robust && (what === 'crash' || what === 'all') && { crash: `${(node + 1) % n}@30` }),
          ...(timing === 'async' && what === 'all' && { duplicate: 0.2, delay: 'uniform:1:4' }),
          until: 1200,
        }
        const run = prepare(given, aggregationNamed('flow-updating'), flagged).begin()
        let entry = observe(run, 0, null)
        while (run.cycle < 1200 && !(run.cycle > 60 && far(entry) < 1e-6)) {
          for (let i = 0; i < 20; i++) run.run()
          entry = observe(run, 0, null)
        }
        expect(far(entry), JSON.stringify(given)).toBeLessThan(1e-6)
      }
    },
    60_000,
  )
})

const far = ({ min, max, truth }: CycleEntry) => Math.max(truth - min!, max! - truth)

it('survives churn: the average follows those that are there', () => {
  const { entries } = cycles(
    { topology: 'torus:8x8', values: 'index', set: { leave: 0.002, join: 0.01 } },
    300,
  )
  const late = entries.slice(100).map((entry) => relative(entry))
  expect(late.reduce((sum, one) => sum + one, 0) / late.length).toBeLessThan(0.08)
})

it('without a failure detector a crash leaves an error', () => {
  const given = { topology: 'ring:8', values: 'index', crash: '3@20', seed: 2 }
  const detected = gossiped('flow-updating', 300, given).last
  const blind = gossiped('flow-updating', 300, { ...given, detect: 'off' }).last
  expect(relative(detected)).toBeLessThan(1e-9)
  expect(relative(blind)).toBeGreaterThan(1e-3)
})

it('a node that recovers takes part again, with its value', () => {
  const given = { topology: 'ring:8', values: 'index', crash: '3@20', recover: '3@40' }
  const { last } = gossiped('flow-updating', 300, given)
  expect(last.alive).toBe(8)
  expect(relative(last)).toBeLessThan(1e-9)
})

it('sleeping nodes are woken by the first message', () => {
  const { last } = gossiped('flow-updating', 200, {
    topology: 'path:6',
    values: 'index',
    wake: '0',
  })
  expect(relative(last)).toBeLessThan(1e-6)
})
