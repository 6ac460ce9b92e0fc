import type { State } from '../runtime/state.ts'
import type { Algorithm } from './algorithm.ts'
import type { Clause, StepClause } from './clause.ts'

/** A global state of a run, as properties see it. */
export interface GlobalState<S = State> {
  readonly n: number
  state(node: number): Readonly<S>
  /** For reading many states, where that is faster: each is valid until the next is read. */
  cursor?(): (node: number) => Readonly<S>
  alive(node: number): boolean
  /** The name of a node: its id where it has one, else its position. */
  name(node: number): string
  /** The component of a live node: equal for nodes that can reach each other. */
  component(node: number): number
  /** The live leaders, in the order in which they became leader. */
  readonly leaders: readonly number[]
  /**
   * Whether two leaders at once are no violation: after a recovery or a new link the old leader
   * leads until it hears of the new one.
   */
  handover?(first: number, second: number): boolean
  /** Whether a live node handles nothing for a while, where that is known. */
  paused?(node: number): boolean
  /** Whether no message is in flight, where that is known. */
  readonly idle?: boolean
  /** The messages in flight, the older ones of a channel first; only in explorations. */
  readonly inFlight?: readonly MessageInFlight[]
  /** For how long no node has led since the last fault; only where an exploration tells it. */
  readonly leaderless?: number
  /** Live nodes that stopped leading in the last step. */
  readonly deposed: readonly number[]
  /** By how much the last meeting changed the number of leaders; only where nodes meet. */
  readonly gained?: number
  /**
   * Who has led in which term so far, also nodes that lead no more or have crashed. Only where
   * leaders are elected term by term.
   */
  readonly leads?: readonly TermLeader[]
  /**
   * Whom nodes have followed so far by name, also those that follow another or nobody since: each
   * pair of a node and a leader once, in an exploration; each leader once, in a run. Only in
   * elections without terms that fall silent, and in explorations only without faults.
   */
  readonly followed?: readonly Followed[]
  /**
   * Who sends in the long run: later than one period after the outcome became stable. Only at the
   * end of a run that never falls silent, and for properties of the long run.
   */
  readonly senders?: readonly number[]
}

/** A message on its way, by the positions of its sender and its receiver. */
export interface MessageInFlight {
  readonly from: number
  readonly to: number
  /** The link of the receiver over which it arrives. */
  readonly link: number
  /** The number of its type among the messages of the definition. */
  readonly kind: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A node that led in a term, at some time. */
export interface TermLeader {
  readonly node: number
  readonly term: number
}

/** A node has called `net.follow` with the id of this leader. */
export interface Followed {
  readonly node: number
  readonly leader: number
}

/**
 * A property. Always: an invariant of every state (safety). At the end: holds when the run is
 * quiet. From some time on: holds in all states from some time on (stability); a run decides it up
 * to its end, the checker for every weakly fair run. In the long run: holds at the end of a run
 * that never falls silent, of what happens while the outcome is stable. Eventually: holds at some
 * point of every weakly fair run (liveness); only the checker, which knows all runs, decides it.
 */
export interface Property<S = State> {
  readonly name: string
  /** The same in a sentence. */
  readonly says?: string
  readonly when: 'always' | 'at the end' | 'from some time on' | 'in the long run' | 'eventually'
  /** It may hold again after a violation, whose duration is reported. */
  readonly passes?: true
  /**
   * The part of the state that it depends on: the leaders; the outcomes (who leads or has led, who
   * follows whom); or the states of single nodes, each by itself. If left out, it may depend on
   * everything: partial-order reduction is ruled out, and a run judges it after each event.
   */
  readonly sees?: 'leaders' | 'outcomes' | 'single nodes'
  /**
   * It holds in a state if and only if it holds where nodes that are alike have changed places: it
   * tells no positions apart. If left out, it may, and symmetry reduction is ruled out.
   */
  readonly symmetric?: true
  /**
   * How long it may be broken in the same way at a stretch; null where that is not known. Only runs
   * judge such a property, and only where links lose nothing and are quick against that time.
   */
  within?(global: GlobalState<S>): number | null
  /** Tolerates a handover: an old leader may lead beside a new one for a limited time. */
  readonly handsOver?: true
  /**
   * What implies the property if it holds in all states, or of all steps. Only with it can the
   * property be proved for every n.
   */
  readonly universal?: Clause | StepClause
  /** The violation in this state, in words; null where there is none. */
  broken(global: GlobalState<S>): string | null
  /** Why the property cannot be decided, in words; null, or left out, where it can. */
  moot?(global: GlobalState<S>): string | null
  /** Why nothing is promised in the last state of a run, in words: it then holds. */
  unpromised?(global: GlobalState<S>): string | null
}

/** How a detail begins if a property holds in all runs but some of probability 0. */
export const ALMOST_SURELY = 'with probability 1'
/** How a detail begins if a property holds because it demands nothing in this run. */
export const UNPROMISED = 'nothing is promised'

/** The result of evaluating one property on a run, or on all runs. */
export interface Verdict {
  readonly name: string
  /** null: undecided. The run was cut off, not every state was explored, or no node is alive. */
  readonly holds: boolean | null
  readonly detail: string
}

/** What a definition says about its algorithm that decides what must hold. */
export type ProblemTraits = Pick<Algorithm, 'elects' | 'lasting' | 'quiet' | 'needs'> & {
  readonly candidate?: Algorithm['candidate']
  /** Set where nodes meet in place of sending messages. */
  readonly meet?: Algorithm['meet']
  /** The attribute that decides who leads, where it is not the id. */
  readonly attribute?: string
}

/** A problem: the specification that its algorithms must meet. */
export interface Problem {
  readonly name: string
  /** Leaders are elected term by term: `net.lead` needs the term, and `leads` is kept. */
  readonly terms?: true
  /** In `leads` terms stand in the order of time, also in the checker. */
  readonly ordered?: true
  /** Runs may begin in any state: see `corrupt` and `tables` of a scenario. */
  readonly anyStart?: true
  /** The properties, or the properties of runs without faults and with them. */
  readonly properties:
    | readonly Property[]
    | ((faults: boolean, traits: ProblemTraits) => readonly Property[])
}

/** Whether explorations without faults keep whom nodes have followed. */
export function keepsFollowed({ problem, quiet }: Algorithm): boolean {
  return quiet !== 'never' && problem?.terms !== true
}

/** Pairs of leaders that can reach each other, the older leader first. */
export function rivals(global: GlobalState): [number, number][] {
  const leaderOf = new Map<number, number>()
  return global.leaders.flatMap((node): [number, number][] => {
    const component = global.component(node)
    const rival = leaderOf.get(component)
    leaderOf.set(component, node)
    return rival === undefined ? [] : [[rival, node]]
  })
}
