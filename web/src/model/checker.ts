import ExplorerWorker from '../engine/checker-worker.ts?worker&inline'
import type { CheckRequest, CounterexampleRequest, EngineAnswer } from '../engine/protocol.ts'
import { askEngine } from './engine.ts'

/** Asks the worker that explores. It is large: whoever needs it fetches this file then. */
export function askExplorer(
  request: CheckRequest | CounterexampleRequest,
): AsyncGenerator<EngineAnswer> {
  return askEngine(request, new ExplorerWorker())
}
