import type { Aggregation } from '../../../src/algorithms/index.ts'
import { type Algorithm, UsageError } from '../../../src/core/index.ts'
import { prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import { aggregationCycles, simulationOf } from '../../../src/sim/index.ts'
import { MOST_STEPS, SLICE } from '../recording/recorder.ts'
import type { Session, SessionReply } from './protocol.ts'

/** Writes the events of an election as lines of JSON, the scenario first. */
export function* electionTrace(
  given: ScenarioInput,
  algorithm: Algorithm,
  reply: SessionReply,
): Session {
  const { scenario, world, conditions, properties } = prepare(given, algorithm, String)
  const lines = linesFrom(scenario)
  const trace = (event: object) => lines.push(JSON.stringify(event))
  const simulation = simulationOf(world, conditions, properties, { trace })
  while (simulation.run(SLICE) === null && lines.length < MOST_STEPS) yield
  reply({ what: 'trace', text: textOf(lines) })
}

/** The same for an aggregation by messages; cycles have no events. */
export function* aggregationTrace(
  given: ScenarioInput,
  aggregation: Aggregation,
  reply: SessionReply,
): Session {
  const { scenario, begin } = prepare(given, aggregation, String)
  if (scenario.timing === 'cycles')
    throw new UsageError(
      'timing',
      `events belong to runs with messages in flight, but ${scenario.algorithm} runs in cycles.`,
      'Use async.',
    )
  const lines = linesFrom(scenario)
  const gossip = begin({ trace: (event) => lines.push(JSON.stringify(event)) })
  for (const _ of aggregationCycles(gossip, scenario)) {
    yield
    if (lines.length >= MOST_STEPS) break
  }
  reply({ what: 'trace', text: textOf(lines) })
}

function linesFrom(scenario: object): string[] {
  return [JSON.stringify({ event: 'scenario', scenario })]
}

function textOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}
