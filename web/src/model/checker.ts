import ExplorerWorker from '../engine/checker-worker.ts?worker&inline'
import type { CheckRequest, CounterexampleRequest, EngineAnswer } from '../engine/protocol.ts'
import { askEngine } from './engine.ts'

/** Asks the worker of the checker. It is large: import this file on use. */
export function askChecker(
  request: CheckRequest | CounterexampleRequest,
): AsyncGenerator<EngineAnswer> {
  return askEngine(request, new ExplorerWorker())
}
