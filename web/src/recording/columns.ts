import { grown } from '../../../src/core/runtime/growable-array.ts'

type Cells = Float64Array | Int32Array | Uint8Array

/** A growable typed array. */
class Column<T extends Cells> {
  length = 0

  constructor(private cells: T) {}

  push(value: number): void {
    this.reserve(this.length + 1)
    this.cells[this.length++] = value
  }

  append(values: T): void {
    this.reserve(this.length + values.length)
    this.cells.set(values, this.length)
    this.length += values.length
  }

  at(index: number): number {
    return this.cells[index]
  }

  set(index: number, value: number): void {
    this.cells[index] = value
  }

  /** Returns the content and empties the column. */
  take(): T {
    const taken = this.cells.slice(0, this.length) as T
    this.length = 0
    return taken
  }

  private reserve(length: number): void {
    if (length <= this.cells.length) return
    this.cells = grown(this.cells, Math.max(length, 2 * this.cells.length))
  }
}

const FIRST = 1024

export const reals = () => new Column<Float64Array>(new Float64Array(FIRST))
export const integers = () => new Column<Int32Array>(new Int32Array(FIRST))
export const bytes = () => new Column<Uint8Array>(new Uint8Array(FIRST))
