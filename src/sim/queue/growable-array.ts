/** The same column with room for as much again. */
export function doubled<C extends Int32Array | Float64Array>(column: C): C {
  const size = 2 * column.length
  const larger = column instanceof Int32Array ? new Int32Array(size) : new Float64Array(size)
  larger.set(column)
  return larger as C
}
