import { suggestionFor, UsageError } from '../../usage-error.ts'

import type { Display } from '../display.ts'
import { valueInError } from './field-types.ts'

type Any = Readonly<Record<string, unknown>>

/** How each member of a display is written; the compiler compares it with `Display`. */
const MEMBERS: Readonly<Record<keyof Display<never>, string>> = {
  active: 'active: (my) => !my.passive',
  group: "group: { name: 'fragment', of: (my) => my.fragment }",
  badge: "badge: { name: 'phase', of: (my) => my.phase }",
  edges: "edges: (my) => my.children.map((link) => [link, 'tree'])",
  pointer: "pointer: { name: 'parent', of: (my) => my.parent }",
  countdown: "countdown: { name: 'lease', of: () => 'LEASE' }",
  decides: "decides: { ELECTION: 'id' }",
  seen: 'seen: { ELECTION: (my, { id }) => ({ larger: id > my.id }) }',
}

const FUNCTIONS = ['active', 'edges']
const VALUES = ['group', 'badge', 'pointer', 'countdown']

/** Refuses a malformed display, or reasons for what is no message and no timer. */
export function validateDisplay(
  name: string,
  { display, reasons, messages, timers = {}, meet }: Any & { messages: object; timers?: object },
): void {
  const types = Object.keys(messages)
  const words = [...types, ...Object.keys(timers)]
  if (reasons !== undefined) {
    const about = meet === undefined ? words : ['meet']
    byWord(`${name}: reasons`, reasons, about, 'messages and timers', isFunction)
  }
  if (display === undefined) return
  const where = `${name}: display`
  const members = objectOf(where, display, MEMBERS.badge)
  for (const [member, given] of Object.entries(members)) {
    if (!Object.hasOwn(MEMBERS, member))
      throw new UsageError(
        where,
        `there is no member ${member} in a display.`,
        meant(member, Object.keys(MEMBERS)) ??
          `The members are ${Object.keys(MEMBERS).join(', ')}.`,
      )
    const place = `${where}: ${member}`
    const example = `Write ${MEMBERS[member as keyof typeof MEMBERS]}.`
    if (FUNCTIONS.includes(member)) isFunction(place, given, example)
    else if (VALUES.includes(member)) {
      const value = objectOf(place, given, example)
      if (typeof value.name !== 'string')
        throw new UsageError(place, 'name is missing: what the value is.', example)
      isFunction(place, value.of, example)
    } else if (member === 'seen') byWord(place, given, words, 'messages and timers', isFunction)
    else
      byWord(place, given, types, 'messages', (at, field, word) =>
        isField(at, field, messages, word),
      )
  }
}

type Requirement = (where: string, given: unknown, word: string) => void

function byWord(
  where: string,
  given: unknown,
  words: readonly string[],
  of: string,
  require: Requirement,
): void {
  for (const [word, one] of Object.entries(objectOf(where, given, 'Leave it out.'))) {
    if (!words.includes(word))
      throw new UsageError(
        where,
        `${word} is not one of the ${of}.`,
        meant(word, words) ?? 'Remove it.',
      )
    require(`${where}: ${word}`, one, word)
  }
}

function isFunction(where: string, given: unknown, example: string): void {
  if (typeof given === 'function') return
  const hint = example.startsWith('Write') ? example : `Write ${example}: (my) => ...`
  throw new UsageError(where, `expected a function, got ${valueInError(given)}.`, hint)
}

function isField(where: string, given: unknown, messages: object, word: string): void {
  const fields = Object.keys((messages as Record<string, { fields: object }>)[word].fields)
  if (fields.includes(given as string)) return
  throw new UsageError(
    where,
    `${valueInError(given)} is no field of the message.`,
    meant(given, fields) ?? `Its fields are ${fields.join(', ')}.`,
  )
}

function objectOf(where: string, given: unknown, example: string): Any {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Any
  throw new UsageError(where, `expected an object, got ${valueInError(given)}.`, example)
}

function meant(given: unknown, words: readonly string[]): string | null {
  const suggestion = typeof given === 'string' ? suggestionFor(given, words) : null
  return suggestion === null ? null : `Did you mean ${suggestion}?`
}
