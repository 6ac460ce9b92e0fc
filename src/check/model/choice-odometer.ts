/** Thrown out of a handler that wants to draw more than it may. */
export const CUT = Symbol('cut')

/** What the coins of one handler show, one sequence after the other until all were seen. */
export class ChoiceOdometer {
  private shown: { value: number; readonly of: number }[] = []
  private next = 0
  private left = 0

  /** How many were drawn since the handler began. */
  get drawn(): number {
    return this.next
  }

  get values(): number[] {
    return this.shown.map(({ value }) => value)
  }

  /** Another handler is to be run. */
  forget(): void {
    this.shown = []
  }

  /** It is run once more, and may draw so many times. */
  begin(left: number): void {
    this.next = 0
    this.left = left
  }

  draw(k: number): number {
    if (this.next === this.left) throw CUT
    if (this.next === this.shown.length) this.shown.push({ value: 0, of: k })
    return this.shown[this.next++].value
  }

  /** Moves on to the next sequence, the last coin first; false when all are done. */
  turn(): boolean {
    while (this.shown.length > 0) {
      const last = this.shown[this.shown.length - 1]
      if (++last.value < last.of) return true
      this.shown.pop()
    }
    return false
  }
}
