import { type Aggregation, isAggregation } from '../../../src/algorithms/index.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import { fork } from '../../../src/scenario/index.ts'
import { electionEntry, gossipEntry } from './algorithm-settings.ts'
import type { Request, Session, SessionReply } from './protocol.ts'
import {
  aggregationSession,
  aggregationWorld,
  electionSession,
  electionWorld,
  refuseTooLarge,
} from './run-session.ts'
import { aggregationTrace, electionTrace } from './trace-session.ts'

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

/** The session that a request about this definition asks for. */
export function sessionOf(
  what: Algorithm | Aggregation,
  { scenario, code, intervention, want }: Request,
  reply: SessionReply,
): Session {
  refuseTooLarge(scenario)
  if (isAggregation(what)) {
    if (code !== null) reply({ what: 'own', entry: gossipEntry(what) })
    const changed = intervention ? fork(scenario, what, intervention) : scenario
    return AGGREGATIONS[want]({ ...changed }, what, reply)
  }
  if (code !== null) reply({ what: 'own', entry: electionEntry(what) })
  const changed = intervention ? fork(scenario, what, intervention) : scenario
  return SESSIONS[want]({ ...changed }, what, reply)
}
