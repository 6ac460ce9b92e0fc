import type { Algorithm, Needs } from '../core/language/algorithm.ts'

/**
 * untimed: an armed timer may fire at any time. patient: timers fire only when no message is in
 * flight. clocked: time advances in units, every message takes 1 to `clocked` of them (Infinity:
 * any number), and timers are exact.
 */
export type Mode = 'untimed' | 'patient' | { readonly clocked: number }

/** A mode as text: `clocked:2`. */
export function modeText(mode: Mode): string {
  if (typeof mode === 'string') return mode
  return `clocked:${mode.clocked === Number.POSITIVE_INFINITY ? 'any' : mode.clocked}`
}

/**
 * fifo: messages arrive once, in the order of sending. any: once, in any order. lossy: a message
 * that was sent may arrive never, once or often, at any time.
 */
export type LinkOrder = 'fifo' | 'any' | 'lossy'

/** What the transition system of a world allows: the adversary's power. */
export interface ModelOptions extends HandlerLimits {
  readonly mode: Mode
  readonly order: LinkOrder
  /** Any sleeping node may start at any time, or exactly these positions start at the beginning. */
  readonly wake: 'any' | readonly number[]
  /** No faults if omitted. */
  readonly faults?: FaultOptions
  /**
   * With a clock: states tell for how long nobody has led since the last fault, up to this time and
   * one unit more. Not told if omitted.
   */
  readonly patience?: number
}

/** Which outcomes of handlers are explored; all of them by default. */
export interface HandlerLimits {
  /** The most random choices of one node; a run in which a node needs more is cut there. */
  readonly draws?: number
  /** The largest values of fields of the state; a run in which a node exceeds one is cut there. */
  readonly bounds?: Readonly<Record<string, number>>
  /** With a clock: the most values that are tried of a random delay, spread over its range. */
  readonly timeouts?: number
}

/** The kinds of faults that an exploration can inject; each is the name of an option. */
export const FAULT_KINDS = [
  'crashes',
  'losses',
  'duplicates',
  'cuts',
  'recoveries',
  'amnesia',
  'partitions',
  'pauses',
] as const

/** A kind of fault that an exploration can inject. */
export type FaultKind = (typeof FAULT_KINDS)[number]

/** A number for each kind of fault: how many may occur, or have occurred. */
export type FaultCounts = Readonly<Record<FaultKind, number>>

/** The most faults of each kind, which may occur at any time; a kind that is omitted does not. */
export interface FaultOptions extends Partial<FaultCounts> {
  /** A recovering node takes the id of another node instead of its own. */
  readonly reappear?: boolean
  /** The delay of the failure detector in mode clocked; 1 by default. */
  readonly detect?: 'off' | number
  /** Positions of nodes that are dead from the beginning; a detector has reported them. */
  readonly dead?: readonly number[]
  /** Cuts and partitions may also be of one direction. */
  readonly oneWay?: boolean
  /** In mode clocked: each timer fires up to so many units of time early or late. */
  readonly drift?: number
}

/** Recoveries are no faults by themselves: only crashed nodes recover. */
export function anyFault(faults: FaultOptions): boolean {
  const { crashes, losses, duplicates, cuts, dead, partitions, pauses, drift } = faults
  const counts = [crashes, losses, duplicates, cuts, dead?.length, partitions, pauses, drift]
  return counts.some((count) => (count ?? 0) > 0)
}

/** A search without a limit of its own stops after so many states: after some seconds. */
export const MOST_STATES = 2_000_000

/** Of up to so many nodes every arrangement of the ids is explored by default, of more only one. */
export const MOST_ARRANGED = 5

/** The number of nodes that is explored by default: complete networks have more states. */
export function defaultNodes(topology: Needs['topology']): number {
  return topology === 'complete' ? 3 : 4
}

/** The largest term that is explored; terms grow without end. */
const MOST_TERM = 2

/**
 * The default options of an exploration: the weakest model in which the algorithm must be correct,
 * derived from what it needs, with bounds where its states would have no end. `starts` are the
 * nodes that a scenario starts; they matter only for an algorithm that needs all of them to start
 * together.
 */
export function defaultOptions(
  algorithm: Algorithm,
  starts: Iterable<number>,
): Pick<ModelOptions, 'mode' | 'wake' | 'bounds'> & { readonly order: 'fifo' | 'any' } {
  const bounds = defaultBounds(algorithm)
  return {
    mode: defaultMode(algorithm),
    order: defaultOrder(algorithm),
    wake: algorithm.needs.start === 'together' ? [...starts] : 'any',
    ...(Object.keys(bounds).length > 0 && { bounds }),
  }
}

/** Messages overtake each other unless links must not let them, or nothing can. */
export function defaultOrder({ needs, meet }: Algorithm): 'fifo' | 'any' {
  return needs.order === 'fifo' || needs.time === 'rounds' || meet !== null ? 'fifo' : 'any'
}

/** The bounds of the state fields that hold terms. */
function defaultBounds({ layout }: Algorithm): Readonly<Record<string, number>> {
  const terms = Object.entries(layout.own).filter(([, { sort }]) => sort === 'term')
  return Object.fromEntries(terms.map(([name]) => [name, MOST_TERM]))
}

/**
 * A round is one unit of time. Where delays are bounded, messages take one or two units: without a
 * clock there is no bound, and in rounds all delays are equal. Where clocks measure time, each
 * message takes one unit: with more the state space grows fast. Who stabilizes from any state never
 * ceases to send, and without a clock unread messages would pile up without end.
 */
export function defaultMode({ needs, problem }: Algorithm): Mode {
  if (problem?.anyStart) return { clocked: 1 }
  if (needs.time === 'rounds' || needs.time === 'clocks') return { clocked: 1 }
  return needs.time === 'bounded delay' ? { clocked: 2 } : 'untimed'
}

/**
 * The delays of a scenario for an algorithm that knows their bound: those that the mode allows, so
 * that the bound that the nodes know is the one that holds.
 */
export function boundedDelay({ needs }: Algorithm, mode: Mode): { readonly delay?: string } {
  const bounded = typeof mode !== 'string' && needs.time === 'bounded delay'
  return bounded ? { delay: `uniform:1:${mode.clocked}` } : {}
}
