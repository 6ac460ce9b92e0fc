/** When an exploration gives up. */
export interface SearchBudget {
  readonly states: number
  /** For what the explorer keeps; counted by itself, so only about right. */
  readonly memoryMB?: number
  /** Asked now and then; true ends the search. */
  readonly expired?: () => boolean
}

const MOST_STATES = 1024
const MOST_CELLS = 65_536

/** States between two looks at the clock and the memory; few where each of them is large. */
export function paceOf(width: number): number {
  return Math.max(1, Math.min(MOST_STATES, Math.floor(MOST_CELLS / width)))
}

/** About what a local state or a channel's content takes, with the effects noted for it. */
export const BYTES_PER_PART = 1024

export const MEGABYTE = 2 ** 20

/** Why a search ends that has found so many states and is to find another one; null: it goes on. */
export function noMoreStates({ states }: SearchBudget, size: number): string | null {
  return size < states ? null : `the limit of ${states} states was reached`
}

/** Why a search ends that keeps so many bytes and knows so many parts; null where it goes on. */
export function giveUp(limits: SearchBudget, bytes: number, parts: number): string | null {
  const { memoryMB = Number.POSITIVE_INFINITY, expired } = limits
  if (bytes + parts * BYTES_PER_PART > memoryMB * MEGABYTE)
    return `the limit of ${memoryMB} MB was reached`
  return expired?.() ? 'the time was over' : null
}
