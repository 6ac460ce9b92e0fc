const FIRST = 1 << 10

type Growable = Uint8Array | Int32Array | Uint32Array | Float64Array

/** A longer copy of a typed array; twice as long unless a length is given. */
export function grown<A extends Growable>(array: A, length = 2 * array.length): A {
  const longer = new (array.constructor as new (length: number) => A)(length)
  longer.set(array)
  return longer
}

/** A list of unsigned 32-bit integers that grows by doubling. */
export class GrowableArray {
  length = 0
  private numbers = new Uint32Array(FIRST)

  get bytes(): number {
    return this.numbers.byteLength
  }

  push(number: number): void {
    if (this.length === this.numbers.length) this.numbers = grown(this.numbers)
    this.numbers[this.length++] = number
  }

  pop(): number {
    return this.numbers[--this.length]
  }

  at(index: number): number {
    return this.numbers[index]
  }

  set(index: number, number: number): void {
    this.numbers[index] = number
  }
}
