import type { State } from './state.ts'
import type { Type } from './value.ts'

/** A state seen through a window is one row of cells, from a place on. */
export interface Window extends State {
  place: number
}

export type OpenWindow = (
  cells: Float64Array,
  params: Readonly<Record<string, number | string>>,
) => Window

/**
 * What makes windows: objects with an accessor for each cell of a row, and the parameters, which
 * are the same for all. It is generated for the same reason as the constructor of a state.
 */
export function windows(
  row: readonly (readonly [string, Type<unknown>])[],
  params: readonly string[],
): OpenWindow {
  const accessors = row.map(([name, { ride }], i) => {
    const cell = `this.cells[this.place + ${i}]`
    const [get, set] = ride!.itself
      ? [cell, 'value']
      : [`rides[${i}].unpack(${cell})`, `rides[${i}].pack(value)`]
    return `get ${key(name)}() { return ${get} } set ${key(name)}(value) { ${cell} = ${set} }`
  })
  const constants = params.map((name) => `this[${key(name)}] = params[${key(name)}];`)
  const make = new Function(
    'rides',
    `class Window {
       constructor(cells, params) {
         this.cells = cells; this.place = 0; ${constants.join(' ')}
       }
       ${accessors.join(' ')}
     }
     return (cells, params) => new Window(cells, params)`,
  )
  return make(row.map(([, { ride }]) => ride))
}

const key = JSON.stringify
