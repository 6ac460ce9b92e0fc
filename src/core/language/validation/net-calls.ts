import { UsageError } from '../../usage-error.ts'
import type { Algorithm } from '../algorithm.ts'
import type { Link, Office } from '../net.ts'
import { valueInError } from './field-types.ts'

/* What is wrong with a call of the net, said to the author of the handler. */

/** The term of a leader is a natural number; it must be there where the problem has terms. */
export function requireTerm({ name, problem }: Algorithm, office: Office | undefined): void {
  const term = office?.term
  if (Number.isSafeInteger(term) && term! >= 0) return
  const given = `net.lead is called with ${valueInError(office)}`
  throw new UsageError(
    name,
    term !== undefined
      ? `net.lead needs a whole number from 0 as term; ${valueInError(term)} was given.`
      : office === undefined
        ? `the problem "${problem?.name}" needs the term of a leader, but net.lead() has none.`
        : `${given}, but it takes nothing or an object with a term.`,
    'Write for example net.lead({ term: my.term }).',
  )
}

export function unbindable({ name }: Algorithm): UsageError {
  return new UsageError(
    name,
    'net.lead binds leadership to a timer, but the definition does not say that timers measure real time.',
    "Add time: 'clocks' to needs.",
  )
}

export function unknownLink(
  { name }: Algorithm,
  { position, first, degree }: { position: number; first: Link; degree: number },
  link: Link,
): UsageError {
  const some = `its links are ${first} to ${first + degree - 1}`
  return new UsageError(
    name,
    `position ${position} sends over link ${link}, but ${degree === 0 ? 'it has no links' : some}.`,
    'Correct the algorithm.',
  )
}

export function undeclared({ name }: Algorithm, verb: string, list: string): Error {
  return new Error(`${name}: net.${verb} needs one of the "${list}" of the definition`)
}
