import { FAULT_FIELDS } from '../../../src/options/scenario.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'

export interface FieldContext {
  readonly entry: AlgorithmEntry
  readonly timing: string
  readonly topology: string
  /** Whether weaker networks than the algorithm needs are allowed. */
  readonly weaker: boolean
}

/** The draft and the scenario with its defaults, as far as other fields depend on them. */
export function contextOf(
  entry: AlgorithmEntry,
  draft: ScenarioInput,
  whole: ScenarioInput,
): FieldContext {
  const { needs } = entry
  const rounds = needs?.time === 'rounds' || draft.ids === 'same'
  const fallback = entry.meets ? 'pairs' : rounds ? 'sync' : 'async'
  return {
    entry,
    timing: String(draft.timing ?? whole.timing ?? fallback),
    topology: String(draft.topology ?? whole.topology ?? ''),
    weaker: draft['allow-weaker'] === true,
  }
}

export function timings({ entry: { needs, meets }, weaker }: FieldContext): string[] {
  if (needs === null) return ['async', 'cycles']
  if (meets) return ['pairs']
  return needs.time === 'rounds' && !weaker ? ['sync'] : ['async', 'sync']
}

/** The delay models; empty where messages take one round, or no time. */
export function delays({ entry: { time }, timing, weaker }: FieldContext): string[] {
  if (timing !== 'async') return []
  const bounded = ['unit', 'constant', 'uniform']
  return (time === 'bounded delay' || time === 'rounds') && !weaker
    ? bounded
    : [...bounded, 'exponential', 'lognormal', 'pareto']
}

export function orders({ entry: { needs }, timing, weaker }: FieldContext): string[] {
  if (timing !== 'async') return []
  return needs?.order === 'fifo' && !weaker ? ['fifo'] : ['fifo', 'any']
}

/** Whether the user may choose which nodes start, and when. */
export function offersWaking({ entry: { needs, time }, timing, weaker }: FieldContext): boolean {
  // An aggregation in rounds needs all nodes in the first one.
  const together = needs === null ? time === 'rounds' : needs.start === 'together'
  return timing !== 'cycles' && timing !== 'pairs' && (!together || weaker)
}

/** Whether all nodes may have the same id: on rings it shows the impossibility result. */
export function offersSameIds({ entry: { needs }, weaker }: FieldContext): boolean {
  return needs?.ids !== undefined && (needs.topology === 'ring' || weaker)
}

/** Whether values can decide the election, before the ids. */
export function offersAttributes(
  { entry: { attributes } }: FieldContext,
  draft: ScenarioInput,
): boolean {
  return attributes && draft.ids !== 'same'
}

/** The faults that fit the algorithm and its network, by the names of their options. */
export function faults({ entry, timing, topology }: FieldContext): string[] {
  const { needs, lasting, detects } = entry
  if (entry.meets) return []
  const election = needs !== null
  const messages = timing !== 'cycles'
  const clocks = needs?.time === 'clocks' && timing === 'async'
  const fits: Readonly<Record<string, boolean>> = {
    recover: messages,
    retire: election && lasting,
    detect: detects,
    suspect: detects,
    duplicate: messages,
    partition: messages,
    cut: messages,
    tamper: false,
    pause: needs?.time === 'clocks',
    drift: clocks,
    disk: clocks,
    mobility: election && lasting && topology.startsWith('geometric'),
    again: election,
  }
  return FAULT_FIELDS.filter((name) => fits[name] ?? true)
}

/** Fields that keep their meaning under another algorithm. */
export function carried(
  draft: ScenarioInput,
  from: AlgorithmEntry | null,
  to: AlgorithmEntry,
  n: number,
): ScenarioInput {
  const both = from?.needs?.ids !== undefined && to.needs?.ids !== undefined
  // The size of a hypercube is a power of two.
  const size = to.needs?.topology === 'hypercube' ? 2 ** Math.floor(Math.log2(n)) : n
  const listed = Array.isArray(draft.ids) || /^\d/.test(String(draft.ids))
  const ids = draft.ids !== 'same' && (size === n || !listed) ? draft.ids : undefined
  const shaped = !['ring', 'complete'].includes(to.needs?.topology ?? 'ring')
  const sameNetwork = shaped && from?.needs?.topology === to.needs?.topology
  return {
    algorithm: to.name,
    ...(sameNetwork && draft.topology !== undefined ? { topology: draft.topology } : { n: size }),
    ...(both && ids !== undefined && { ids }),
    ...(draft.seed !== undefined && { seed: draft.seed }),
  }
}

/** Permutations of ids on a ring with the most or fewest messages, where all nodes start. */
interface Extremes {
  readonly worst?: ExtremePermutation
  readonly best?: ExtremePermutation
}

interface ExtremePermutation {
  readonly ids: 'increasing' | 'decreasing' | 'bit-reversal'
  /** Left out where it is unknown. */
  readonly powersOfTwo?: true
}

const BIT_REVERSAL = { ids: 'bit-reversal', powersOfTwo: true } as const

/** Known from theory; tests compare with all permutations of small rings. */
const EXTREMES: Readonly<Record<string, Extremes>> = {
  lcr: { worst: { ids: 'decreasing' }, best: { ids: 'increasing' } },
  'chang-roberts': { worst: { ids: 'decreasing' }, best: { ids: 'increasing' } },
  'hirschberg-sinclair': { best: { ids: 'increasing' } },
  'hirschberg-sinclair-one-way': { worst: { ids: 'decreasing' }, best: { ids: 'increasing' } },
  peterson: { worst: BIT_REVERSAL, best: { ids: 'increasing' } },
  franklin: { worst: BIT_REVERSAL, best: { ids: 'increasing' } },
  'alternating-steps': { best: { ids: 'decreasing' } },
  'uni-alternate': { best: { ids: 'decreasing' } },
}

/** The ids with the most or fewest messages on a ring of this size; null where they are unknown. */
export function extremeIds(
  algorithm: string,
  which: keyof Extremes,
  n: number,
): ExtremePermutation['ids'] | null {
  const known = EXTREMES[algorithm]?.[which]
  if (known === undefined) return null
  return known.powersOfTwo && !Number.isInteger(Math.log2(n)) ? null : known.ids
}
