import type { Partition } from './faults.ts'

/** The current partitions. Cut links are looked up by ends: moving nodes cut thousands. */
export class Partitions {
  private readonly links = new Map<number, number>()
  private readonly groups: Partition[] = []

  constructor(private readonly n: number) {}

  add(partition: Partition): void {
    if (partition.link === undefined) this.groups.push(partition)
    else this.count(partition, 1)
  }

  remove(partition: Partition): void {
    if (partition.link !== undefined) this.count(partition, -1)
    else this.groups.splice(this.groups.indexOf(partition), 1)
  }

  /** Whether messages from one node to another are lost. */
  separate(from: number, to: number): boolean {
    return (
      this.links.has(from * this.n + to) ||
      this.groups.some((partition) => partition.separates(from, to))
    )
  }

  private count({ link, oneWay }: Partition, change: number): void {
    const [from, to] = link!
    this.countWay(from * this.n + to, change)
    if (oneWay === undefined) this.countWay(to * this.n + from, change)
  }

  /** A link may be cut for two reasons at once. */
  private countWay(place: number, change: number): void {
    const count = (this.links.get(place) ?? 0) + change
    if (count > 0) this.links.set(place, count)
    else this.links.delete(place)
  }
}
