import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'

/** A text field with a hint about its values. */
export interface FieldOffer {
  readonly name: string
  readonly label: string
  readonly hint: string
}

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

const CRASH = '7: never up; 7@12: crashes at 12; 0.5@10: half of all nodes at 10'

/** Whether nodes of an algorithm are told of crashes by a failure detector, if there is one. */
export function usesDetector(needs: AlgorithmEntry['needs'] | undefined): boolean {
  return needs?.topology === 'ring' || needs?.knows?.includes('liveness') === true
}

const byMessages = ({ timing }: FieldContext) => timing !== 'cycles'
const withClocks = ({ entry: { needs }, timing }: FieldContext) =>
  needs?.time === 'clocks' && timing === 'async'
const mobile = ({ entry: { needs, lasting }, topology }: FieldContext) =>
  needs !== null && lasting && topology.startsWith('geometric')

const FAULTS: readonly (FieldOffer & { readonly fits: (context: FieldContext) => boolean })[] = [
  { name: 'crash', label: 'Crash', hint: CRASH, fits: () => true },
  {
    name: 'recover',
    label: 'Recover',
    fits: byMessages,
    hint: '7@30: recovers at 30; 7@30:id=2: under another id; 7@30:amnesia: memory lost',
  },
  {
    name: 'retire',
    label: 'Retire',
    fits: ({ entry: { needs, lasting } }) => needs !== null && lasting,
    hint: '7@20: no longer leads, but stays alive',
  },
  {
    name: 'detect',
    label: 'Detector',
    fits: ({ entry: { needs } }) => usesDetector(needs),
    hint: 'delay until the failure detector reports a crash, or off',
  },
  {
    name: 'suspect',
    label: 'Suspect',
    fits: ({ entry: { needs } }) => usesDetector(needs),
    hint: '3@10..20: falsely suspected meanwhile',
  },
  { name: 'loss', label: 'Loss', hint: 'share of messages, from 0 to 1', fits: () => true },
  {
    name: 'duplicate',
    label: 'Duplicate',
    fits: byMessages,
    hint: 'share of messages, from 0 to 1',
  },
  {
    name: 'partition',
    label: 'Partition',
    fits: byMessages,
    hint: '0,1,2/3,4@10..50: groups without links between them',
  },
  { name: 'cut', label: 'Cut link', hint: '0-1@5..9; one way: 0to1@5..9', fits: byMessages },
  {
    name: 'pause',
    label: 'Pause',
    fits: ({ entry: { needs } }) => needs?.time === 'clocks',
    hint: '2@10..20: handles nothing meanwhile',
  },
  {
    name: 'drift',
    label: 'Drift',
    fits: withClocks,
    hint: 'ratio between the rates of clocks, 0.05',
  },
  {
    name: 'disk',
    label: 'Disk',
    fits: withClocks,
    hint: 'time of a write to stable storage, uniform:1:5',
  },
  { name: 'mobility', label: 'Mobility', hint: 'speed of the nodes, 0.01', fits: mobile },
  {
    name: 'again',
    label: 'Again',
    fits: ({ entry: { needs } }) => needs !== null,
    hint: 'the time from which nodes may start another election',
  },
]

/** The faults that fit the algorithm and its network. */
export function faults(context: FieldContext): FieldOffer[] {
  return context.entry.meets ? [] : FAULTS.filter(({ fits }) => fits(context))
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
