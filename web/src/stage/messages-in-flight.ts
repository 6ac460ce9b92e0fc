import { integers, reals } from '../recording/columns.ts'

/** How near the pointer must be to a message. */
const REACH = 14

/** Where messages were painted; the columns are reused in every frame. */
export class FlyingMessages {
  readonly flight = integers()
  readonly x = reals()
  readonly y = reals()

  get count(): number {
    return this.flight.length
  }

  clear(): void {
    this.flight.length = 0
    this.x.length = 0
    this.y.length = 0
  }

  add(flight: number, x: number, y: number): void {
    this.flight.push(flight)
    this.x.push(x)
    this.y.push(y)
  }

  /** The message under a point, if there is one. */
  at(x: number, y: number): number | null {
    let [nearest, distance] = [-1, REACH * REACH]
    for (let i = 0; i < this.count; i++) {
      const gap = (this.x.at(i) - x) ** 2 + (this.y.at(i) - y) ** 2
      if (gap < distance) [nearest, distance] = [i, gap]
    }
    return nearest < 0 ? null : this.flight.at(nearest)
  }
}
