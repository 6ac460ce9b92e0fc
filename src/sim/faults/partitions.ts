import type { Partition } from './faults.ts'

/** The walls that stand. Single links are looked up: a moving network has thousands. */
export class Partitions {
  private readonly links = new Map<number, number>()
  private readonly wide: Partition[] = []

  constructor(private readonly n: number) {}

  add(wall: Partition): void {
    if (wall.link === undefined) this.wide.push(wall)
    else this.count(wall.link, 1)
  }

  remove(wall: Partition): void {
    if (wall.link !== undefined) this.count(wall.link, -1)
    else this.wide.splice(this.wide.indexOf(wall), 1)
  }

  separate(a: number, b: number): boolean {
    return this.links.has(this.key(a, b)) || this.wide.some((wall) => wall.separates(a, b))
  }

  /** A link may be cut for two reasons at once. */
  private count([a, b]: readonly [number, number], change: number): void {
    const place = this.key(a, b)
    const count = (this.links.get(place) ?? 0) + change
    if (count > 0) this.links.set(place, count)
    else this.links.delete(place)
  }

  private key(a: number, b: number): number {
    return Math.min(a, b) * this.n + Math.max(a, b)
  }
}
