const FIRST = 1 << 10

/** Whole numbers from 0 below 2^32, as many as come. */
export class GrowableArray {
  length = 0
  private numbers = new Uint32Array(FIRST)

  get bytes(): number {
    return this.numbers.byteLength
  }

  push(number: number): void {
    if (this.length === this.numbers.length) {
      const larger = new Uint32Array(2 * this.length)
      larger.set(this.numbers)
      this.numbers = larger
    }
    this.numbers[this.length++] = number
  }

  pop(): number {
    return this.numbers[--this.length]
  }

  at(place: number): number {
    return this.numbers[place]
  }

  set(place: number, number: number): void {
    this.numbers[place] = number
  }
}
