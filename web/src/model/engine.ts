import type {
  CheckRequest,
  CounterexampleRequest,
  EngineAnswer,
  Request,
} from '../engine/protocol.ts'
import EngineWorker from '../engine/worker.ts?worker&inline'

/** Milliseconds of silence after which own code is taken to be in an endless loop. */
const PATIENCE = 8000

/** The last answer of a worker is one of these. */
const LAST: ReadonlySet<EngineAnswer['what']> = new Set([
  'ended',
  'trace',
  'world',
  'explored',
  'replayed',
  'refused',
  'failed',
])

/** Sends a request to a new worker; returns a function that ends it early. */
export function startEngine(
  request: Request | CheckRequest | CounterexampleRequest,
  take: (answer: EngineAnswer) => void,
  worker: Worker = new EngineWorker(),
): () => void {
  let silence: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(silence)
    worker.terminate()
  }
  const listen = () => {
    clearTimeout(silence)
    if (request.code === null) return
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
  return end
}

/** The same as a sequence of answers, up to the last one. */
export async function* askEngine(
  request: Request | CheckRequest | CounterexampleRequest,
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
