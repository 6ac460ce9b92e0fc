import { enumerated } from '../text-format.ts'
import { valueText } from './event-words.ts'

/** A field of a node's own state, before and after an event. */
export interface StateChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

type JsonState = Readonly<Record<string, unknown>>

/** The fields that differ between two states, as JSON has them. */
export function stateChanges(before: JsonState, after: JsonState): StateChange[] {
  return Object.keys(after)
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, from: before[field], to: after[field] }))
}

/** What `changeText` knows of the types of fields. */
type Schemas = Readonly<Record<string, { readonly schema: string }>>

/**
 * The changes of a state as a predicate without its subject: "changes level from 1 to 2 and sets
 * parent to 3". Null where nothing has changed.
 */
export function changeReason(before: JsonState, after: JsonState, types: Schemas): string | null {
  const changes = stateChanges(before, after).map((change) => changeWords(change, types))
  return changes.length === 0 ? null : enumerated(changes)
}

function changeWords(change: StateChange, types: Schemas): string {
  const { field, from, to } = change
  const { schema = '' } = types[field] ?? {}
  if (/^(set|map|list)\(/.test(schema) || typeof to === 'object')
    return to === null ? `clears ${field}` : `changes ${changeText(change, types)}`
  if (typeof to === 'boolean') return to ? `sets ${field}` : `clears ${field}`
  if (from === null || from === undefined) return `sets ${field} to ${shownValue(to)}`
  return `changes ${field} from ${shownValue(from)} to ${shownValue(to)}`
}

/** A change in words: `best: 4 -> 7`; of a set or map only what is different: `seen: + 3`. */
export function changeText({ field, from, to }: StateChange, types: Schemas): string {
  const { schema = '' } = types[field] ?? {}
  if (schema.startsWith('set(')) return `${field}: ${setText(listOf(from), listOf(to))}`
  if (schema.startsWith('map(')) return `${field}: ${mapText(entriesOf(from), entriesOf(to))}`
  return `${field}: ${shownValue(from)} -> ${shownValue(to)}`
}

/** A value of a state in a text: fractions have four digits. */
export function shownValue(value: unknown): string {
  return valueText(JSON.parse(JSON.stringify(value ?? null), shortened))
}

function shortened(_: string, value: unknown): unknown {
  const fraction = typeof value === 'number' && !Number.isInteger(value)
  return fraction ? Number(value.toPrecision(4)) : value
}

function setText(from: readonly unknown[], to: readonly unknown[]): string {
  const added = to.filter((element) => !from.includes(element))
  const removed = from.filter((element) => !to.includes(element))
  return [
    ...added.map((element) => `+ ${shownValue(element)}`),
    ...removed.map((element) => `- ${shownValue(element)}`),
  ].join(', ')
}

type Entries = ReadonlyMap<unknown, unknown>

function mapText(from: Entries, to: Entries): string {
  const texts: string[] = []
  for (const [key, value] of to) {
    const before = from.get(key)
    if (!from.has(key)) texts.push(`+ ${shownValue(key)}: ${shownValue(value)}`)
    else if (JSON.stringify(before) !== JSON.stringify(value))
      texts.push(`${shownValue(key)}: ${shownValue(before)} -> ${shownValue(value)}`)
  }
  for (const key of from.keys()) if (!to.has(key)) texts.push(`- ${shownValue(key)}`)
  return texts.join(', ')
}

function listOf(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : []
}

function entriesOf(json: unknown): Entries {
  return new Map(listOf(json) as [unknown, unknown][])
}
