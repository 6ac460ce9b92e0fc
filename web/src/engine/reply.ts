import { ENDLESS_LOOP, LOOP_SECONDS } from '../../../src/compiler/loop-guard.ts'
import { UsageError } from '../../../src/core/index.ts'
import type { EngineAnswer, Request, Session } from './protocol.ts'

/** The name of own code in the stack of an error. */
export const OWN_NAME = 'own-definition.js'
/** Lines that the JavaScript engine puts before the body of a function. */
const HEADING = 2

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
    else if (request.code !== null) reply(loopFailure(error) ?? failure(error, line))
    else throw error
  }
}

function failure(error: unknown, line: number | null): EngineAnswer {
  const message = error instanceof UsageError ? error.message : String(error)
  return { what: 'failed', message, line }
}

/** A loop without end that the guard has stopped, with its line; null for other errors. */
function loopFailure(error: unknown): EngineAnswer | null {
  // The error of a handler has the place of the handler, and what it threw as its cause.
  const thrown = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { name, loop } = thrown as { name?: string; loop?: { readonly line: number } }
  if (name !== ENDLESS_LOOP || loop === undefined) return null
  const message = `This loop did not come to an end within ${LOOP_SECONDS} s: it was stopped.`
  return { what: 'failed', message, line: null, sourceLine: loop.line }
}

/** The line of the compiled own code that threw an error, from 0; null for other errors. */
function lineOf(error: unknown): number | null {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const [, line] = new RegExp(`${OWN_NAME}:(\\d+):`).exec(stack) ?? []
  return line === undefined ? null : Number(line) - 1 - HEADING
}
