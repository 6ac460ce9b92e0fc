import type { Aggregation } from '../../../src/algorithms/index.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import { type Given, prepare, prepareAggregation } from '../../../src/scenario/index.ts'
import type { Session, Tell } from './protocol.ts'
import { cycleFacts, factsOf } from './world-facts.ts'

/** Tells of a scenario only in what world it happens. */
export function* electionWorld(given: Given, algorithm: Algorithm, tell: Tell): Session {
  const { world, conditions } = prepare(given, algorithm, String)
  yield tell({ what: 'world', world: factsOf(world, conditions.synchronous ? 'round' : 'time') })
}

/** The same for an aggregation, by messages or in cycles. */
export function* aggregationWorld(given: Given, aggregation: Aggregation, tell: Tell): Session {
  const { topology, ...preparation } = prepareAggregation(given, aggregation, String)
  const { world } = preparation.world?.() ?? {}
  yield tell({
    what: 'world',
    world: world ? factsOf(world, 'time') : cycleFacts(aggregation, topology),
  })
}
