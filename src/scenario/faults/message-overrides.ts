import { Complaint } from '../../core/index.ts'
import type { Tamper } from '../../sim/index.ts'
import { integer, quoted } from '../fields/reading.ts'
import { type Clock, momentOf } from '../fields/schedule-text.ts'

/** What is done to single messages: `drop:17`, `drop:17@5.5` or `arrive:17@4.5`, in a list. */
export function tampersOf(where: string, plan: string, clock: Clock): Tamper[] {
  if (plan === 'none') return []
  const tampers = plan.split(',').map((entry) => tamperOf(where, entry.trim(), clock))
  const names = tampers.map(({ what, message }) => `${what}:${message}`)
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice === undefined) return tampers
  throw new Complaint(
    where,
    'a message is lost once and arrives once',
    `${twice} is there twice`,
    'Leave one out.',
  )
}

function tamperOf(where: string, entry: string, clock: Clock): Tamper {
  const [, what, message, time] = /^(drop|arrive):(\d+)(?:@(.*))?$/.exec(entry) ?? []
  if (what === undefined || (what === 'arrive' && time === undefined)) {
    throw new Complaint(
      where,
      'something like drop:17, drop:17@5.5 or arrive:17@4.5 is needed',
      `${quoted(entry)} was given`,
      'The number is that of the message in the trace; the time comes after the @.',
    ).meaning(entry, ['drop', 'arrive'])
  }
  return {
    what: what as Tamper['what'],
    message: integer(where, message, 0, Number.MAX_SAFE_INTEGER, 'the number of a message'),
    // Whatever is lost before it is sent is lost as it is sent.
    at: time === undefined ? -1 : momentOf(where, time, clock),
  }
}
