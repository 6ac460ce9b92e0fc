import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import { UsageError } from '../../../src/core/index.ts'
import { fork, forkAggregation } from '../../../src/scenario/index.ts'
import { aggregationSession } from './aggregation-session.ts'
import { electionEntry, offer } from './algorithm-settings.ts'
import { electionSession } from './election-session.ts'
import { ownAlgorithm } from './own-code.ts'
import type { EngineQuestion, Request, Session } from './protocol.ts'
import { answer, tell } from './reply.ts'
import { aggregationTrace, electionTrace } from './trace-session.ts'
import { aggregationWorld, electionWorld } from './world-session.ts'

self.onmessage = ({ data }: MessageEvent<Request | EngineQuestion>) => {
  if (data.want === 'offer') tell({ what: 'offer', offer: offer() })
  else void answer(data, () => sessionOf(data))
}

const SESSIONS = {
  run: electionSession,
  trace: electionTrace,
  world: electionWorld,
}

const AGGREGATIONS = {
  run: aggregationSession,
  trace: aggregationTrace,
  world: aggregationWorld,
}

function sessionOf({ scenario, code, intervention, want }: Request): Session {
  const { algorithm: name } = scenario
  const aggregation = aggregations.find((one) => one.name === name)
  if (aggregation && code === null) {
    const session = AGGREGATIONS[want]
    const changed = intervention ? forkAggregation(scenario, aggregation, intervention) : scenario
    return session({ ...changed }, aggregation, tell)
  }
  const algorithm = code ? ownAlgorithm(code) : catalogue.find((one) => one.name === name)
  if (algorithm) {
    if (code !== null) tell({ what: 'own', subject: electionEntry(algorithm) })
    const session = SESSIONS[want]
    const changed = intervention ? fork(scenario, algorithm, intervention) : scenario
    return session({ ...changed }, algorithm, tell)
  }
  throw new UsageError(
    'algorithm',
    `a name of the catalogue is needed, but ${JSON.stringify(name)} was given.`,
    'Pick one.',
  )
}
