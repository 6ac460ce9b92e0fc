import { UsageError } from '../../../src/core/index.ts'
import { lineOf } from './own-code.ts'
import type { EngineAnswer, Request, Session } from './protocol.ts'

export function reply(answer: EngineAnswer): void {
  self.postMessage(answer)
}

/** Runs a session to its end with pauses for other messages; replies with its errors. */
export async function runSession(
  request: Pick<Request, 'code'>,
  sessionOf: () => Session,
): Promise<void> {
  try {
    const session = sessionOf()
    while (!session.next().done) await new Promise((resolve) => setTimeout(resolve))
  } catch (error) {
    const line = request.code === null ? null : lineOf(error)
    const usage = error instanceof UsageError
    // A mistake in own code belongs to its line, any other to a field of the scenario.
    if (usage && line === null)
      reply({ what: 'refused', message: error.message, field: error.where })
    else if (request.code !== null)
      reply({ what: 'failed', message: usage ? error.message : String(error), line })
    else throw error
  }
}
