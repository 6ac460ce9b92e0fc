import {
  type CodecDispatch,
  codecDispatch,
  codecsOf,
  deferredMessages,
} from '../runtime/message-codec.ts'

import { engineFields, type Outcome, type State, StateLayout } from '../runtime/state.ts'
import type { AggregateReport, Computation, NodeInput } from './aggregate.ts'
import { type Clauses, type Invariant, invariantOf } from './clause.ts'
import { type Display, displayIn, type Reasons } from './display.ts'
import {
  type Action,
  type Body,
  indexBySerial,
  type Message,
  type MessageKind,
  messageKinds,
  type Timer,
  type TimerKind,
  timerKinds,
} from './message.ts'

import type { Knowledge, Link, MeetingNet, Net } from './net.ts'
import type { Problem, Property } from './problem.ts'
import type { NetworkFacts, Theory } from './theory.ts'
import { refuseReserved, type Unreserved } from './validation/reserved-names.ts'
import { validateDefinition } from './validation/validate-definition.ts'
import type { Fields, Uid, Values } from './value-types.ts'

/** The assumptions of an algorithm. It cannot use what it does not declare. */
export interface Needs {
  /** tree: a network without cycles. hypercube: positions that differ in one bit are linked. */
  readonly topology: 'ring' | 'complete' | 'tree' | 'hypercube' | 'any'
  /** unique: compared only. numbers: also computed with. Left out: the nodes are anonymous. */
  readonly ids?: 'unique' | 'numbers'
  /**
   * direction: sense of direction; without it link numbers on complete networks are random. On a
   * hypercube link b leads across coordinate b. inputs: the current input of a node to an
   * aggregation. voters: who votes. incarnation: which start of this node it is. diameter: the
   * largest distance of two nodes, or a bound on it.
   */
  readonly knows?: readonly (
    | 'n'
    | 'peers'
    | 'liveness'
    | 'weights'
    | 'direction'
    | 'inputs'
    | 'voters'
    | 'incarnation'
    | 'diameter'
  )[]
  /**
   * rounds: needs synchronous rounds. bounded delay: knows the largest delay of a message. clocks:
   * timers measure real time up to a ratio of clock rates, while delays have no bound.
   */
  readonly time?: 'rounds' | 'bounded delay' | 'clocks'
  /** fifo: links must deliver messages in the order of sending. */
  readonly order?: 'fifo'
  /** together: all nodes start spontaneously at the same moment. */
  readonly start?: 'together'
  /** Uses `choose` or `random`. */
  readonly coins?: true
}

/** A world that an algorithm cannot handle. */
interface Refusal {
  readonly problem: string
  readonly hint: string
  readonly field?: string
  /** Set where it can run all the same, and fails: `allow-weaker` then shows that. */
  readonly weaker?: true
}

/** A parameter: a number or one of a few words, with a default that may depend on the world. */
export interface Param<C extends string = string> {
  readonly says: string
  /** The words; left out where it is a number. */
  readonly choices?: readonly C[]
  value(facts: NetworkFacts): number | C
}

declare const settingMark: unique symbol

/** A parameter that is a number, with a mark for the compiler, as of `Real`. */
type Setting = number & SettingMark

export interface SettingMark {
  readonly [settingMark]?: 'a proof lets it be the delay of a timer, and nothing else'
}

type ParamValue<P, Number = number> = P extends { readonly choices: readonly (infer C)[] }
  ? C
  : Number

/** The values of parameters, by name. */
export type Settings<P> = { readonly [K in keyof P]: ParamValue<P[K]> }

/** The same as handlers see them. */
type MySettings<P> = { readonly [K in keyof P]: ParamValue<P[K], Setting> }

type KnowledgeOf<N extends Needs> =
  | (N extends { topology: 'ring' } ? 'ring' : never)
  | (N extends { knows: readonly (infer K)[] }
      ? Exclude<Extract<K, keyof Knowledge>, Cycleless<N>>
      : never)
  | (N extends { coins: true } ? 'coins' : never)

/** On a hypercube the numbers of links are the directions: there is no cycle to go along. */
type Cycleless<N extends Needs> = N extends { topology: 'hypercube' } ? 'direction' : never

/**
 * The net of a definition with these needs, for the functions that its handlers share:
 * `function announce(net: NetOf<typeof needs>)`, where `needs` is declared `as const`.
 */
export type NetOf<N extends Needs> = N extends { ids: 'numbers' }
  ? NumericIds<N> & Net<KnowledgeOf<N>>
  : Net<KnowledgeOf<N>>

