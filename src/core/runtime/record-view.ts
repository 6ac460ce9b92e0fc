import { CodeFromText } from '../code-from-text.ts'
import type { ValueType } from '../language/value-types.ts'
import type { State } from './state.ts'

/** The values of one field, or of a group of fields, of all nodes, node after node. */
export type Column = Float64Array | Uint8Array

/** The fields that share a column. */
export type ColumnGroup = readonly (readonly [string, ValueType<unknown>])[]

/** A view of one node's fields in the columns, with the accessors of a state. */
export interface RecordView extends State {
  node: number
}

export type OpenRecordView = (
  columns: readonly Column[],
  params: Readonly<Record<string, number | string>>,
) => RecordView

/**
 * Makes the constructor of record views: objects with an accessor per field, and the parameters,
 * which are the same for all nodes. It is generated for the same reason as the constructor of a
 * state.
 */
export function recordViews(
  layout: readonly ColumnGroup[],
  params: readonly string[],
): OpenRecordView {
  const accessors = layout.flatMap((group, i) =>
    group.map(([name, { codec }], offset) => {
      const cell = `this.column${i}[this.node * ${group.length} + ${offset}]`
      const [get, set] = codec!.identity
        ? [cell, 'value']
        : [`codecs[${i}][${offset}].unpack(${cell})`, `codecs[${i}][${offset}].pack(value)`]
      return `get ${key(name)}() { return ${get} } set ${key(name)}(value) { ${cell} = ${set} }`
    }),
  )
  const constants = params.map((name) => `this[${key(name)}] = params[${key(name)}];`)
  const columns = layout.map((_, i) => `this.column${i} = columns[${i}];`)
  const make = new CodeFromText(
    'codecs',
    `class RecordView {
       constructor(columns, params) {
         this.node = 0; ${columns.join(' ')} ${constants.join(' ')}
       }
       ${accessors.join(' ')}
     }
     return (columns, params) => new RecordView(columns, params)`,
  )
  return make(layout.map((group) => group.map(([, { codec }]) => codec)))
}

const key = JSON.stringify
