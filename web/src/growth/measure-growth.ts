import { effect, signal } from '@preact/signals'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'
import type { GrowthPoint } from '../engine/protocol.ts'
import { startEngine } from '../model/engine.ts'
import type { Code, ShownRun } from '../model/run.ts'
import { inSameWorld } from '../race/same-world.ts'

/** What the networks of a measurement have in common. */
export interface GrowthSettings {
  readonly ids: 'random' | 'increasing' | 'decreasing'
  readonly seeds: number
}

/** Faults, explicit ids and starts by position belong to one size. */
const OF_ALL_SIZES = [
  'topology',
  'timing',
  'delay',
  'order',
  'wake',
  'set',
  'allow-weaker',
] as const

/** The sizes that are measured up to a largest one: powers of two, and one between each two. */
function sizesUpTo(largest: number): number[] {
  const sizes: number[] = []
  for (let n = 2; n <= largest; n *= 2) sizes.push(...(n > 2 ? [n, 1.5 * n] : [n, 3]))
  return sizes.filter((n) => n <= largest)
}

/** Whether the network of a run can be made in other sizes. */
export function growsFrom({ whole }: ShownRun): boolean {
  return /^[a-z-]+:\d+(:|$)/.test(String(whole.value?.topology ?? ''))
}

/** The measured growth of one algorithm, which continues when larger sizes are wanted. */
export class MeasuredGrowth {
  readonly points = signal<readonly GrowthPoint[]>([])
  readonly refusal = signal<string | null>(null)
  /** A run had too many messages: there are no points of larger sizes. */
  readonly exhausted = signal(false)
  readonly largest = signal(2)
  private end: (() => void) | null = null
  private readonly stopFollowing: () => void

  constructor(
    readonly entry: AlgorithmEntry,
    private readonly scenario: ScenarioInput,
    private readonly settings: GrowthSettings,
    private readonly code: Code | null = null,
  ) {
    this.stopFollowing = effect(() => this.measure(this.largest.value))
  }

  /** The growth of the algorithm of a run, or of another one in the same world. */
  static of(
    { whole, code }: ShownRun,
    settings: GrowthSettings,
    entry: AlgorithmEntry,
    own: boolean,
  ): MeasuredGrowth {
    const all: ScenarioInput = { ...whole.value }
    const given = own ? all : inSameWorld(all, entry)
    const kept = OF_ALL_SIZES.filter((field) => given[field] !== undefined)
    const common = Object.fromEntries(kept.map((field) => [field, given[field]]))
    // Starts by position mean other nodes in other sizes.
    if (common.wake !== 'all') delete common.wake
    const ids = entry.needs?.ids === undefined ? {} : { ids: settings.ids }
    const scenario = { ...common, ...ids, algorithm: entry.name }
    return new MeasuredGrowth(entry, scenario, settings, own ? code : null)
  }

  close(): void {
    this.stopFollowing()
    this.end?.()
  }

  private measure(largest: number): void {
    const known = new Set(this.points.peek().map(({ n }) => n))
    const sizes = sizesUpTo(largest).filter((n) => !known.has(n))
    this.end?.()
    this.end = null
    if (sizes.length === 0 || this.exhausted.peek()) return
    const { scenario, code, settings } = this
    const request = { scenario, code, want: 'growth', sizes, seeds: settings.seeds } as const
    this.end = startEngine(request, (answer) => {
      if (answer.what === 'refused' || answer.what === 'failed') this.refusal.value = answer.message
      if (answer.what !== 'grown') return
      const { point } = answer
      if (point !== null) {
        this.points.value = [...this.points.peek(), point]
        return
      }
      this.exhausted.value = this.points.peek().at(-1)?.n !== sizes.at(-1)
      this.end?.()
    })
  }
}
