import type { NodeDisplay } from '../../../src/core/language/display.ts'
import type { ShownLink } from '../../../src/core/language/world.ts'
import type { DisplayFacts } from '../../../src/core/trace/node-display.ts'
import { changeReason } from '../../../src/core/trace/state-changes.ts'
import {
  byteColumn,
  type Chunk,
  integerColumn,
  type RecordedViolation,
  realColumn,
} from './columns.ts'
import { type EventKind, KINDS, numberOf } from './events.ts'

/** The end of a message that is still in flight, or is never received. */
const OPEN = -1

const SEND = numberOf('send')
const LOSE = numberOf('lose')
const DOUBLE = numberOf('double')
const RECEIVE = numberOf('receive')
const VANISH = numberOf('vanish')
const TIMEOUT = numberOf('timeout')
const [MEET, RESPOND] = [numberOf('meet'), numberOf('respond')]

function isHandled(kind: number): boolean {
  return kind === RECEIVE || kind === TIMEOUT || kind === MEET || kind === RESPOND
}

/** The facts of a run that do not depend on its events. */
export interface RunFacts {
  readonly algorithm: string
  readonly topology: string
  readonly kind: 'ring' | 'complete' | 'graph'
  readonly n: number
  /** The ids by position; null where nodes are anonymous. */
  readonly ids: ArrayLike<number> | null
  /** Pairs of positions. Left out (empty) for rings and complete networks. */
  readonly edges: ArrayLike<number>
  /** The positions of nodes in the unit square, x and y by turns; null for a circle. */
  readonly places: ArrayLike<number> | null
  /** The same after each unit of time, where nodes move. */
  readonly walk?: readonly ArrayLike<number>[]
  /** Pairs of positions whose link is cut before the run begins. */
  readonly absent?: ArrayLike<number>
  readonly unit: 'round' | 'time' | 'interaction' | 'cycle' | 'step'
  /** Names of the message types, then of the timers. */
  readonly types: readonly string[]
  readonly messageTypes: number
  /** The words of what is shown of nodes; left out where nothing is. */
  readonly display?: DisplayFacts
  /** The types of the fields of a node's own state, by name. */
  readonly fields?: Readonly<Record<string, { readonly schema: string }>>
  /** Three numbers for each link: the positions of its ends, and its weight. */
  readonly weights?: ArrayLike<number>
  /** By position, where values decide who leads. */
  readonly values?: ArrayLike<number>
}

/** One event, read out of the columns. */
export interface LoggedEvent {
  readonly at: number
  readonly kind: EventKind
  readonly node: number
  readonly peer: number
  readonly id: number
  readonly message: number
  readonly type: string
  readonly body: string
}

/**
 * The recorded part of a run: every event in columns. All views are functions of it and of a step.
 * A flight is one message, from the step that sends it to the step that ends it.
 */
export class RunLog {
  readonly at = realColumn()
  readonly kind = byteColumn()
  readonly node = integerColumn()
  readonly peer = integerColumn()
  readonly id = realColumn()
  readonly message = integerColumn()
  readonly type = byteColumn()
  readonly body = integerColumn()

  readonly first = integerColumn()
  readonly status = byteColumn()
  readonly leader = realColumn()
  readonly state = integerColumn()
  readonly display = integerColumn()
  readonly reasons = integerColumn()
  readonly estimate = realColumn()
  readonly bits = realColumn()

  /** The step that sends each flight, and the one that ends it, or OPEN. */
  readonly sentIn = integerColumn()
  readonly endedIn = integerColumn()
  /** The event that sends it: has the sender, receiver, type and body. */
  readonly sending = integerColumn()
  /** The event that ends it: it arrives, is lost or reaches a crashed node; or OPEN. */
  readonly ending = integerColumn()
  /** By event: the flight that it begins or ends; -1 for others. */
  readonly flight = integerColumn()

  readonly texts: string[] = []
  readonly violations: RecordedViolation[] = []
  /** What went wrong in the displays and reasons of the definition. */
  readonly problems: string[] = []
  private readonly displays: (NodeDisplay | undefined)[] = []
  private readonly inFlight = new Map<number, number[]>()

  constructor(readonly world: RunFacts) {}

  get steps(): number {
    return this.first.length
  }

  append({ events, steps, texts, violations, problems = [] }: Chunk): void {
    const from = this.steps
    this.problems.push(...problems)
    for (const text of texts) this.texts.push(text)
    this.violations.push(...violations)
    this.at.append(events.at)
    this.kind.append(events.kind)
    this.node.append(events.node)
    this.peer.append(events.peer)
    this.id.append(events.id)
    this.message.append(events.message)
    this.type.append(events.type)
    this.body.append(events.body)
    this.first.append(steps.first)
    this.status.append(steps.status)
    this.leader.append(steps.leader)
    this.state.append(steps.state)
    this.display.append(steps.display)
    this.reasons.append(steps.reason)
    this.estimate.append(steps.estimate)
    this.bits.append(steps.bits)
    for (let step = from; step < this.steps; step++)
      for (let event = this.first.at(step); event < this.end(step); event++)
        this.flight.push(this.follow(event, step))
  }

