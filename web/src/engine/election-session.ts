import type { Algorithm } from '../../../src/core/index.ts'
import { prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import { type RunEnd, resultOf, type Simulation, simulate } from '../../../src/sim/index.ts'
import { ColumnRecorder, FIRST_SLICE, MOST_STEPS, SLICE } from '../recording/recorder.ts'
import type { Session, Tell } from './protocol.ts'
import { factsUnder } from './world-facts.ts'

/** Simulates an election, slice by slice. */
export function* electionSession(
  scenario: ScenarioInput,
  algorithm: Algorithm,
  tell: Tell,
): Session {
  const { world, conditions, properties, scenario: whole } = prepare(scenario, algorithm, String)
  tell({
    what: 'begun',
    scenario: whole,
    world: factsUnder(world, conditions),
  })
  let simulation: Simulation
  const scribe = new ColumnRecorder(() => simulation)
  simulation = simulate(world, conditions, properties, { trace: (event) => scribe.record(event) })
  let ending: RunEnd | null = null
  let slice = FIRST_SLICE
  while (ending === null && scribe.steps < MOST_STEPS) {
    ending = simulation.run(slice)
    slice = Math.min(SLICE, 2 * slice)
    scribe.closeStep()
    tell({ what: 'chunk', chunk: scribe.take() })
    yield
  }
  tell({ what: 'ended', result: resultOf(simulation, ending ?? 'limit'), cut: ending === null })
}
