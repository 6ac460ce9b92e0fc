import { CodeFromText } from '../code-from-text.ts'
import type { ValueType } from '../language/value-types.ts'
import type { State } from './state.ts'

/** The values of one field, or of a group of fields, of all nodes, node after node. */
export type Column = Float64Array | Int32Array | Uint8Array

/** The fields that share a column. */
export type ColumnGroup = readonly (readonly [string, ValueType<unknown>])[]

/** A view of one node's fields in the columns, with the accessors of a state. */
export interface RecordView extends State {
  node: number
}

/** Opens a view of columns; one of them is replaced where a value does not fit into it. */
export type OpenRecordView = (
  columns: Column[],
  params: Readonly<Record<string, number | string>>,
) => RecordView

/** A column for a group of fields of n nodes, of the narrowest type that usually suffices. */
export function columnFor(group: ColumnGroup, n: number): Column {
  const length = n * group.length
  if (group.every(([, { codec }]) => codec!.byte)) return new Uint8Array(length)
  return isWhole(group) ? new Int32Array(length) : new Float64Array(length)
}

/** Whether a group has whole numbers, which may turn out too large for 32 bits. */
function isWhole(group: ColumnGroup): boolean {
  return group.every(([, { codec }]) => codec!.integer)
}

/** Writes a value that did not fit into its column, which becomes one of float64s. */
export function widen(columns: Column[], i: number, at: number, value: number): void {
  if (columns[i] instanceof Int32Array) columns[i] = Float64Array.from(columns[i])
  columns[i][at] = value
}

/**
 * Makes the constructor of record views: objects with an accessor per field, and the parameters,
 * which are the same for all nodes. It is generated for the same reason as the constructor of a
 * state. All views of a run share the array of columns, so that all see a column that is replaced.
 */
export function recordViews(
  layout: readonly ColumnGroup[],
  params: readonly string[],
): OpenRecordView {
  const accessors = layout.flatMap((group, i) =>
    group.map(([name, { codec }], offset) => {
      const at = group.length === 1 ? 'this.node' : `this.node * ${group.length} + ${offset}`
      const own = `codecs[${i}][${offset}]`
      const cell = `this.columns[${i}][${at}]`
      const [get, packed] = codec!.identity
        ? [cell, 'value']
        : [`${own}.unpack(${cell})`, `${own}.pack(value)`]
      const mayNotFit = isWhole(group) && !codec!.byte
      const set = mayNotFit
        ? `const code = ${packed}, at = ${at}, column = this.columns[${i}]; column[at] = code;
           if (column[at] !== code) widen(this.columns, ${i}, at, code)`
        : `${cell} = ${packed}`
      return `get ${key(name)}() { return ${get} } set ${key(name)}(value) { ${set} }`
    }),
  )
  const constants = params.map((name) => `this[${key(name)}] = params[${key(name)}];`)
  const make = new CodeFromText(
    'codecs',
    'widen',
    `class RecordView {
       constructor(columns, params) { this.node = 0; this.columns = columns; ${constants.join(' ')} }
       ${accessors.join(' ')}
     }
     return (columns, params) => new RecordView(columns, params)`,
  )
  return make(
    layout.map((group) => group.map(([, { codec }]) => codec)),
    widen,
  )
}

const key = JSON.stringify
