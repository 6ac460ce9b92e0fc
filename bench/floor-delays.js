/** Uniform integer delays from 1 to 10: sfc32, seeded by its customary rounds of mixing. */
export class Delays {
  constructor(seed) {
    this.a = seed | 0
    this.b = 0x9e3779b9 | 0
    this.c = 0x243f6a88
    this.counter = 1
    for (let i = 0; i < 15; i++) this.draw()
  }

  draw() {
    const b = this.b
    const c = this.c
    const bits = (((this.a + b) | 0) + this.counter) | 0
    this.counter = (this.counter + 1) | 0
    this.a = b ^ (b >>> 9)
    this.b = (c + (c << 3)) | 0
    this.c = (((c << 21) | (c >>> 11)) + bits) | 0
    // The upper 28 bits times ten still fit 32 bits, and their top four are the digit.
    return 1 + (Math.imul(bits >>> 4, 10) >>> 28)
  }
}
