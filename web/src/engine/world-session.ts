import type { Aggregation } from '../../../src/algorithms/index.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import { prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import type { Session, Tell } from './protocol.ts'
import { cycleFacts, factsUnder } from './world-facts.ts'

/** Tells of a scenario only in what world it happens. */
export function* electionWorld(given: ScenarioInput, algorithm: Algorithm, tell: Tell): Session {
  const { world, conditions } = prepare(given, algorithm, String)
  yield tell({ what: 'world', world: factsUnder(world, conditions) })
}

/** The same for an aggregation, by messages or in cycles. */
export function* aggregationWorld(
  given: ScenarioInput,
  aggregation: Aggregation,
  tell: Tell,
): Session {
  const { topology, ...preparation } = prepare(given, aggregation, String)
  const { world, conditions } = preparation.world?.() ?? {}
  yield tell({
    what: 'world',
    world: world && conditions ? factsUnder(world, conditions) : cycleFacts(aggregation, topology),
  })
}
