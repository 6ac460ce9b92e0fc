import { UsageError } from '../../../src/core/index.ts'
import { lineOf } from './own-code.ts'
import type { EngineAnswer, Request, Session } from './protocol.ts'

export function tell(answer: EngineAnswer): void {
  self.postMessage(answer)
}

/** Lets a session go on to its end, with turns for others; what goes wrong is told too. */
export async function answer(
  request: Pick<Request, 'code'>,
  sessionOf: () => Session,
): Promise<void> {
  try {
    const session = sessionOf()
    while (!session.next().done) await new Promise((resolve) => setTimeout(resolve))
  } catch (error) {
    if (error instanceof UsageError)
      tell({ what: 'refused', message: error.message, field: error.where })
    else if (request.code !== null)
      tell({ what: 'failed', message: String(error), line: lineOf(error) })
    else throw error
  }
}
