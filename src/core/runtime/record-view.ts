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

/** The columns of all nodes; `widen` replaces one of them for a value that does not fit into it. */
export interface ColumnStore {
  readonly columns: readonly Column[]
  widen(i: number, at: number, value: number): void
}

export type OpenRecordView = (
  store: ColumnStore,
  params: Readonly<Record<string, number | string>>,
) => RecordView

/** A column for a group of fields of n nodes, of the narrowest type that usually suffices. */
export function columnFor(group: ColumnGroup, n: number): Column {
  return new (columnType(group))(n * group.length)
}

/** The bytes of a group of fields in its column, by node. */
export function bytesOf(group: ColumnGroup): number {
  return group.length * columnType(group).BYTES_PER_ELEMENT
}

function columnType(group: ColumnGroup) {
  if (group.every(([, { codec }]) => codec!.byte)) return Uint8Array
  return isWhole(group) ? Int32Array : Float64Array
}

/** Whether a group has whole numbers, which may turn out too large for 32 bits. */
function isWhole(group: ColumnGroup): boolean {
  return group.every(([, { codec }]) => codec!.integer)
}

/** The property of a view for handlers that holds a column; no field has such a name. */
export function columnName(i: number): string {
  return `column ${i}`
}

const STORE = 'store of columns'

/**
 * Makes the constructor of record views: objects with an accessor per field, and the parameters,
 * which are the same for all nodes. It is generated for the same reason as the constructor of a
 * state. A view for handlers holds the columns itself, which is faster; the store must tell it of
 * each column that it replaces. A view for observers looks them up.
 */
export function recordViews(
  layout: readonly ColumnGroup[],
  params: readonly string[],
  forHandlers: boolean,
): OpenRecordView {
  const store = `this[${key(STORE)}]`
  const column = (i: number) =>
    forHandlers ? `this[${key(columnName(i))}]` : `${store}.columns[${i}]`
  const accessors = layout.flatMap((group, i) =>
    group.map(([name, { codec }], offset) => {
      const at = group.length === 1 ? 'this.node' : `this.node * ${group.length} + ${offset}`
      const cell = `${column(i)}[${at}]`
      const [get, packed] = codec!.identity
        ? [cell, 'value']
        : [`unpack${i}_${offset}(${cell})`, `pack${i}_${offset}(value)`]
      const mayNotFit = isWhole(group) && !codec!.byte
      const set = mayNotFit
        ? `const code = ${packed}, at = ${at}, column = ${column(i)}; column[at] = code;
           if (column[at] !== code) ${store}.widen(${i}, at, code)`
        : `${cell} = ${packed}`
      return `get ${key(name)}() { return ${get} } set ${key(name)}(value) { ${set} }`
    }),
  )
  const constants = params.map((name) => `this[${key(name)}] = params[${key(name)}];`)
  const held = forHandlers ? layout.map((_, i) => `${column(i)} = store.columns[${i}];`) : []
  // Each function has a name of its own, so that V8 inlines it.
  const functions = layout.flatMap((group, i) =>
    group.flatMap(([, { codec }], offset) => [
      [`pack${i}_${offset}`, codec!.pack] as const,
      [`unpack${i}_${offset}`, codec!.unpack] as const,
    ]),
  )
  const make = new CodeFromText(
    ...functions.map(([name]) => name),
    `class RecordView {
       constructor(store, params) {
         this.node = 0; ${store} = store; ${held.join(' ')} ${constants.join(' ')}
       }
       ${accessors.join(' ')}
     }
     return (store, params) => new RecordView(store, params)`,
  )
  return make(...functions.map(([, code]) => code))
}

const key = JSON.stringify
