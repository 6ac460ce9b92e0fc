import type { Algorithm } from '../../core/language/algorithm.ts'
import type { Link } from '../../core/language/net.ts'
import type { ValueType } from '../../core/language/value-types.ts'
import { ByteWriter } from '../../core/runtime/bytes.ts'
import type { OutcomeChange } from '../../core/runtime/driver.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'
import type { StateReader } from '../../core/runtime/states.ts'
import type { Conditions, Delay } from '../conditions.ts'
import { Arrivals } from '../queue/arrivals.ts'

/** What a handler has done that others see: a message, or an outcome. */
export type Effect =
  | { readonly link: Link; readonly kind: number; readonly body: AnyBody }
  | OutcomeEffect

/** A change of the outcome. */
export interface OutcomeEffect {
  readonly what: OutcomeChange
  readonly leader: number | null
  readonly term: number | undefined
  /** When this leadership ends by itself; Infinity where it does not. */
  readonly until: number
}

type StableFields = Readonly<Record<string, unknown>>

/** The effects of one handler, which leave when its changes are on the disk. */
interface Batch {
  readonly ready: number
  readonly effects: readonly Effect[]
  readonly stored: StableFields
}

/**
 * The disks of all nodes, and the effects of handlers that wait for them. A disk writes one commit
 * after the other, and effects leave in the order of the handlers.
 */
export class Outboxes {
  private readonly waiting = new Map<number, Batch[]>()
  /** What is on the disk of each node that has written. */
  private readonly disks = new Map<number, StableFields>()
  private readonly types: readonly (readonly [string, ValueType<unknown>])[]
  private readonly commits: Arrivals
  private readonly scratch = new ByteWriter()

  constructor(
    { layout }: Algorithm,
    private readonly states: StateReader,
    n: number,
    conditions: Conditions,
    delay: Delay,
  ) {
    this.types = Object.entries(layout.own).filter(([, { stable }]) => stable)
    const random = conditions.random.split('disk')
    this.commits = new Arrivals({ ...conditions, delay, fifo: true, random }, n)
  }

  /** Takes the effects of a handler that has just run; false where they may leave at once. */
  add(node: number, effects: readonly Effect[], now: number): boolean {
    const batches = this.waiting.get(node) ?? []
    const last = batches.at(-1)
    const before = last?.stored ?? this.stored(node, true)
    const changed = this.changedSince(node, before)
    if (!changed && last === undefined) return false
    const begun = last?.ready ?? now
    const ready = changed ? this.commits.next(node, begun, 0) : begun
    batches.push({ ready, effects, stored: changed ? this.current(node) : before })
    this.waiting.set(node, batches)
    return true
  }

  get isEmpty(): boolean {
    return this.waiting.size === 0
  }

  /** When the next effects leave, but for paused nodes; Infinity when there are none. */
  first(isPaused: (node: number) => boolean): number {
    let first = Number.POSITIVE_INFINITY
    for (const [node, [{ ready }]] of this.waiting)
      if (ready < first && !isPaused(node)) first = ready
    return first
  }

  /** The nodes that have effects to let go by now. */
  due(now: number): number[] {
    return [...this.waiting.keys()].filter((node) => this.isDue(node, now))
  }

  isDue(node: number, now: number): boolean {
    return (this.waiting.get(node)?.[0].ready ?? Number.POSITIVE_INFINITY) <= now
  }

  /** Removes what is ready; its changes are on the disk from now on. */
  take(node: number, now: number): Effect[] {
    const batches = this.waiting.get(node) ?? []
    const ready = batches.filter((batch) => batch.ready <= now)
    if (ready.length > 0) this.disks.set(node, ready.at(-1)!.stored)
    this.keep(node, batches.slice(ready.length))
    return ready.flatMap(({ effects }) => effects)
  }

  /** A crash loses what is not on the disk. */
  clear(node: number): void {
    this.keep(node, [])
  }

  /** The fields on the disk of a node; without its memory the initial ones. */
  stored(node: number, memory: boolean): StableFields {
    if (!memory) this.disks.delete(node)
    return (
      this.disks.get(node) ??
      Object.fromEntries(this.types.map(([name, type]) => [name, type.start()]))
    )
  }

  private keep(node: number, batches: Batch[]): void {
    if (batches.length > 0) this.waiting.set(node, batches)
    else this.waiting.delete(node)
  }

  private current(node: number): StableFields {
    const state = this.states.of(node)
    return Object.fromEntries(this.types.map(([name, type]) => [name, type.copy(state[name])]))
  }

  private changedSince(node: number, before: StableFields): boolean {
    const state = this.states.of(node)
    return this.types.some(
      ([name, type]) => this.bytes(type, state[name]) !== this.bytes(type, before[name]),
    )
  }

  private bytes(type: ValueType<unknown>, value: unknown): string {
    type.write(this.scratch, value)
    return this.scratch.take().join()
  }
}
