import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Algorithm,
  algorithm,
  flag,
  type GlobalState,
  left,
  message,
  nat,
  type Property,
  type TraceEvent,
} from '../../../src/core/index.ts'
import { electionRun } from '../../../src/scenario/election/election-run.ts'
import { flagged, prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import type { JudgingLimits } from '../../../src/sim/conditions.ts'
import { campaign } from '../../support/campaign.ts'

const TOKEN = message({ hops: nat })

/** Each token goes this far; each node counts those it hears, and loses at the second one. */
const passing = (hops: number) =>
  algorithm({
    name: 'passing',
    needs: { topology: 'ring', ids: 'unique' },
    messages: { TOKEN },
    state: { heard: nat },
    wakes: true,
    elects: 'another',
    start(_, net) {
      net.send(left, TOKEN, { hops })
    },
    on: {
      TOKEN(my, { hops: left_ }, net) {
        my.heard++
        if (my.heard === 2) net.follow(null)
        if (left_ > 1) net.send(left, TOKEN, { hops: left_ - 1 })
      },
    },
  })

/** Node 0 sends one message, and every node takes a note of what the failure detector says. */
const watching = algorithm({
  name: 'watching',
  needs: { topology: 'complete', ids: 'unique', knows: ['liveness'] },
  messages: { TOKEN },
  state: { warned: flag },
  wakes: true,
  lasting: true,
  starters: 'first',
  elects: 'another',
  start(_, net) {
    if (net.links.length > 0) net.send(net.links[0], TOKEN, { hops: 1 })
  },
  on: { TOKEN() {} },
  down(my) {
    my.warned = true
  },
})

/** What is wrong with the numbers that the nodes have heard; null if nothing is. */
interface Condition {
  readonly text: string
  readonly single: boolean
  broken(heard: readonly number[]): string | null
}

const small = fc.integer({ min: 0, max: 5 })
const conditions: fc.Arbitrary<Condition> = fc.oneof(
  small.map((k) => ({
    text: `nobody has heard ${k}`,
    single: true,
    broken: (heard: readonly number[]) => (heard.includes(k) ? `node ${heard.indexOf(k)}` : null),
  })),
  fc.tuple(small, small).map(([p, k]) => ({
    text: `position ${p} has heard at most ${k}`,
    single: true,
    broken: (heard: readonly number[]) =>
      heard[p % heard.length] > k ? `it heard ${heard[p % heard.length]}` : null,
  })),
  small.map((k) => ({
    text: `somebody has heard ${k}`,
    single: false,
    broken: (heard: readonly number[]) => (heard.includes(k) ? null : 'nobody has'),
  })),
  fc.tuple(fc.integer({ min: 2, max: 7 }), small).map(([m, r]) => ({
    text: `the sum is not ${r} modulo ${m}`,
    single: false,
    broken(heard: readonly number[]) {
      const sum = heard.reduce((a, b) => a + b, 0)
      return sum % m === r % m ? `the sum is ${sum}` : null
    },
  })),
)

const WHENS = ['always', 'eventually', 'from some time on', 'at the end'] as const

const properties = fc
  .record({ when: fc.constantFrom(...WHENS), passes: fc.boolean(), condition: conditions })
  .map(({ when, passes, condition }) => {
    const property: Property = {
      name: `${condition.text}, ${when}`,
      when,
      ...(passes && { passes: true }),
      ...(condition.single && { sees: 'single nodes' }),
      broken: (global) => condition.broken(heardIn(global)),
    }
    return { property, condition }
  })

function heardIn(global: GlobalState): number[] {
  return Array.from({ length: global.n }, (_, node) => Number(global.state(node).heard))
}

/** The numbers after each event, from the trace alone. */
function historyOf(events: readonly TraceEvent[], n: number, first: number) {
  const heard = Array<number>(n).fill(0)
  const history = [{ at: first, heard: [...heard] }]
  for (const event of events) {
    if (event.event === 'receive') heard[event.node]++
    history.push({ at: event.at, heard: [...heard] })
  }
  return history
}

/** What a verdict must be, from the numbers after each event. */
function judge(
  { when, passes, name }: Property,
  { broken }: Condition,
  history: ReturnType<typeof historyOf>,
  unit: string,
) {
  const found = history.map(({ at, heard }) => ({ at, detail: broken(heard) }))
  const wrong = found.findIndex(({ detail }) => detail !== null)
  const last = found[found.length - 1]
  if (when === 'at the end')
    return { name, holds: last.detail === null, detail: last.detail ?? name }
  if (when === 'eventually') {
    const holds = found.some(({ detail }) => detail === null)
    return { name, holds, detail: holds ? name : `never in this run: ${last.detail}` }
  }
  if (when === 'always') {
    if (wrong < 0) return { name, holds: true, detail: name }
    const right = found.slice(wrong).find(({ detail }) => detail === null)
    const span = passes ? (right ? ` to ${right.at}` : ' to the end') : ''
    return {
      name,
      holds: false,
      detail: `${unit} ${found[wrong].at}${span}: ${found[wrong].detail}`,
    }
  }
  const holds = last.detail === null
  const turn = found.findLastIndex(({ detail }) => (detail === null) !== holds) + 1
  const at = `since ${unit} ${found[turn].at}`
  return { name, holds, detail: holds ? `stable ${at}` : `${last.detail}, ${at}` }
}

function run(
  definition: Algorithm,
  given: ScenarioInput,
  own: readonly Property[],
  judging: JudgingLimits,
) {
  const events: TraceEvent[] = []
  const trace = (event: TraceEvent) => events.push(event)
  const prepared = prepare(given, definition, flagged)
  const withLimits = {
    ...prepared,
    properties: own,
    conditions: { ...prepared.conditions, judging },
  }
  const traced = electionRun(withLimits, { trace })
  const { verdict } = traced.result(traced.simulation.finish())
  // Without a trace the engine is another one.
  const plain = electionRun(withLimits)
  expect(plain.result(plain.simulation.finish()).verdict).toEqual(verdict)
  return { events, verdicts: verdict.properties }
}

const worlds = fc.record({
  n: fc.integer({ min: 1, max: 9 }),
  hops: fc.integer({ min: 1, max: 12 }),
  timing: fc.constantFrom('async', 'sync'),
  wake: fc.constantFrom('all', '0', '0@3'),
  seed: fc.integer({ min: 1, max: 99 }),
  judged: fc.array(properties, { minLength: 1, maxLength: 4 }),
  offset: fc.constantFrom(-1, 0, 1, 100),
})

describe('own properties of a run', () => {
  it('are judged after each event, in networks of any size', () => {
    fc.assert(
      fc.property(worlds, ({ hops, judged, offset, timing, ...given }) => {
        const delay = timing === 'sync' ? {} : { delay: 'uniform:1:4' }
        const limits = { nodes: given.n + offset, reads: Number.POSITIVE_INFINITY }
        const own = judged.map(({ property }) => property)
        const { events, verdicts } = run(passing(hops), { ...given, timing, ...delay }, own, limits)
        const [first, unit] = timing === 'sync' ? [1, 'round'] : [0, 'time']
        const history = historyOf(events, given.n, first)
        for (const [i, { property, condition }] of judged.entries())
          expect(verdicts[i]).toEqual(judge(property, condition, history, unit))
      }),
      { numRuns: campaign(6000) },
    )
  })

  it('are right, or not decided, if they read more states than they may', () => {
    fc.assert(
      fc.property(worlds, fc.nat(200), ({ hops, judged, offset: _, timing, ...given }, reads) => {
        const own = judged.map(({ property }) => property)
        const { events, verdicts } = run(passing(hops), { ...given, timing }, own, {
          nodes: 0,
          reads,
        })
        const [first, unit] = timing === 'sync' ? [1, 'round'] : [0, 'time']
        const history = historyOf(events, given.n, first)
        for (const [i, { property, condition }] of judged.entries()) {
          const exact = judge(property, condition, history, unit)
          const { holds, detail } = verdicts[i]
          if (holds !== null) expect(holds).toBe(exact.holds)
          if (!/reads too many states|to an unknown time/.test(detail))
            expect(verdicts[i]).toEqual(exact)
        }
      }),
      { numRuns: campaign(6000) },
    )
  })

  it.each([999, 1000, 1001, 5000])('have the same verdicts and times at n = %i', (n) => {
    const untouched = (when: Property['when'], wanted: boolean): Property => ({
      name: `${when} ${wanted}`,
      when,
      broken(global) {
        for (let node = 0; node < n; node++)
          if ((global.state(node).heard === 0) !== wanted) return `node ${node}`
        return null
      },
    })
    const own = WHENS.flatMap((when) => [untouched(when, true), untouched(when, false)])
    const prepared = prepare({ n, delay: 'uniform:1:4' }, passing(1), flagged)
    const events: TraceEvent[] = []
    const { simulation, result } = electionRun(
      { ...prepared, properties: own },
      { trace: (event) => events.push(event) },
    )
    const { verdict } = result(simulation.finish())
    const received = events.filter(({ event }) => event === 'receive')
    const heard = new Set<number>()
    const all = received.find(({ node }) => heard.add(node).size === n)!
    expect(verdict.properties.map(({ holds, detail }) => [holds, detail])).toEqual([
      [false, `time ${received[0].at}: node ${received[0].node}`],
      [false, 'time 0: node 0'],
      [true, 'eventually true'],
      [true, 'eventually false'],
      [false, `node 0, since time ${received[0].at}`],
      [true, `stable since time ${all.at}`],
      [false, 'node 0'],
      [true, 'at the end false'],
    ])
  })

  it('have the time at which a report of the failure detector changes a state', () => {
    const calm: Property = {
      name: 'calm',
      when: 'always',
      broken(global) {
        const nodes = Array.from({ length: global.n }, (_, node) => node)
        return nodes.some((node) => global.state(node).warned === true) ? 'warned' : null
      },
    }
    const given = { n: 5, wake: 'all', crash: '3@1', detect: 5, delay: 'constant:20' }
    const { verdicts } = run(watching, given, [calm], { nodes: 1000, reads: 0 })
    expect(verdicts[0].detail).toBe('time 6: warned')
  })
})
