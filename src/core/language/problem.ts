import type { State } from '../runtime/state.ts'

/** A moment of a run, as the properties of a problem look at it. */
export interface GlobalState<S = State> {
  readonly n: number
  state(node: number): Readonly<S>
  alive(node: number): boolean
  /** A name for the node: its id where it has one, else its position. */
  name(node: number): string
  /** The same number for two live nodes that can reach each other. */
  component(node: number): number
  /** Live nodes that lead now, in the order of taking office. */
  readonly leaders: readonly number[]
  /**
   * Whether two leaders at once are no fault: after a recovery or a new link the old one stands
   * until it hears of the new one.
   */
  handover?(first: number, second: number): boolean
  /** Whether no message is in flight, where that is looked at. */
  readonly idle?: boolean
  /** Nodes that led until the last step and no longer do, though alive. */
  readonly deposed: readonly number[]
}

/**
 * Something that must hold: always (in every moment), at the end (when the run is quiet), or
 * eventually (in some moment of every run in which nothing is ignored for ever; only the explorer,
 * which knows all runs, can judge that).
 */
export interface Property<S = State> {
  readonly name: string
  /** The same in a sentence. */
  readonly says?: string
  readonly when: 'always' | 'at the end' | 'eventually'
  /** It may hold again after it was broken: how long it did not is of interest. */
  readonly passes?: true
  /**
   * All that it looks at: who leads and who gave it up, or the states of single nodes, each by
   * itself. Left out, it may look at anything, and an explorer has to try every order of events.
   */
  readonly sees?: 'leaders' | 'single nodes'
  /** An old leader may stand beside a new one for a while; one that stands longer breaks it. */
  readonly handsOver?: true
  /** What is wrong in this situation, in words; null where nothing is. */
  broken(situation: GlobalState<S>): string | null
  /** Why nothing is there that could be judged, in words; null, or left out, where something is. */
  moot?(situation: GlobalState<S>): string | null
}

/** The result of evaluating one property on a run, or on all runs. */
export interface Verdict {
  readonly name: string
  /** null: undecided. The run was cut off, not every state was explored, or no node is alive. */
  readonly holds: boolean | null
  readonly detail: string
}

/** What an algorithm is for, apart from how it does it. */
export interface Problem {
  readonly name: string
  /**
   * Without faults, or with crashes; where the largest id need not win, that is not asked for; and
   * those that answer later crashes do not terminate.
   */
  properties(faults: boolean, largestWins?: boolean, lasting?: boolean): readonly Property[]
}

/** Leaders that can reach each other, two by two, who took office earlier first. */
export function rivals(situation: GlobalState): [number, number][] {
  const seats = new Map<number, number>()
  return situation.leaders.flatMap((node): [number, number][] => {
    const component = situation.component(node)
    const rival = seats.get(component)
    seats.set(component, node)
    return rival === undefined ? [] : [[rival, node]]
  })
}
