/** Spreads a number in a cell over 32 bits; different cells spread the same number differently. */
function spread(cell: number, value: number): number {
  let bits = Math.imul(value + Math.imul(cell + 1, 0x9e3779b1), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 15), 0xc2b2ae35)
  return bits ^ (bits >>> 13)
}

/**
 * A global state as a vector of small numbers. Its hash is a sum over the cells, so that a change
 * of one cell costs one update; changes since the last load can be taken back.
 */
export class Vector {
  readonly cells: Uint32Array
  hash = 0
  private loadedHash = 0
  private readonly changedCells: number[] = []
  private readonly formerValues: number[] = []

  constructor(readonly width: number) {
    this.cells = new Uint32Array(width)
    this.loaded()
  }

  /** To be called when the cells were filled from outside. */
  loaded(): void {
    let hash = 0
    for (let cell = 0; cell < this.width; cell++) hash = (hash + spread(cell, this.cells[cell])) | 0
    this.hash = this.loadedHash = hash
    this.changedCells.length = this.formerValues.length = 0
  }

  change(cell: number, value: number): void {
    const former = this.cells[cell]
    if (former === value) return
    this.changedCells.push(cell)
    this.formerValues.push(former)
    this.cells[cell] = value
    this.hash = (this.hash + spread(cell, value) - spread(cell, former)) | 0
  }

  /** Takes back every change since the last load. */
  undo(): void {
    while (this.changedCells.length > 0)
      this.cells[this.changedCells.pop()!] = this.formerValues.pop()!
    this.hash = this.loadedHash
  }
}
