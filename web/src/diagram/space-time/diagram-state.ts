import { signal } from '@preact/signals'
import type { ShownRun } from '../../model/run.ts'
import type { RunLog } from '../../recording/run-log.ts'
import {
  followingSpan,
  type LaneOrder,
  type LaneSorting,
  laneOrder,
  type TimeSpan,
} from './lanes.ts'

/** What a user has chosen to see of a space-time diagram. */
export class DiagramState {
  /** Null follows the clock. */
  readonly span = signal<TimeSpan | null>(null)
  readonly sorting = signal<LaneSorting>('position')
  /** The only nodes that have a line; null for all. */
  readonly only = signal<ReadonlySet<number> | null>(null)
  readonly search = signal('')
  /** Whether only the causal past of the last event stands out. */
  readonly causal = signal(false)
  private known: { readonly key: unknown[]; readonly order: LaneOrder } | null = null

  spanAt(log: RunLog, time: number): TimeSpan {
    return this.span.value ?? followingSpan(log, time)
  }

  /** The lines in their order, computed again only where it may have changed. */
  orderOf(log: RunLog): LaneOrder {
    const { value: sorting } = this.sorting
    const { value: only } = this.only
    const key = [log, sorting, only, sorting === 'activity' ? log.steps : 0]
    if (this.known?.key.every((part, i) => part === key[i])) return this.known.order
    const all = Array.from({ length: log.world.n }, (_, node) => node)
    const hidden = new Set(only === null ? [] : all.filter((node) => !only.has(node)))
    const order = laneOrder(log, sorting, hidden)
    this.known = { key, order }
    return order
  }
}

/** The diagram that is on the page, so that pictures of it show what is seen. */
export const seenDiagram = signal<{ readonly run: ShownRun; readonly state: DiagramState } | null>(
  null,
)
