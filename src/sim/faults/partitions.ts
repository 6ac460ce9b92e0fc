import type { Partition } from './faults.ts'

/** The current partitions. Cut links are looked up by key: moving nodes cut thousands. */
export class Partitions {
  private readonly links = new Map<number, number>()
  private readonly groups: Partition[] = []

  constructor(private readonly n: number) {}

  add(partition: Partition): void {
    if (partition.link === undefined) this.groups.push(partition)
    else this.count(partition.link, 1)
  }

  remove(partition: Partition): void {
    if (partition.link !== undefined) this.count(partition.link, -1)
    else this.groups.splice(this.groups.indexOf(partition), 1)
  }

  separate(a: number, b: number): boolean {
    return (
      this.links.has(this.key(a, b)) || this.groups.some((partition) => partition.separates(a, b))
    )
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
