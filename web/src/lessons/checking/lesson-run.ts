import { definitionNamed } from '../../../../src/algorithms/index.ts'
import type { Intervention, ScenarioInput } from '../../../../src/scenario/index.ts'
import { derivedSettings } from '../../checker/check-settings.ts'
import { definitionEntry } from '../../engine/algorithm-settings.ts'
import { exploreSession } from '../../engine/checker/explore-session.ts'
import { proveSession } from '../../engine/checker/prove-session.ts'
import type { EngineAnswer } from '../../engine/protocol.ts'
import { sessionOf } from '../../engine/sessions.ts'
import { RunLog } from '../../recording/run-log.ts'
import type { CheckFigures, LessonRun } from './quantities.ts'

const STATES = 300_000

/** Runs a scenario for tests, with changes one after another, as the picture makes them. */
export function lessonRun(
  scenario: ScenarioInput,
  changes: readonly Intervention[] = [],
): LessonRun {
  const definition = definitionNamed(scenario.algorithm)
  let { whole, run } = simulated(scenario, null)
  for (const change of changes) ({ whole, run } = simulated(whole, change))
  return {
    ...run,
    algorithm: definition.name,
    announces: definitionEntry(definition).announces,
    changes: changes.length,
  }
}

function simulated(scenario: ScenarioInput, intervention: Intervention | null) {
  let log: RunLog | undefined
  let whole: ScenarioInput = scenario
  let result: LessonRun['result'] | undefined
  const reply = (answer: EngineAnswer) => {
    if (answer.what === 'begun') {
      log = new RunLog(answer.world)
      whole = { ...answer.scenario }
    }
    if (answer.what === 'chunk') log!.append(answer.chunk)
    if (answer.what === 'ended') result = answer.result
  }
  const request = { scenario, code: null, intervention, want: 'run' } as const
  const session = sessionOf(definitionNamed(scenario.algorithm), request, reply)
  while (!session.next().done);
  return { whole, run: { log: log!, result: result! } }
}

/** What the checker of the page finds about a scenario. */
export function lessonCheck(scenario: ScenarioInput): CheckFigures {
  const definition = definitionNamed(scenario.algorithm)
  const { whole, run } = simulated(scenario, null)
  const { n, kind } = run.log.world
  const { checked, time } = definitionEntry(definition)
  const { settings } = derivedSettings({
    algorithm: definition.name,
    fields: scenario,
    n,
    ring: kind === 'ring',
    timing: String(whole.timing),
    time,
    checked,
  })
  let figures: CheckFigures | null = null
  const request = { want: 'explore', settings, code: null, states: STATES, worst: null } as const
  const session = exploreSession(definition, request, (answer) => {
    if (answer.what !== 'explored') return
    const { states, violated } = answer.result
    figures = { states, counterexample: violated !== null, worst: null, proved: null }
  })
  while (!session.next().done);
  return figures!
}

/** Whether the page proves the algorithm of a scenario from these clauses. */
export function lessonProof(scenario: ScenarioInput, only: readonly string[]): CheckFigures {
  let proved = false
  const definition = definitionNamed(scenario.algorithm)
  const session = proveSession(definition, { clauses: { only }, code: null }, (answer) => {
    proved = answer.what === 'proved' && answer.proof.verdict === 'proved'
  })
  while (!session.next().done);
  return { states: null, counterexample: null, worst: null, proved }
}
