import { Line } from './line.ts'
import { Schedule } from './schedule.ts'

/** Where records lie that do not fit into the wheel, each until its moment comes. */
export class FarPlaces {
  private readonly due: Schedule | Line
  /** Places that may be used again. */
  private readonly free: number[] = []
  private end = 0

  /** Whether moments are given in their own order. */
  constructor(
    private readonly stride: number,
    ordered: boolean,
  ) {
    this.due = ordered ? new Line() : new Schedule()
  }

  /** The earliest moment; Infinity when there is none. */
  get first(): number {
    return this.due.first
  }

  /** A place for a record, until its moment. */
  add(moment: number): number {
    let at = this.free.pop()
    if (at === undefined) {
      at = this.end
      this.end += this.stride
    }
    this.due.add(moment, at)
    return at
  }

  /** The place of the earliest record, which others may use once that is read. */
  take(): number {
    const at = this.due.take()
    this.free.push(at)
    return at
  }

  preview(most: number, visit: (at: number) => void): void {
    this.due.preview(most, visit)
  }

  each(visit: (at: number) => void): void {
    this.due.each(visit)
  }
}