  /** The first event after a step. */
  end(step: number): number {
    return step + 1 < this.steps ? this.first.at(step + 1) : this.at.length
  }

  /** The time of a step; numbers out of range give the time of the first or last step. */
  timeOf(step: number): number {
    if (this.steps === 0) return 0
    return this.at.at(this.first.at(Math.min(Math.max(step, 0), this.steps - 1)))
  }

  nodeOf(step: number): number {
    return this.node.at(this.first.at(step))
  }

  /**
   * Why the node of a step did what it did, a predicate without subject: "swallows 6, since 6 < 7".
   * Where the definition gives no reason, it is how the node's own state has changed; null where it
   * has not.
   */
  reason(step: number): string | null {
    const given = this.reasons.at(step)
    if (given >= 0) return this.texts[given]
    const { types, ids, fields = {} } = this.world
    if (!isHandled(this.kind.at(this.first.at(step))) || types.length === 0) return null
    const before = this.stateBefore(step)
    const state = (text: number) => JSON.parse(this.texts[text], named) as Record<string, unknown>
    /** Links are shown as neighbours, and these by their ids. */
    const named = (_: string, value: ShownLink | null) =>
      value?.neighbour === undefined ? value : (ids?.[value.neighbour] ?? value.neighbour)
    return before < 0 ? null : changeReason(state(before), state(this.state.at(step)), fields)
  }

  /** The state of the node of a step before it, by number; -1 where it is not recorded. */
  private stateBefore(step: number): number {
    const node = this.nodeOf(step)
    for (let earlier = step - 1; earlier >= 0; earlier--)
      if (this.nodeOf(earlier) === node) return this.state.at(earlier)
    return -1
  }

  /** What is shown of a node, by the number of its text; null for -1. */
  displayOf(text: number): NodeDisplay | null {
    if (text < 0) return null
    this.displays[text] ??= JSON.parse(this.texts[text]) as NodeDisplay
    return this.displays[text]
  }

  /** The number of steps up to a moment, inclusive. */
  stepsUntil(time: number): number {
    let low = 0
    let high = this.steps
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.timeOf(middle) <= time) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The number of steps that the first events make. */
  stepsOfEvents(events: number): number {
    let steps = 0
    while (steps < this.steps && this.first.at(steps) < events) steps++
    return steps
  }

  event(index: number): LoggedEvent {
    const body = this.body.at(index)
    return {
      at: this.at.at(index),
      kind: KINDS[this.kind.at(index)],
      node: this.node.at(index),
      peer: this.peer.at(index),
      id: this.id.at(index),
      message: this.message.at(index),
      type: this.world.types[this.type.at(index)] ?? '',
      body: body < 0 ? '' : this.texts[body],
    }
  }

  /** The events of a step. */
  eventsOf(step: number): LoggedEvent[] {
    const events: LoggedEvent[] = []
    for (let i = this.first.at(step); i < this.end(step); i++) events.push(this.event(i))
    return events
  }

  /** The end of a flight; infinity where there is none. */
  arrival(flight: number): number {
    const step = this.endedIn.at(flight)
    return step === OPEN ? Number.POSITIVE_INFINITY : this.timeOf(step)
  }

  /** How a flight ends, however much later; null where that is not known. */
  fateOf(flight: number): 'receive' | 'vanish' | 'lose' | null {
    const event = this.ending.at(flight)
    return event === OPEN ? null : (KINDS[this.kind.at(event)] as 'receive' | 'vanish' | 'lose')
  }

  departure(flight: number): number {
    return this.at.at(this.sending.at(flight))
  }

  private follow(event: number, step: number): number {
    const kind = this.kind.at(event)
    const message = this.message.at(event)
    // A meeting is a flight that takes no time, so that diagrams draw it.
    if (kind === SEND || kind === DOUBLE || kind === MEET) {
      const flight = this.sending.length
      this.sending.push(event)
      this.ending.push(OPEN)
      this.sentIn.push(step)
      this.endedIn.push(OPEN)
      const flights = this.inFlight.get(message)
      if (flights) flights.push(flight)
      else this.inFlight.set(message, [flight])
      return flight
    }
    if (kind !== RECEIVE && kind !== VANISH && kind !== LOSE && kind !== RESPOND) return OPEN
    const flights = this.inFlight.get(message)
    const flight = flights?.shift()
    if (flights?.length === 0) this.inFlight.delete(message)
    if (flight === undefined) return OPEN
    this.endedIn.set(flight, step)
    this.ending.set(flight, event)
    return flight
  }
}
