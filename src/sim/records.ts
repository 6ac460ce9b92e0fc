import type { Columns } from '../core/packing.ts'

/** Where in a record each number stands; the fields of the body follow. */
export const TO = 0
export const LINK = 1
export const KIND = 2
export const FIELDS = 3

/** Messages as records of equal size, one behind the other in one column that grows. */
export class Records {
  /** Narrow until a number turns up that 32 bits cannot hold. */
  data: Columns
  /** What has no fixed width, by record; empty where all has. */
  readonly objects: (readonly unknown[])[] = []
  /** Where the next record goes. */
  end = 0

  constructor(
    readonly stride: number,
    narrow: boolean,
  ) {
    this.data = narrow ? new Int32Array(4 * stride) : new Float64Array(4 * stride)
  }

  /** Makes room for one more record and returns where it begins. */
  append(): number {
    const at = this.end
    if (at === this.data.length) this.grow()
    this.end = at + this.stride
    return at
  }

  widen(): void {
    this.data = Float64Array.from(this.data)
  }

  private grow(): void {
    const larger = 2 * this.data.length
    const data = this.data instanceof Int32Array ? new Int32Array(larger) : new Float64Array(larger)
    data.set(this.data)
    this.data = data
  }
}
