import type { CheckerRequest } from '../engine/checker/protocol.ts'
import type { CoverageRequest, EngineAnswer, GrowthRequest, Request } from '../engine/protocol.ts'
import RingWorker from '../engine/ring-worker.ts?worker'
import EngineWorker from '../engine/worker.ts?worker'

/**
 * Milliseconds of silence after which own code is stopped. Its loops stop by themselves long
 * before; this is for what they cannot see.
 */
const PATIENCE = 15_000

/** The last answer of a worker is one of these. */
const LAST: ReadonlySet<EngineAnswer['what']> = new Set([
  'ended',
  'trace',
  'covered',
  'world',
  'explored',
  'proved',
  'estimated',
  'replayed',
  'refused',
  'failed',
])

/** A page in one file has the whole engine only; any other begins with a small part of it. */
let whole = import.meta.url.startsWith('data:')

type AnyRequest = Request | GrowthRequest | CoverageRequest | CheckerRequest

/** Sends a request to a new worker; returns a function that ends it early. */
export function startEngine(
  request: AnyRequest,
  take: (answer: EngineAnswer) => void,
  worker: Worker = workerFor(request),
): () => void {
  let silence: ReturnType<typeof setTimeout> | undefined
  let end = () => {
    clearTimeout(silence)
    worker.terminate()
  }
  const listen = () => {
    clearTimeout(silence)
    // A proof is silent until its end, and can be stopped.
    if (request.code === null || request.want === 'prove') return
    silence = setTimeout(() => {
      end()
      take({
        what: 'failed',
        message: 'A handler did not come to an end: it was stopped.',
        line: null,
      })
    }, PATIENCE)
  }
  worker.onmessage = ({ data }: MessageEvent<EngineAnswer>) => {
    if (data.what === 'elsewhere') {
      end()
      whole = true
      end = startEngine(request, take)
      return
    }
    listen()
    take(data)
    if (LAST.has(data.what)) end()
  }
  worker.onerror = ({ message }) => {
    end()
    take({ what: 'refused', message, field: null })
  }
  worker.postMessage(request)
  listen()
  return () => end()
}

/** A first run of an algorithm of the catalogue may be a ring, for which a small worker will do. */
function workerFor(request: AnyRequest): Worker {
  const first = request.want === 'run' && request.code === null && request.intervention === null
  if (!whole && first) return new RingWorker()
  whole = true
  return new EngineWorker()
}

/** The same as a sequence of answers, up to the last one. */
export async function* askEngine(
  request: AnyRequest,
  worker?: Worker,
): AsyncGenerator<EngineAnswer> {
  const answers: EngineAnswer[] = []
  let wake = () => {}
  const end = startEngine(
    request,
    (answer) => {
      answers.push(answer)
      wake()
    },
    worker,
  )
  try {
    for (;;) {
      const answer = answers.shift()
      if (answer === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      yield answer
      if (LAST.has(answer.what)) return
    }
  } finally {
    end()
  }
}