/** The net of definitions with `ids: 'numbers'` gives and takes ids as numbers. */
type NumericIds<N extends Needs> = {
  follow(leader: number | null): void
} & ('peers' extends KnowledgeOf<N> ? { peer(link: Link): number } : unknown)

/** Ids as the handlers of a definition see them. */
type IdOf<N extends Needs> = N extends { ids: 'numbers' } ? number : Uid

/** The state of a node as its own handlers see it. */
export type My<N extends Needs, S extends Fields = Fields, P = unknown> = Outcome<IdOf<N>> &
  (N extends { ids: string } ? { readonly id: IdOf<N> } : unknown) &
  (N extends { knows: readonly (infer K)[] }
    ? 'inputs' extends K
      ? NodeInput
      : unknown
    : unknown) &
  DiameterOf<N> &
  Values<S> &
  MySettings<P>

type DiameterOf<N extends Needs> = N extends { knows: readonly (infer K)[] }
  ? 'diameter' extends K
    ? { readonly diameter: number }
    : unknown
  : unknown

/**
 * What a handler may return: anything but a promise, since nothing waits for it. A plain `void`
 * would accept async functions.
 */
type Returned =
  | undefined
  | null
  | number
  | string
  | boolean
  | bigint
  | symbol
  | (object & { readonly then?: never })
  // biome-ignore lint/suspicious/noConfusingVoidType: most handlers return nothing.
  | void

/** The definition of an algorithm: its needs, what nodes hold and send, and how they act. */
export interface Definition<
  N extends Needs,
  M extends Record<string, Message>,
  S extends Fields,
  T extends Record<string, Timer>,
  P extends Record<string, Param>,
> {
  readonly name: string
  readonly needs: N
  readonly messages: M
  /** The message that announces the leader; proven counts do not include it. */
  readonly announcement?: keyof M & string
  /** The winner: the node with the largest id, or possibly another node. */
  readonly elects?: 'largest' | 'another'
  /**
   * Where an attribute decides who leads: makes the algorithm that replaces this one and elects the
   * largest key. initiators: this one does, among the nodes that start by themselves. Without it,
   * `elects: 'another'` rules attributes out.
   */
  readonly byAttribute?: 'initiators' | ((original: Algorithm) => Algorithm)
  /** Whether a node took part: only of these nodes the largest must win. All do if left out. */
  readonly candidate?: (my: My<N, S, P>) => boolean
  /** The default initiators: all nodes, or only position 0. */
  readonly starters?: 'all' | 'first'
  /**
   * It answers crashes, recoveries and link changes as long as it runs. Nodes never stop: an
   * election has ended when no message is in flight and no timer is set.
   */
  readonly lasting?: true
  /**
   * The problem that it solves, which says what is judged: `leaderElection` by default,
   * `leaderPerTerm`, `aggregation(...)`, or one of your own with its own properties.
   */
  readonly problem?: Problem
  /**
   * never: it sends or sets timers for ever, such as heartbeats. Runs end at a limit of time, and
   * what must hold at the end must hold from some time on instead.
   */
  readonly quiet?: 'never'
  /**
   * The longest time that an old leader may lead beside a new one after a recovery or a new link.
   */
  readonly handover?: (facts: Pick<NetworkFacts, 'n' | 'largestDelay'>) => number
  /** Whether a handler uses `net.defer`. */
  readonly defers?: true
  readonly timers?: T
  readonly params?: P & Readonly<Record<keyof P, Param>>
  /** The algorithm that replaces it with these settings; null where none does. */
  readonly variant?: (settings: MySettings<P>) => Algorithm | null
  readonly state: S
  /** Whether a node that is woken by a message first starts like an initiator. */
  readonly wakes: boolean
  readonly start: (my: My<N, S, P>, net: NetOf<N>) => Returned
  /** Starts a node that recovers from a crash; `start` is used if left out. */
  readonly recover?: (my: My<N, S, P>, net: NetOf<N>) => Returned
  readonly on: {
    readonly [K in keyof M]: (my: My<N, S, P>, body: Body<M[K]>, net: NetOf<N>) => Returned
  }
  readonly timeout?: {
    readonly [K in keyof T]: (my: My<N, S, P>, net: NetOf<N>) => Returned
  }
  /**
   * In place of messages: two neighbours meet, one as the initiator. It is called at both, each
   * with the state of the other one before the meeting; what both do takes effect at once.
   */
  readonly meet?: (
    my: My<N, S, P>,
    other: Readonly<My<N, S, P>>,
    net: MeetingNet<KnowledgeOf<N>>,
  ) => Returned
  /**
   * The detector reports that the node behind a link has crashed or the link is cut; and that it is
   * up again. A notice reaches sleeping nodes, too, and does not wake them.
   */
  readonly down?: (my: My<N, S, P>, link: Link, net: NetOf<N>) => Returned
  readonly up?: (my: My<N, S, P>, link: Link, net: NetOf<N>) => Returned
  /** The links of a node in the spanning tree that the algorithm builds. */
  readonly tree?: (my: My<N, S, P>) => readonly Link[]
  /**
   * Why the algorithm cannot run in this world, and a hint; null where it can. `field` is the field
   * of the scenario to change: the ids if left out.
   */
  readonly beyond?: (facts: NetworkFacts) => Refusal | null
  /** The aggregate that it computes, if it is no election. */
  readonly computes?: Computation<keyof M & string>
  /** The result about all values that nodes learn, if there is one. */
  readonly finds?: AggregateReport<My<N, S, P>>
  /** What pictures show of a node. */
  readonly display?: NoInfer<Display<My<N, S, P>, M, keyof T & string>>
  /** Why nodes do what they do, in a line for each message type and timer. */
  readonly reasons?: NoInfer<Reasons<My<N, S, P>, M, T>> & MeetingReason<My<N, S, P>>
  /** What holds in all states of all runs on all networks: `prove` shows it by induction. */
  readonly invariant?: (clauses: Clauses<My<N, S, P>>) => Invariant
  /** Its theory; may be left out. */
  readonly theory?: Theory
}

