import type { Term } from './counter.ts'
import type { Body, Message, Timer } from './message.ts'
import type { Uid } from './value-types.ts'

declare const linkMark: unique symbol

/** The number that a node gives to one of its links. */
export type Link = number & LinkMark

/** A mark for the compiler, as of `Real`: on a ring a proof knows all links of a node. */
export interface LinkMark {
  readonly [linkMark]?: 'on a complete network a proof knows which link it is, and nothing else'
}

/** On a ring: towards the next position, clockwise. */
export const left: Link = 0
/** On a ring: towards the position before, counter-clockwise. */
export const right: Link = 1

/**
 * A random delay: a whole number from `from` to `to` where both are whole, else any number between.
 * Handlers do not see what is drawn, so that the checker need not try every number.
 */
export interface RandomDelay {
  readonly from: number
  readonly to: number
}

/** What a leader leads in, and for how long. */
export interface Office {
  readonly term: Term
  /**
   * Leadership ends when the present setting of this timer is due, before any handler sees that
   * moment; also if the timer is set again or cancelled meanwhile. Only another `net.lead` moves
   * the end, in silence where the term is the same. Without a setting that is still to come, and
   * in a term that is over for this node, the call has no effect. Needs `time: 'clocks'`.
   */
  readonly while?: Timer
}

/** The operations that every algorithm has. Handlers reach the world only through them. */
export interface Anywhere {
  /**
   * The link over which the message being handled arrived; -1 where there is none: at a start, for
   * a timer, and for a request of the application at this node.
   */
  readonly from: Link
  readonly links: readonly Link[]
  readonly degree: number
  send<M extends Message>(link: Link, message: M, body: Body<M>): void
  sendAll<M extends Message>(message: M, body: Body<M>): void
  /** To every neighbour but the one whose message is being handled. */
  sendOthers<M extends Message>(message: M, body: Body<M>): void
  /** Sets the timer, or sets it again; the delay is in rounds when synchronous. */
  after(delay: number, timer: Timer): void
  cancel(timer: Timer): void
  /**
   * This node becomes leader, in a term where leaders are elected term by term. A leader that calls
   * it with another term leads in that term from then on. With `while` its leadership is bound to
   * the present setting of a timer: see `Office`.
   */
  lead(office?: Office): void
  /** This node follows the leader with this id; null on anonymous networks. */
  follow(leader: Uid | null): void
  /** The outcome is open again: this node neither leads nor follows. */
  withdraw(): void
  /** This node terminates: later messages are received and counted, but not handled. */
  stop(): void
  /**
   * Defers the message being handled: it is offered again after the next one that is handled here.
   * It is not counted again. Only for algorithms that declare `defers`.
   */
  defer(): void
}

/** What a node can do in a meeting: nothing but decide about itself. */
export type MeetingNet<K extends keyof Knowledge = never> = Pick<
  Anywhere,
  'lead' | 'follow' | 'withdraw'
> & {
  /** Whether this node began the meeting; the other one responds. */
  readonly initiator: boolean
} & ('n' extends K ? Knowledge['n'] : unknown) &
  ('coins' extends K ? Pick<Knowledge['coins'], 'choose' | 'random'> : unknown)

/** Further knowledge of an algorithm, by the words of its `needs`. */
export interface Knowledge {
  ring: {
    /** The link opposite to the one over which the message arrived. */
    readonly onward: Link
  }
  /** The number of nodes. */
  n: { readonly n: number }
  /** The ids of the neighbours. */
  peers: { peer(link: Link): Uid }
  /** The output of the failure detector, which may be late or wrong. */
  liveness: { up(link: Link): boolean }
  /** The weight of a link. */
  weights: { weight(link: Link): number }
  /** Who votes. In the simulator and the checker all nodes do. */
  voters: {
    /**
     * Whether the nodes behind these links, and this node if `own`, are a majority of the voters;
     * of both sets of voters while they change.
     */
    majority(links: Iterable<Link>, own: boolean): boolean
  }
  /** Which start of this node this is. */
  incarnation: {
    /** It differs for every start of the same node, also after a crash that lost its memory. */
    readonly incarnation: string
  }
  /** The diameter of the network, as nodes are told. */
  diameter: {
    /** No two nodes are farther from each other, unless a scenario gives less on purpose. */
    readonly diameter: number
  }
  /** Sense of direction on a complete network: all nodes agree on a cycle. */
  direction: {
    /** The link to the node `places` further along the cycle, from 1 to n - 1. */
    along(places: number): Link
    /** The distance along the cycle to the other end of a link. */
    places(link: Link): number
  }
  coins: {
    /** A random integer from 0 to k - 1; the checker explores every one. */
    choose(k: number): number
    /** A random number from 0 up to but not including 1. */
    random(): number
    /** True with probability p; the checker explores both, unless p is 0 or 1. */
    chance(p: number): boolean
    /** A random link to gossip over; null where there is none this time. */
    pick(): Link | null
    /**
     * A random moment from 0 up to `span`. The checker explores all moments that make a difference;
     * without a clock, where timers fire at any time, there is only one.
     */
    moment(span: number): number
    /**
     * Sets the timer after a random delay. Without a clock the checker only chooses the order in
     * which timers fire; with one it tries every whole delay, or a few of them.
     */
    after(delay: RandomDelay, timer: Timer): void
  }
}

type Both<U> = (U extends unknown ? (part: U) => void : never) extends (all: infer I) => void
  ? I
  : never

/** The net as seen by an algorithm that knows K: `Net<'ring' | 'n'>`. */
export type Net<K extends keyof Knowledge = never> = [K] extends [never]
  ? Anywhere
  : Anywhere & Both<Knowledge[K]>
