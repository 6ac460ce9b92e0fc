import type { ShownLink } from '../../../src/core/language/world.ts'
import type { RunFrame } from '../recording/frame.ts'
import { shortNumber } from '../stage/message-text.ts'
import { nodeLabel } from '../words/names.ts'

type JsonState = Readonly<Record<string, unknown>>

/** A field of a state as text, and its former text where it has just changed. */
export interface ShownField {
  readonly name: string
  readonly text: string
  readonly former: string | null
}

/** The fields of a state; `before` is the state before the last step, null where it is the same. */
export function fieldsOf(frame: RunFrame, now: JsonState, before: JsonState | null): ShownField[] {
  return Object.entries(now).map(([name, value]) => {
    const text = stateValueText(frame, value)
    const former = before === null || !(name in before) ? text : stateValueText(frame, before[name])
    if (former === text) return { name, text, former: null }
    return { name, text, former: changedEntries(frame, before?.[name], value) ?? former }
  })
}

/** Of a map, the entries that are not the same any more; null for other values. */
function changedEntries(frame: RunFrame, before: unknown, now: unknown): string | null {
  if (!isMap(before) || !isMap(now)) return null
  const texts = new Set(now.map((entry) => listText(frame, [entry])))
  const gone = before.filter((entry) => !texts.has(listText(frame, [entry])))
  return gone.length === 0 || gone.length === before.length ? null : listText(frame, gone)
}

function isMap(value: unknown): value is readonly (readonly [unknown, unknown])[] {
  return Array.isArray(value) && value.every((one) => Array.isArray(one) && one.length === 2)
}

/** A value for people: neighbours in place of links, sets and maps without brackets of JSON. */
export function stateValueText(frame: RunFrame, value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return String(shortNumber(value))
  if (typeof value !== 'object') return String(value) === '' ? 'none' : String(value)
  if (isLink(value)) return nodeLabel(frame, value.neighbour)
  if (Array.isArray(value)) return listText(frame, value)
  const fields = Object.entries(value).map(
    ([name, part]) => `${name} ${stateValueText(frame, part)}`,
  )
  return fields.join(', ')
}

/** Longer rows of numbers show their first ones. */
const LONGEST_ROW = 8
const SHOWN_OF_ROW = 4

function listText(frame: RunFrame, values: readonly unknown[]): string {
  if (values.length === 0) return 'none'
  if (values.length > LONGEST_ROW && values.every((one) => typeof one === 'number'))
    return `${listText(frame, values.slice(0, SHOWN_OF_ROW))}, ... ${values.length} in all`
  if (!isMap(values)) return values.map((one) => nested(frame, one)).join(', ')
  return values.map(([key, value]) => `${nested(frame, key)}: ${nested(frame, value)}`).join(', ')
}

/** A part of a list that is itself a list or has several fields stands in brackets. */
function nested(frame: RunFrame, value: unknown): string {
  const text = stateValueText(frame, value)
  return typeof value === 'object' && text.includes(', ') ? `(${text})` : text
}

function isLink(value: object): value is ShownLink {
  return 'neighbour' in value && Object.keys(value).length === 1
}
