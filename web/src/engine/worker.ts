import { definitionNamed, isAggregation } from '../../../src/algorithms/index.ts'
import { fork } from '../../../src/scenario/index.ts'
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
  const what = code === null ? definitionNamed(scenario.algorithm) : ownAlgorithm(code)
  if (isAggregation(what)) {
    const changed = intervention ? fork(scenario, what, intervention) : scenario
    return AGGREGATIONS[want]({ ...changed }, what, tell)
  }
  if (code !== null) tell({ what: 'own', subject: electionEntry(what) })
  const changed = intervention ? fork(scenario, what, intervention) : scenario
  return SESSIONS[want]({ ...changed }, what, tell)
}
