import { definitionNamed, isAggregation } from '../../../src/algorithms/index.ts'
import { fork } from '../../../src/scenario/index.ts'
import { electionEntry, gossipEntry, offer } from './algorithm-settings.ts'
import { ownDefinition } from './own-code.ts'
import type { EngineQuestion, Request, Session } from './protocol.ts'
import { reply, runSession } from './reply.ts'
import {
  aggregationSession,
  aggregationWorld,
  electionSession,
  electionWorld,
} from './run-session.ts'
import { aggregationTrace, electionTrace } from './trace-session.ts'

self.onmessage = ({ data }: MessageEvent<Request | EngineQuestion>) => {
  if (data.want === 'offer') reply({ what: 'offer', offer: offer() })
  else void runSession(data, () => sessionOf(data))
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
  const what = code === null ? definitionNamed(scenario.algorithm) : ownDefinition(code)
  if (isAggregation(what)) {
    if (code !== null) reply({ what: 'own', entry: gossipEntry(what) })
    const changed = intervention ? fork(scenario, what, intervention) : scenario
    return AGGREGATIONS[want]({ ...changed }, what, reply)
  }
  if (code !== null) reply({ what: 'own', entry: electionEntry(what) })
  const changed = intervention ? fork(scenario, what, intervention) : scenario
  return SESSIONS[want]({ ...changed }, what, reply)
}