/** Why a meeting changes what it changes, said of the initiator; `my` is its state before. */
interface MeetingReason<My> {
  readonly meet?: (my: My, other: My) => string | null
}

type Notice = (my: State, link: Link, net: unknown) => void
type Meeting = (my: State, other: Readonly<State>, net: unknown) => void

export type { MessageKind, TimerKind }

/**
 * A definition made ready for the drivers. `S` are the fields of its state, `M` the names of its
 * message types in lower case, `P` the values of its parameters: results and properties are typed
 * by them.
 */
export interface Algorithm<
  S extends Fields = Fields,
  M extends string = string,
  P extends Record<string, number | string> = Record<string, number | string>,
> {
  readonly name: string
  readonly needs: Needs
  readonly theory: Theory
  readonly params: { readonly [K in keyof P]: Param & { value(facts: NetworkFacts): P[K] } }
  readonly variant: (settings: Readonly<Record<string, number | string>>) => Algorithm | null
  readonly wakes: boolean
  readonly elects: 'largest' | 'another'
  /** How the largest key is elected; null where it is not. */
  readonly byAttribute: 'initiators' | ((original: Algorithm) => Algorithm) | null
  readonly candidate: ((my: State) => boolean) | null
  readonly starters: 'all' | 'first'
  readonly lasting: boolean
  /** null: the problem is leader election. */
  readonly problem: Problem | null
  /** What its author demands besides: the properties that its file exports. */
  readonly demands: readonly Property[]
  /** never: no run becomes quiet; null where runs do. */
  readonly quiet: 'never' | null
  readonly handover: (facts: Pick<NetworkFacts, 'n' | 'largestDelay'>) => number
  readonly defers: boolean
  /** The aggregate that it computes; null for elections. */
  readonly computes: Computation | null
  /** The result that its nodes learn; null where they only elect. */
  readonly finds: AggregateReport<State> | null
  /** What pictures show of a node; null where nothing is said about it. */
  readonly display: Omit<Display<State>, 'decides' | 'seen'> | null
  /** Whether its handlers see only what is declared: see `sealed`. */
  readonly sealed: boolean
  /** Whether its messages carry the number of an attempt: see `restarting`. */
  readonly restarts: boolean
  readonly kinds: readonly MessageKind<M>[]
  readonly codecs: CodecDispatch
  readonly timers: readonly TimerKind[]
  /** The index of a message or timer, by its serial number; undefined for another algorithm's. */
  readonly kindBySerial: readonly (number | undefined)[]
  readonly timerBySerial: readonly (number | undefined)[]
  readonly layout: StateLayout<S>
  readonly start: Action
  readonly recover: Action
  readonly down: Notice | null
  readonly up: Notice | null
  /** How two nodes meet; null where nodes send messages. */
  readonly meet: Meeting | null
  readonly meetReason: ((my: State, other: State) => string | null) | null
  readonly tree: ((my: State) => readonly Link[]) | null
  readonly beyond: NonNullable<Definition<Needs, never, Fields, never, never>['beyond']>
  readonly invariant: () => Invariant
  /** The schema on which two processes must agree to run it together. */
  readonly schema: string
}

