import { describe, expect, it } from 'vitest'
import { aggregations, byMessages, catalogue, leased } from '../../../src/algorithms/index.ts'
import { type Algorithm, Random, type TraceEvent } from '../../../src/core/index.ts'
import { DisplayRecorder } from '../../../src/core/trace/display-recorder.ts'
import { displayFacts, showsSomething } from '../../../src/core/trace/node-display.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { resultOf, simulationOf } from '../../../src/sim/index.ts'
import { possibleSize, preparation } from '../../support/random-worlds.ts'

const bully = catalogue.find(({ name }) => name === 'bully')!
const elections = [...catalogue, leased(bully)].map((one) => [one.name, one] as const)

/** The same algorithm with nothing to show. */
function stripped(algorithm: Algorithm): Algorithm {
  const { display: _, ...rest } = algorithm
  return {
    ...rest,
    display: null,
    meetReason: null,
    kinds: algorithm.kinds.map((kind) => ({ ...kind, reason: null, seen: null, decides: null })),
    timers: algorithm.timers.map((timer) => ({ ...timer, reason: null, seen: null })),
  }
}

const GRAPHS = ['grid:2x3', 'star:5', 'path:4', 'complete:4', 'random:7:0.5']

/** A small world for an algorithm, with faults in every second one. */
function scenarioFor({ needs, lasting, quiet, meet }: Algorithm, seed: number): ScenarioInput {
  const random = Random.from(seed).split('displays')
  const n = possibleSize({ needs }, 3 + random.below(5))
  const faulty = seed % 2 === 1 && needs.time !== 'rounds'
  const node = random.below(n)
  return {
    ...(needs.topology === 'any' ? { topology: GRAPHS[seed % GRAPHS.length] } : { n }),
    seed,
    ...(seed % 3 === 0 && needs.time === undefined && !meet && { delay: 'uniform:1:3' }),
    ...(seed % 5 === 0 && needs.ids === 'unique' && needs.start === undefined && { wake: '0' }),
    ...(faulty &&
      lasting &&
      needs.topology !== 'any' && { crash: `${node}@9`, recover: `${node}@40` }),
    ...(faulty && quiet === null && !lasting && { loss: 0.05 }),
    ...(quiet === 'never' && { until: 90 }),
  }
}

/** What handlers do; all other events are what they react to. */
const ACTIONS: readonly string[] = 'send lose double lead follow stop withdraw'.split(' ')

/** Runs a scenario, with or without what is shown. */
function observed(algorithm: Algorithm, given: ScenarioInput, shows: boolean) {
  const { world, conditions, properties } = preparation(algorithm, given)
  const own = shows ? world : { ...world, algorithm: stripped(world.algorithm) }
  const events: TraceEvent[] = []
  const steps: { event: TraceEvent; reason: string | null; display: unknown }[] = []
  let simulation: ReturnType<typeof simulationOf> | undefined
  const recorder = new DisplayRecorder(() => simulation)
  const close = () => {
    const { node } = steps.at(-1)!.event
    steps.at(-1)!.reason = recorder.takeReason()
    steps.at(-1)!.display = recorder.display(node, simulation!.states.of(node))
  }
  const trace = (event: TraceEvent) => {
    events.push(event)
    if (!shows || simulation === undefined || ACTIONS.includes(event.event)) return
    if (steps.length > 0) close()
    recorder.record(event)
    steps.push({ event, reason: null, display: null })
  }
  const handling = shows ? { handling: recorder } : {}
  simulation = simulationOf(own, conditions, properties, { trace, ...handling, spoilBodies: true })
  const result = resultOf(simulation, simulation.finish())
  if (steps.length > 0) close()
  const { bounds: _, ...rest } = result
  return { events, steps, result: rest, problems: [...recorder.problems] }
}

describe.each(elections)('what is shown of %s', (_, algorithm) => {
  const runs = Array.from({ length: 6 }, (_, seed) => {
    const given = scenarioFor(algorithm, seed)
    return [observed(algorithm, given, true), observed(algorithm, given, false)] as const
  })

  it('is there', () => {
    expect(algorithm.display).not.toBeNull()
    expect(showsSomething(algorithm)).toBe(true)
    expect(showsSomething(stripped(algorithm))).toBe(false)
    const { decides: __, ...facts } = displayFacts(algorithm)
    const shown = runs.flatMap(([{ steps }]) =>
      steps.flatMap(({ display }) => Object.keys(display!)),
    )
    for (const word of Object.keys(facts)) expect(shown, word).toContain(word)
  })

  it('changes no event and no result, and throws nothing', () => {
    for (const [shown, plainly] of runs) {
      expect(shown.problems).toEqual([])
      expect(shown.events).toEqual(plainly.events)
      expect(shown.result).toEqual(plainly.result)
    }
  })

  it('has a reason for each message that is handled, in one line without its subject', () => {
    for (const [{ steps }] of runs)
      for (const { event, reason } of steps) {
        if (event.event !== 'receive' || event.ignored) continue
        expect(reason, JSON.stringify(event)).toMatch(/^[a-z][^\n]{3,180}[^.]$/)
        expect(reason).not.toMatch(/undefined|null|NaN|\[object/)
      }
  })
})

it('a reason that writes to a message changes no run', () => {
  const spoiling = {
    ...bully,
    kinds: bully.kinds.map((kind) => ({
      ...kind,
      reason(_: unknown, body: Record<string, unknown>) {
        for (const name of Object.keys(body)) body[name] = 0
        return 'spoils it'
      },
    })),
  } as Algorithm
  const given = { topology: 'complete:5', wake: '0' }
  const [spoilt, sound] = [spoiling, bully].map((one) => observed(one, given, true))
  expect(spoilt.steps.some(({ reason }) => reason === 'spoils it')).toBe(true)
  expect(spoilt.events).toEqual(sound.events)
})

it('aggregations have reasons', () => {
  for (const aggregation of aggregations) expect(showsSomething(byMessages(aggregation))).toBe(true)
})
