import { Random } from '../../../src/core/runtime/random.ts'

/** An event in the future. */
interface Scheduled {
  readonly at: number
  readonly number: number
  readonly run: () => void
}

/**
 * Real time, and everything that happens in it, one event after the other. The same seed gives the
 * same events: the hash of the trace shows it.
 */
export class World {
  /** Real time in milliseconds, which no machine can read. */
  time = 0
  events = 0
  /** Whether the present event has run code that may wait for promises. */
  executed = false
  readonly lines: string[] = []
  private readonly heap: Scheduled[] = []
  private scheduled = 0
  private low = 0x811c9dc5
  private high = 0x01000193

  constructor(
    readonly random: Random,
    private readonly records: boolean,
  ) {}

  schedule(at: number, run: () => void): void {
    push(this.heap, { at: Math.max(at, this.time), number: this.scheduled++, run })
  }

  /** Runs events up to this time. After each, the code that waits for promises runs to its end. */
  async runUntil(end: number, after: () => void): Promise<void> {
    for (;;) {
      const next = this.heap[0]
      if (next === undefined || next.at > end) break
      pop(this.heap)
      this.time = next.at
      this.events++
      this.executed = false
      next.run()
      if (!this.executed) continue
      await settled()
      after()
    }
    this.time = end
  }

  /** One line of the trace, and bytes that belong to it. */
  trace(line: string, bytes?: Uint8Array): void {
    for (let i = 0; i < line.length; i++) this.mix(line.charCodeAt(i))
    if (bytes !== undefined) for (let i = 0; i < bytes.length; i++) this.mix(bytes[i])
    this.mix(this.time * 1024)
    if (!this.records) return
    const size = bytes === undefined ? '' : ` (${bytes.length} bytes)`
    this.lines.push(`${this.time.toFixed(3).padStart(10)}  ${line}${size}`)
  }

  get hash(): string {
    return [this.low, this.high].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
  }

  private mix(value: number): void {
    this.low = Math.imul(this.low ^ (value | 0), 0x01000193)
    this.high = (Math.imul(this.high, 31) + this.low) | 0
  }
}

/** A number between two, by chance. */
export function between(random: Random, from: number, to: number): number {
  return from + (to - from) * random.unit()
}

/** Whether something happens that has this probability. */
export function happens(random: Random, probability: number): boolean {
  return random.unit() < probability
}

export function oneFrom<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)]
}

/** All code that waits for promises has run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function before(one: Scheduled, other: Scheduled): boolean {
  return one.at < other.at || (one.at === other.at && one.number < other.number)
}

function push(heap: Scheduled[], event: Scheduled): void {
  let at = heap.length
  heap.push(event)
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!before(event, heap[parent])) break
    heap[at] = heap[parent]
    at = parent
  }
  heap[at] = event
}

function pop(heap: Scheduled[]): void {
  const last = heap.pop()!
  if (heap.length === 0) return
  let at = 0
  for (;;) {
    const left = 2 * at + 1
    if (left >= heap.length) break
    const right = left + 1
    const child = right < heap.length && before(heap[right], heap[left]) ? right : left
    if (!before(heap[child], last)) break
    heap[at] = heap[child]
    at = child
  }
  heap[at] = last
}

export function worldOf(seed: number, records: boolean): World {
  return new World(Random.from(seed), records)
}