/**
 * The state of a node of an algorithm as properties see it: the types of its own fields and of the
 * parameters are known. `id` is absent where nodes are anonymous.
 */
export type StateOf<A extends Algorithm> =
  A extends Algorithm<infer S, string, infer P>
    ? string extends keyof S
      ? State
      : Outcome<Uid> & { readonly id?: Uid } & Values<S> & Readonly<P>
    : State

const UNKNOWN: Theory = {
  authors: 'authors not stated',
  idea: '',
  because: '',
  breaks: '',
  example: '',
  cost: 'not stated',
  bounds: [],
}

/** Makes an algorithm from its definition. */
export function algorithm<
  const N extends Needs,
  M extends Record<string, Message>,
  S extends Fields,
  T extends Record<string, Timer> = Record<never, Timer>,
  const P extends Record<string, Param> = Record<never, Param>,
>(
  definition: Definition<N, M, S, T, P> & { readonly state: Unreserved<S, N, P> },
): Algorithm<S, Lowercase<keyof M & string>, Settings<P>> {
  validateDefinition(definition)
  const { name, wakes } = definition
  // Nodes that meet all start before the first meeting.
  const together = definition.meet && { start: 'together' as const }
  const needs: Needs = { ...definition.needs, ...together }
  const diameter = needs.knows?.includes('diameter') && { diameter: DIAMETER }
  const params = { ...definition.params, ...diameter }
  const messages = Object.entries(definition.messages)
  const timers = Object.entries(definition.timers ?? {})
  refuseReserved(definition)
  const codecs = codecsOf(messages.map(([, { fields }]) => fields))
  const kinds = messageKinds<Lowercase<keyof M & string>>(messages, codecs, definition)
  return {
    name,
    needs,
    theory: { ...UNKNOWN, ...definition.theory },
    params: params as never,
    variant: (settings) => definition.variant?.(settings as Settings<P>) ?? null,
    wakes,
    elects: definition.elects ?? 'largest',
    byAttribute: definition.byAttribute ?? null,
    candidate: (definition.candidate as unknown as Algorithm['candidate']) ?? null,
    starters: definition.starters ?? 'all',
    // Nodes that meet do so for ever, and answer no crash.
    lasting: definition.lasting ?? (definition.quiet === 'never' && !definition.meet),
    problem: definition.problem ?? null,
    demands: [],
    quiet: definition.quiet ?? (definition.meet ? 'never' : null),
    handover: definition.handover ?? (() => Number.POSITIVE_INFINITY),
    defers: definition.defers ?? false,
    computes: definition.computes ?? null,
    finds: (definition.finds as Algorithm['finds'] | undefined) ?? null,
    display: displayIn(definition),
    sealed: false,
    restarts: false,
    kinds,
    codecs: codecDispatch(codecs),
    timers: timerKinds(timers, definition),
    kindBySerial: indexBySerial(messages),
    timerBySerial: indexBySerial(timers),
    layout: new StateLayout<S>(
      definition.defers
        ? { ...definition.state, waiting: deferredMessages(codecs) }
        : definition.state,
      needs.ids !== undefined,
      Object.keys(params),
      needs.knows?.includes('inputs') ? ['value', 'chosen'] : [],
      engineFields(needs),
    ),
    start: definition.start as unknown as Action,
    recover: (definition.recover ?? definition.start) as unknown as Action,
    down: (definition.down as unknown as Notice) ?? null,
    up: (definition.up as unknown as Notice) ?? null,
    meet: (definition.meet as unknown as Meeting) ?? null,
    meetReason: (definition.reasons?.meet as unknown as Algorithm['meetReason']) ?? null,
    tree: (definition.tree as unknown as Algorithm['tree']) ?? null,
    beyond: definition.beyond ?? (() => null),
    invariant: invariantOf(name, definition.invariant),
    schema: `${name}(${kinds.map((kind) => `${kind.name}{${kind.codec.schema}}`).join(';')})`,
  }
}

/** What all nodes know of the network is a parameter: a scenario may give another value. */
const DIAMETER: Param = {
  says: 'what nodes take for the diameter of the network; by default it is right',
  value: ({ diameter }) => diameter,
}
