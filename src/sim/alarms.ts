import { Moments } from './moments.ts'

/** The alarms of all nodes, one of each kind at a node. Old settings are skipped, not sought. */
export class Alarms {
  private readonly due = new Moments()
  /** By node and kind, the number of the setting that counts; 0 where none does. */
  private readonly setting: Float64Array
  private pending = 0

  constructor(
    n: number,
    private readonly kinds: number,
  ) {
    this.setting = new Float64Array(n * kinds)
  }

  /** How many are set. */
  get size(): number {
    return this.pending
  }

  set(node: number, kind: number, time: number): void {
    this.clear(node, kind)
    const place = node * this.kinds + kind
    // A moment beyond 2^53 cannot be told from its neighbours; it never comes.
    if (time > Number.MAX_SAFE_INTEGER) return
    this.setting[place] = 1 + this.due.add(time, place)
    this.pending++
  }

  clear(node: number, kind: number): void {
    const place = node * this.kinds + kind
    if (this.setting[place] === 0) return
    this.setting[place] = 0
    this.pending--
  }

  clearAll(node: number): void {
    for (let kind = 0; kind < this.kinds; kind++) this.clear(node, kind)
  }

  /** When the next one goes off; Infinity when none is set. */
  get first(): number {
    while (this.due.size > 0 && this.setting[this.due.value] !== 1 + this.due.number)
      this.due.take()
    return this.due.first
  }

  /** Takes the next one out, as node * kinds + kind. Ask `first` before. */
  take(): number {
    const place = this.due.take()
    this.setting[place] = 0
    this.pending--
    return place
  }
}
