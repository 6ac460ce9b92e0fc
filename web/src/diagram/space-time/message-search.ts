import { messageText } from '../../../../src/core/trace/event-words.ts'
import type { RunLog } from '../../recording/run-log.ts'

/** The text of a message that is searched: `probe(id 8, hops 2)`. */
function flightText(log: RunLog, flight: number): string {
  const { type, body } = log.event(log.sending.at(flight))
  return messageText({ type, body: body === '' ? {} : JSON.parse(body) })
}

/**
 * The messages whose text contains every word that is searched for; null where nothing is searched
 * for. Messages with the same type and content share their text, so it is made once.
 */
export function messagesWith(log: RunLog, search: string): ReadonlySet<number> | null {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return null
  const known = new Map<string, boolean>()
  const found = new Set<number>()
  for (let flight = 0; flight < log.sending.length; flight++) {
    const event = log.sending.at(flight)
    const key = `${log.type.at(event)} ${log.body.at(event)}`
    let matches = known.get(key)
    if (matches === undefined) {
      const text = flightText(log, flight).toLowerCase()
      matches = words.every((word) => text.includes(word))
      known.set(key, matches)
    }
    if (matches) found.add(flight)
  }
  return found
}

/** The next message found that is sent after a step, or the first one; null where there is none. */
export function nextFound(log: RunLog, found: ReadonlySet<number>, step: number): number | null {
  let first: number | null = null
  for (const flight of found) {
    if (log.sentIn.at(flight) >= step) return flight
    first ??= flight
  }
  return first
}
