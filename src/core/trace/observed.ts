import type { Algorithm, MessageKind, TimerKind } from '../language/algorithm.ts'
import type { Driver } from '../runtime/driver.ts'
import type { AnyBody } from '../runtime/message-codec.ts'
import type { State } from '../runtime/state.ts'

/** The node that handles an event, and where the event came from. */
export type HandledAt = Pick<Driver, 'position' | 'from' | 'up' | 'wasDeferred'>

/** Sees what handlers are given, before they run. It must not change it. */
export interface HandlerObserver {
  message(kind: MessageKind, my: State, body: AnyBody, net: HandledAt): void
  /** The handler of the last message has returned. */
  handled(net: HandledAt): void
  fires(timer: TimerKind, my: State, net: HandledAt): void
  /** Two nodes meet, in these states. */
  meets?(my: State, other: State): void
  /** A timer of a node is set, and fires at this time; rounds count from 0 here. */
  timerSet(node: number, timer: number, due: number): void
}

/** The same algorithm; an observer sees each message and timer before its handler. */
export function observed(algorithm: Algorithm, observer: HandlerObserver | undefined): Algorithm {
  if (observer === undefined) return algorithm
  return {
    ...algorithm,
    kinds: algorithm.kinds.map((kind) => ({
      ...kind,
      handle(my, body, net) {
        observer.message(kind, my, body, net as Driver)
        kind.handle(my, body, net)
        observer.handled(net as Driver)
      },
    })),
    timers: algorithm.timers.map((timer) => ({
      ...timer,
      fire(my, net) {
        observer.fires(timer, my, net as Driver)
        timer.fire(my, net)
      },
    })),
  }
}
