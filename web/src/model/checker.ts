import type { CheckerAnswer, CheckerRequest } from '../engine/checker/protocol.ts'
import CheckerWorker from '../engine/checker/worker.ts?worker'
import type { EngineAnswer } from '../engine/protocol.ts'
import { askEngine, startEngine } from './engine.ts'

/** Asks a new worker of the checker. It is large: import this file on use. */
export function askChecker(request: CheckerRequest): AsyncGenerator<EngineAnswer> {
  return askEngine(request, new CheckerWorker())
}

/** The same by a callback; returns a function that ends it early. */
export function startChecker(
  request: CheckerRequest,
  take: (answer: EngineAnswer) => void,
): () => void {
  return startEngine(request, take, new CheckerWorker())
}

/** What a worker that stays answers at once. */
type Immediate = Extract<CheckerRequest, { want: 'walk' | 'graph' | 'simulate' }>
type Answered = CheckerAnswer | Extract<EngineAnswer, { what: 'failed' | 'refused' }>

let worker: Worker | null = null
let last: Promise<unknown> = Promise.resolve()

/** Asks the worker that keeps the walk; one request after another. */
export function askWalk(request: Immediate): Promise<Answered> {
  const answer = last.then(() => answered(request))
  last = answer
  return answer
}

function answered(request: Immediate): Promise<Answered> {
  worker ??= new CheckerWorker()
  const asked = worker
  return new Promise((resolve) => {
    asked.onmessage = ({ data }: MessageEvent<Answered>) => resolve(data)
    asked.onerror = ({ message }) => {
      asked.terminate()
      worker = null
      resolve({ what: 'refused', message, field: null })
    }
    asked.postMessage(request)
  })
}
