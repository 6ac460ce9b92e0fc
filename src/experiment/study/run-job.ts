import { aggregations, catalogue } from '../../algorithms/index.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import { commandLine } from '../../scenario/command-line.ts'
import { quoted } from '../../scenario/fields/reading.ts'
import {
  type FieldLocator,
  prepare,
  prepareAggregation,
  type ScenarioInput,
} from '../../scenario/index.ts'
import {
  cycleResultOf,
  factsOf,
  isOver,
  largestDelay,
  observe,
  resultOf,
  simulate,
} from '../../sim/index.ts'
import type { ExperimentJob } from './jobs.ts'
import { type MeasuredRun, measured } from './measures.ts'
import type { ResultRow } from './table.ts'

/** Runs one job: what was measured, and how to run it again if a property did not hold. */
export function runJob({ run, point, repeat, scenario, measures }: ExperimentJob): ResultRow {
  try {
    const outcome = outcomeOf(scenario)
    const { ok } = outcome.result.verdict
    return {
      run,
      point,
      n: outcome.result.n,
      repeat,
      seed: Number(scenario.seed),
      values: measures.map((name) => measured(name, outcome)),
      ok,
      replay: ok ? '' : commandLine('run', String(scenario.algorithm), scenario),
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const at = Object.entries(point).map(([name, value]) => `${name} ${value}`)
    throw error.at(`run ${run}${at.length === 0 ? '' : ` (${at.join(', ')})`}: ${error.where}`)
  }
}

function outcomeOf(scenario: ScenarioInput): MeasuredRun {
  const { algorithm: name, ...given } = scenario
  const where = (field: string) => field
  const aggregation = aggregations.find((one) => one.name === name)
  if (aggregation) {
    const {
      begin,
      topology,
      tolerance,
      scenario: whole,
    } = prepareAggregation(given, aggregation, where)
    const simulation = begin()
    const cycles = [observe(simulation, tolerance, null)]
    for (let cycle = 1, over = false; !over; cycle++) {
      simulation.run()
      over = isOver(simulation, whole.until, whole['max-messages'])
      if (over) simulation.finish()
      cycles.push(observe(simulation, tolerance, cycles[cycle - 1]))
    }
    return {
      result: cycleResultOf(simulation, topology.links, cycles, false),
      announced: 0,
      longest: 1,
      lower: null,
    }
  }
  const algorithm = catalogue.find((one) => one.name === name)
  if (algorithm === undefined) {
    throw new UsageError(
      'algorithm',
      `a name from conclave list is needed, but ${name === undefined ? 'there is none' : `${quoted(name)} was given`}.`,
      'Name one in base or in sweep.',
    )
  }
  return electionOutcome(given, algorithm, where)
}

/** Runs an election to its end. */
export function electionOutcome(given: ScenarioInput, algorithm: Algorithm, where: FieldLocator) {
  const { world, conditions, properties } = prepare(given, algorithm, where)
  const simulation = simulate(world, conditions, properties)
  const result = resultOf(simulation, simulation.finish())
  const announcements = simulation.algorithm.kinds.filter(({ announces }) => announces)
  const announced = announcements.reduce((sum, kind) => sum + result.messages.byType[kind.name], 0)
  const facts = { ...factsOf(world, conditions), leaderId: result.leader?.id ?? null }
  const lower = algorithm.theory.bounds.filter(
    ({ of, kind, when }) => of === 'messages' && kind === 'lower' && (when?.(facts) ?? true),
  )
  return {
    result,
    announced,
    longest: largestDelay(conditions.delay),
    lower: lower.length === 0 ? null : Math.max(...lower.map(({ value }) => value(facts))),
  }
}
