import type { ValueType } from '../language/value-types.ts'
import type { State } from './state.ts'

/** One field of all nodes, or several that lie side by side, node after node. */
export type Column = Float64Array | Uint8Array

/** The fields that lie side by side in a column. */
export type ColumnGroup = readonly (readonly [string, ValueType<unknown>])[]

/** A state seen through a window is what columns hold for one node. */
export interface RecordView extends State {
  node: number
}

export type OpenRecordView = (
  columns: readonly Column[],
  params: Readonly<Record<string, number | string>>,
) => RecordView

/**
 * What makes windows: objects with an accessor for each field, and the parameters, which are the
 * same for all. It is generated for the same reason as the constructor of a state.
 */
export function recordViews(
  layout: readonly ColumnGroup[],
  params: readonly string[],
): OpenRecordView {
  const accessors = layout.flatMap((side, i) =>
    side.map(([name, { codec }], place) => {
      const cell = `this.column${i}[this.node * ${side.length} + ${place}]`
      const [get, set] = codec!.identity
        ? [cell, 'value']
        : [`rides[${i}][${place}].unpack(${cell})`, `rides[${i}][${place}].pack(value)`]
      return `get ${key(name)}() { return ${get} } set ${key(name)}(value) { ${cell} = ${set} }`
    }),
  )
  const constants = params.map((name) => `this[${key(name)}] = params[${key(name)}];`)
  const columns = layout.map((_, i) => `this.column${i} = columns[${i}];`)
  const make = new Function(
    'rides',
    `class Window {
       constructor(columns, params) {
         this.node = 0; ${columns.join(' ')} ${constants.join(' ')}
       }
       ${accessors.join(' ')}
     }
     return (columns, params) => new Window(columns, params)`,
  )
  return make(layout.map((side) => side.map(([, { codec }]) => codec)))
}

const key = JSON.stringify
