import type { Aggregation } from '../../../src/algorithms/index.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import {
  forkedRun,
  type PreparedRun,
  prepare,
  type ScenarioInput,
} from '../../../src/scenario/index.ts'
import { CycleRecorder } from '../recording/cycle-recorder.ts'
import { definitionEntry } from './algorithm-settings.ts'
import type { Request, Session, SessionReply } from './protocol.ts'
import {
  recordedEvents,
  refuseTooLarge,
  simulationSession,
  traceSession,
  worldSession,
} from './run-session.ts'

const SESSIONS = {
  run: (prepared: PreparedRun, reply: SessionReply) =>
    simulationSession(prepared, recordedRun(prepared), reply),
  trace: traceSession,
  world: worldSession,
}

/** The session that a request about this definition asks for. */
export function sessionOf(
  what: Algorithm | Aggregation,
  request: Request,
  reply: SessionReply,
): Session {
  const { scenario, code, want } = request
  refuseTooLarge(scenario)
  if (code !== null) reply({ what: 'own', entry: definitionEntry(what) })
  return sessionIn(() => preparedFor(request, what), SESSIONS[want], reply)
}

/** The run of a request, with its change. */
export function preparedFor(
  { scenario, intervention, seen }: Pick<Request, 'scenario' | 'intervention' | 'seen'>,
  what: Algorithm | Aggregation,
): PreparedRun {
  return intervention
    ? forkedRun(scenario, what, intervention, { seen })
    : prepare({ ...scenario }, what, String)
}

/** Prepares in the first part of the session: the page has sent its other messages by then. */
function* sessionIn(
  prepared: () => PreparedRun,
  session: (prepared: PreparedRun, reply: SessionReply) => Session,
  reply: SessionReply,
): Session {
  yield* session(prepared(), reply)
}

/** Simulates a scenario and replies with its recording. */
export function recordingSession(
  scenario: ScenarioInput,
  what: Algorithm | Aggregation,
  reply: SessionReply,
): Session {
  return SESSIONS.run(prepare(scenario, what, String), reply)
}

/** Where nothing is sent there are no events, and cycles are recorded. */
function recordedRun(prepared: PreparedRun) {
  const messages = prepared.messages()
  if (messages !== null) return recordedEvents(prepared, messages)
  const run = prepared.run()
  return { run, recorder: new CycleRecorder(run.gossip!) }
}
