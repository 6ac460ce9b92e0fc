import type { Delay } from '../sim/index.ts'

/**
 * A time of a run: of a synchronous one the number of a round, from 1; else any number from 0, in
 * the unit of the delays.
 */
type Time = number

/** A model of delays; those of links are listed by the ends of each link. */
export type DelayOption =
  | Exclude<Delay, { readonly model: 'links' | 'serial' }>
  | { readonly model: 'serial'; readonly delay: number }
  | { readonly model: 'links'; readonly delays: readonly LinkDelay[] }

/** The delay of the messages over one link, in both directions. */
export interface LinkDelay {
  readonly link: readonly [number, number]
  readonly delay: number
}

/** When a fault begins and ends: without `from` at the start, without `to` never. */
export interface FaultSpan {
  readonly from?: Time
  readonly to?: Time
}

/** A node that starts by itself; without `at` at the beginning. */
export interface NodeStart {
  readonly node: number
  readonly at?: Time
}

/** A node that crashes; without `at` it was never up. */
export interface CrashFault {
  readonly node: number
  readonly at?: Time
}

/** A share of the live nodes, drawn at random, that crashes. */
export interface CrashShareFault {
  readonly share: number
  readonly at: Time
}

/** A crashed node that recovers, under another id if one is given. */
export interface RecoveryFault {
  readonly node: number
  readonly at: Time
  readonly id?: number
  /** Without its memory: its stable storage is lost, too. */
  readonly amnesia?: boolean
}

/** A node that stays up, but no longer wants to be leader. */
export interface RetirementFault {
  readonly node: number
  readonly at: Time
}

/** A live node that the failure detector reports as crashed. */
export interface SuspicionFault extends FaultSpan {
  readonly node: number
}

/** Groups of nodes that cannot reach each other. */
export interface PartitionFault extends FaultSpan {
  readonly groups: readonly (readonly number[])[]
}

/** A link that is cut, by the positions of its ends. */
export interface CutFault extends FaultSpan {
  readonly link: readonly [number, number]
  /** Only messages from the first end to the second are lost. */
  readonly oneWay?: boolean
}

/** A node that handles nothing for a while; its clock goes on. */
export interface PauseFault extends FaultSpan {
  readonly node: number
}

/** One message, by its number in the trace, that is lost or arrives at a time of its own. */
export type MessageFault =
  | { readonly drop: number; readonly at?: Time }
  | { readonly arrive: number; readonly at: Time }

/**
 * The world of a run. Every option has the default of the command line, and takes the text of its
 * flag too: `crash: [{ node: 1, at: 4 }]` is `crash: '1@4'`.
 */
export interface ScenarioOptions {
  /** The network with its size, `'ring:8'`, or its edges; by default what the algorithm needs. */
  readonly topology?: string | { readonly edges: readonly (readonly [number, number])[] }
  /** The number of nodes, 8 by default. */
  readonly n?: number
  /** By position, or a pattern; `'random'` by default. */
  readonly ids?: readonly number[] | IdPattern | (string & {})
  /**
   * `'sync'` are synchronous rounds; by default where the algorithm needs them. `'pairs'`: nodes
   * meet; by default where the definition has `meet`.
   */
  readonly timing?: 'sync' | 'async' | 'pairs'
  /** How long messages take; one unit of time by default. */
  readonly delay?: DelayOption | 'unit' | (string & {})
  /** Whether links keep the order of messages; `'fifo'` by default. */
  readonly order?: 'fifo' | 'any'
  /** Which nodes start by themselves; by default all, or the first where one is enough. */
  readonly wake?:
    | readonly (number | NodeStart)[]
    | { readonly rate: number }
    | 'all'
    | (string & {})
  /** Which nodes crash. */
  readonly crash?: readonly (number | CrashFault | CrashShareFault)[] | string
  /** Which crashed nodes recover. */
  readonly recover?: readonly RecoveryFault[] | string
  /** Which nodes no longer want to be leader. */
  readonly retire?: readonly RetirementFault[] | string
  /** The delay until the failure detector reports a crash, 1 by default. */
  readonly detect?: number | 'off'
  /** Which live nodes the failure detector reports as crashed. */
  readonly suspect?: readonly (number | SuspicionFault)[] | string
  /** The probability that a message is lost. */
  readonly loss?: number
  /** The probability that a message is duplicated. */
  readonly duplicate?: number
  /** When the network falls into groups. */
  readonly partition?: readonly PartitionFault[] | string
  /** Which links are cut. */
  readonly cut?: readonly (readonly [number, number] | CutFault)[] | string
  /** Which nodes handle nothing for a while. */
  readonly pause?: readonly PauseFault[] | string
  /** The ratio by which the rates of the nodes' clocks may differ. */
  readonly drift?: number
  /** How long a node takes to commit changed stable fields. */
  readonly disk?: DelayOption | (string & {})
  /** What happens to single messages. */
  readonly tamper?: readonly MessageFault[] | string
  /** How far the nodes of a geometric network move in a unit of time. */
  readonly mobility?: number
  /** When a second election is held. */
  readonly again?: number | 'never'
  /** What the links cost, in the order of the sorted edges. */
  readonly weights?: readonly number[] | 'random' | (string & {})
  /** What the nodes hold, by position, or a pattern such as `'uniform:0:1'`. */
  readonly values?: readonly number[] | string
  /** What decides: `'id'`, `'value'`, `'value:min'`, `'degree'` or `'near:X:Y'`; ids break ties. */
  readonly electBy?: 'id' | 'value' | 'value:min' | 'degree' | (string & {})
  /** Random choices that are given, not drawn: by position, in order; the last one repeats. */
  readonly coins?: Readonly<Record<number, readonly number[]>> | string
  /** The seed of any beginning, for algorithms that stabilize from every state. */
  readonly corrupt?: number
  /** Such a beginning: by position, what a node believes of each neighbour, or null. */
  readonly tables?: readonly (readonly unknown[])[] | string
  /** Parameters of the algorithm, by name. */
  readonly set?: Settings | string | readonly string[]
  /** The time, or the round, after which a run is stopped. */
  readonly until?: number
  /** The number of messages after which a run is stopped. */
  readonly maxMessages?: number
  /** The same seed gives the same run; 1 by default. */
  readonly seed?: number
  /** Whether to run although the world is weaker than the algorithm needs. */
  readonly allowWeaker?: boolean
}

/** Values of parameters, by name. */
type Settings = Readonly<Record<string, number | string | undefined>>

/** Ids by pattern. With `'same'` all nodes have one id. */
export type IdPattern = 'increasing' | 'decreasing' | 'bit-reversal' | 'random' | 'same'
