import { UsageError } from '../../core/index.ts'
import type { MessageOverride } from '../../sim/index.ts'
import { integer, quoted } from '../fields/reading.ts'
import { momentOf, type TimeUnit } from '../fields/schedule-text.ts'

/** What is done to single messages: `drop:17`, `drop:17@5.5` or `arrive:17@4.5`, in a list. */
export function overridesOf(where: string, plan: string, clock: TimeUnit): MessageOverride[] {
  if (plan === 'none') return []
  const tampers = plan.split(',').map((entry) => tamperOf(where, entry.trim(), clock))
  const names = tampers.map(({ what, message }) => `${what}:${message}`)
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice === undefined) return tampers
  throw new UsageError(
    where,
    `a message is lost once and arrives once, but ${twice} is there twice.`,
    'Leave one out.',
  )
}

function tamperOf(where: string, entry: string, clock: TimeUnit): MessageOverride {
  const [, what, message, time] = /^(drop|arrive):(\d+)(?:@(.*))?$/.exec(entry) ?? []
  if (what === undefined || (what === 'arrive' && time === undefined)) {
    throw new UsageError(
      where,
      `something like drop:17, drop:17@5.5 or arrive:17@4.5 is needed, but ${quoted(entry)} was given.`,
      'The number is that of the message in the trace; the time comes after the @.',
    ).withCandidates(entry, ['drop', 'arrive'])
  }
  return {
    what: what as MessageOverride['what'],
    message: integer(where, message, 0, Number.MAX_SAFE_INTEGER, 'the number of a message'),
    // Whatever is lost before it is sent is lost as it is sent.
    at: time === undefined ? -1 : momentOf(where, time, clock),
  }
}
