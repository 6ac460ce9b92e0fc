type Examined = 'cycles' | 'fairness' | 'costs'

/** How far a search is, or the building of a graph. */
export interface SearchProgress {
  readonly states: number
  readonly transitions: number
  /** The distance from the initial state; 0 while a graph is built. */
  readonly depth: number
  /** Discovered states that are not expanded yet. */
  readonly frontier: number
  /** Set while a graph is built, for liveness or for the worst case, and while it is examined. */
  readonly graph?: true
  /** What the graph is examined for, once it has been built. */
  readonly examined?: Examined
}

/** The budget of an exploration: it ends when one of these is exhausted. */
export interface SearchBudget {
  readonly states: number
  /** Estimated by the checker, so only approximate. */
  readonly memoryMB?: number
  /** Polled at intervals; true ends the search. */
  readonly expired?: () => boolean
  /** Told at intervals how far the exploration is. */
  readonly onProgress?: (progress: SearchProgress) => void
}

const MOST_STATES_BETWEEN = 1024
const MOST_CELLS_BETWEEN = 65_536

/** The number of states between two checks of the budget; small for wide state vectors. */
export function checkInterval(width: number): number {
  return Math.max(1, Math.min(MOST_STATES_BETWEEN, Math.floor(MOST_CELLS_BETWEEN / width)))
}

/** The estimated size of an interned local state or channel content with its transitions. */
export const BYTES_PER_ENTRY = 1024

export const MEGABYTE = 2 ** 20

/** Why a search with this many states cannot add another; null if it can. */
export function stateLimitReason({ states }: SearchBudget, size: number): string | null {
  return size < states ? null : `the limit of ${states} states was reached`
}

/** Why a search with this use of memory must end; null if it goes on. */
export function budgetReason(limits: SearchBudget, bytes: number, entries: number): string | null {
  const { memoryMB = Number.POSITIVE_INFINITY } = limits
  if (bytes + entries * BYTES_PER_ENTRY > memoryMB * MEGABYTE)
    return `the limit of ${memoryMB} MB was reached`
  return timeLimitReason(limits)
}

/** Why a search ended whose time was over. */
export const TIME_LIMIT_REASON = 'the time limit was reached'

export function timeLimitReason({ expired }: Pick<SearchBudget, 'expired'>): string | null {
  return expired?.() ? TIME_LIMIT_REASON : null
}

/** The time is over in the middle of the examination of a graph. */
class TimeLimitReached extends Error {}

/** The result of an examination of graphs; the other one where its time is over before. */
export function examineInTime<T>(examine: () => T, otherwise: (reason: string) => T): T {
  try {
    return examine()
  } catch (error) {
    if (!(error instanceof TimeLimitReached)) throw error
    return otherwise(TIME_LIMIT_REASON)
  }
}

/** Between two looks at the clock; looking at an edge of the graph is the unit of work. */
const WORK_BETWEEN = 65_536

/** The work of an expansion of a state: its handlers have been run, but all steps are tried. */
export const EXPANSION = 256

/**
 * Watches the time while a graph is examined, and tells what for. It ends the examination by an
 * exception for `withinTime`: there are loops within loops, and nothing is known before their end.
 */
export class GraphWatch {
  private work = 0
  private examined: Examined = 'cycles'

  constructor(
    private readonly limits: Pick<SearchBudget, 'expired' | 'onProgress'>,
    private readonly graph: { readonly size: number; edges(state: number): number },
  ) {}

  /** What the next steps are for. */
  begin(examined: Examined): this {
    this.examined = examined
    this.look()
    return this
  }

  step(work = 1): void {
    this.work += work
    if (this.work >= WORK_BETWEEN) this.look()
  }

  private look(): void {
    const { limits, graph, examined } = this
    this.work = 0
    if (timeLimitReason(limits) !== null) throw new TimeLimitReached()
    const counts = { states: graph.size, transitions: graph.edges(graph.size) }
    limits.onProgress?.({ ...counts, depth: 0, frontier: 0, graph: true, examined })
  }
}
