import type { Fields } from '../language/value-types.ts'
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

/** A change in words: `best: 4 -> 7`; of a set or map only what is different: `seen: + 3`. */
export function changeText({ field, from, to }: StateChange, types: Fields): string {
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
