import type { Body, Message, Timer } from './message.ts'

/** The number that a node gives to one of its links. */
export type Link = number

/** On a ring: towards the next position, clockwise. */
export const left: Link = 0
/** On a ring: towards the position before, counter-clockwise. */
export const right: Link = 1

/** What every algorithm may do, whatever it knows. A handler's only door to the world. */
export interface Anywhere {
  /** The link over which the message being handled came in. */
  readonly from: Link
  readonly links: readonly Link[]
  readonly degree: number
  send<M extends Message>(link: Link, message: M, body: Body<M>): void
  sendAll<M extends Message>(message: M, body: Body<M>): void
  /** To every neighbour but the one whose message is being handled. */
  sendOthers<M extends Message>(message: M, body: Body<M>): void
  /** Sets the alarm, again if it is set already; in rounds when synchronous. */
  after(delay: number, timer: Timer): void
  cancel(timer: Timer): void
  /** This node is the leader. */
  lead(): void
  /** Another node is: the one with this id, or unnamed on an anonymous network. */
  follow(leader: number | null): void
  /** The outcome is open again: this node neither leads nor follows anybody. */
  withdraw(): void
  /** This node is done: what still arrives is received and counted, not handled. */
  stop(): void
  /**
   * Not now: the message being handled is offered again after the next one that is handled here. It
   * is not counted again. Only for algorithms that declare `defers`.
   */
  defer(): void
}

/** What an algorithm may know besides, by the words of its `needs`. */
export interface Knowledge {
  ring: {
    /** The link opposite to the one the message came in on. */
    readonly onward: Link
  }
  /** The number of nodes. */
  n: { readonly n: number }
  /** The ids of the neighbours. */
  peers: { peer(link: Link): number }
  /** What the failure detector says; it may be late, and it may be wrong. */
  liveness: { up(link: Link): boolean }
  /** What a link costs. */
  weights: { weight(link: Link): number }
  /** On a complete network: how the links lie along a cycle that all nodes agree on. */
  direction: {
    /** The link that leads so many places along the cycle, from 1 to n - 1. */
    along(places: number): Link
    /** How many places along the cycle a link leads. */
    places(link: Link): number
  }
  coins: {
    /** A random integer from 0 to k - 1; the checker takes every one. */
    choose(k: number): number
    /** A random number from 0 up to but not including 1. */
    random(): number
    /** A random one of the links over which to gossip; null where there is none this time. */
    pick(): Link | null
    /**
     * A random moment of a span of time that begins at 0. The explorer tries all that make a
     * difference: without a clock, where alarms go off at any moment, none does.
     */
    moment(span: number): number
  }
}

type Both<U> = (U extends unknown ? (part: U) => void : never) extends (all: infer I) => void
  ? I
  : never

/** The net as seen by an algorithm that knows K: `Net<'ring' | 'n'>`. */
export type Net<K extends keyof Knowledge = never> = [K] extends [never]
  ? Anywhere
  : Anywhere & Both<Knowledge[K]>
