import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'

/** A field that is written as text, with what may stand in it. */
export interface FieldOffer {
  readonly name: string
  readonly label: string
  readonly hint: string
}

export interface FieldContext {
  readonly subject: AlgorithmEntry
  readonly timing: string
  readonly topology: string
  /** Whether worlds are asked for in which the algorithm may break. */
  readonly weaker: boolean
}

/** What a draft and the scenario with its defaults say of where an algorithm runs. */
export function situationOf(
  subject: AlgorithmEntry,
  draft: ScenarioInput,
  whole: ScenarioInput,
): FieldContext {
  const { needs } = subject
  const rounds = needs?.time === 'rounds' || draft.ids === 'same'
  const usual = rounds ? 'sync' : 'async'
  return {
    subject,
    timing: String(draft.timing ?? whole.timing ?? usual),
    topology: String(draft.topology ?? whole.topology ?? ''),
    weaker: draft['allow-weaker'] === true,
  }
}

export function timings({ subject: { needs }, weaker }: FieldContext): string[] {
  if (needs === null) return ['async', 'cycles']
  return needs.time === 'rounds' && !weaker ? ['sync'] : ['async', 'sync']
}

/** Models of delay; empty where messages take one round, or no time at all. */
export function delays({ subject: { needs }, timing, weaker }: FieldContext): string[] {
  if (timing !== 'async') return []
  const bounded = ['unit', 'constant', 'uniform']
  return needs?.time === 'bounded delay' && !weaker ? bounded : [...bounded, 'exponential']
}

export function orders({ subject: { needs }, timing, weaker }: FieldContext): string[] {
  if (timing !== 'async') return []
  return needs?.order === 'fifo' && !weaker ? ['fifo'] : ['fifo', 'any']
}

/** Whether the user may say who starts, and when. */
export function offersWaking({ subject: { needs }, timing, weaker }: FieldContext): boolean {
  return timing !== 'cycles' && (needs?.start !== 'together' || weaker)
}

/** Whether all nodes may have the same id: on rings it is the impossibility shown. */
export function offersSameIds({ subject: { needs }, weaker }: FieldContext): boolean {
  return needs?.ids !== undefined && (needs.topology === 'ring' || weaker)
}

/** Whether values can decide who leads, before the ids. */
export function offersAttributes(
  { subject: { needs } }: FieldContext,
  draft: ScenarioInput,
): boolean {
  return needs?.ids === 'unique' && draft.ids !== 'same'
}

const CRASH = 'positions: 7 is never up, 7@12 dies then, 0.5@10 is half of all'

/** What may go wrong, as far as the algorithm or its network can meet it. */
export function faults({ subject, timing, topology }: FieldContext): FieldOffer[] {
  const { needs, lasting } = subject
  const election = needs !== null
  const messages = timing !== 'cycles'
  const told = needs?.topology === 'ring' || needs?.knows?.includes('liveness') === true
  const mobile = election && lasting && topology.startsWith('geometric')
  const all: readonly (FieldOffer & { readonly fits: boolean })[] = [
    { name: 'crash', label: 'Crash', hint: CRASH, fits: true },
    {
      ...{ name: 'recover', label: 'Recover', fits: messages },
      hint: '7@30 is back then; 7@30:id=2 under another id',
    },
    {
      ...{ name: 'retire', label: 'Retire', fits: election && lasting },
      hint: '7@20 steps down for good and stays alive',
    },
    {
      ...{ name: 'detect', label: 'Detector', fits: told },
      hint: 'after how long a death is reported, or off',
    },
    {
      ...{ name: 'suspect', label: 'Suspect', fits: told },
      hint: '3@10..20 is taken for dead meanwhile',
    },
    { name: 'loss', label: 'Loss', hint: 'share of messages, from 0 to 1', fits: true },
    {
      ...{ name: 'duplicate', label: 'Duplicate', fits: messages },
      hint: 'share of messages, from 0 to 1',
    },
    {
      ...{ name: 'partition', label: 'Partition', fits: messages },
      hint: '0,1,2/3,4@10..50: groups that do not hear each other',
    },
    { name: 'cut', label: 'Cut link', hint: '0-1@5..9', fits: messages },
    { name: 'mobility', label: 'Mobility', hint: 'speed of the nodes, 0.01', fits: mobile },
    {
      ...{ name: 'again', label: 'Again', fits: election },
      hint: 'from when on nodes may start anew after an election',
    },
  ]
  return all.filter(({ fits }) => fits)
}

/** Fields that keep their meaning when another algorithm is picked. */
export function carried(
  draft: ScenarioInput,
  from: AlgorithmEntry | null,
  to: AlgorithmEntry,
  n: number,
): ScenarioInput {
  const both = from?.needs?.ids !== undefined && to.needs?.ids !== undefined
  const anywhere = (subject: AlgorithmEntry | null) => subject?.needs?.topology === 'any'
  const sameNetwork = anywhere(from) && anywhere(to)
  return {
    algorithm: to.name,
    ...(sameNetwork && draft.topology !== undefined ? { topology: draft.topology } : { n }),
    ...(both && draft.ids !== undefined && draft.ids !== 'same' && { ids: draft.ids }),
    ...(draft.seed !== undefined && { seed: draft.seed }),
  }
}
