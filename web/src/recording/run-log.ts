import type { Chunk, RecordedViolation } from './chunk.ts'
import { bytes, integers, reals } from './columns.ts'
import { type EventKind, KINDS, numberOf } from './events.ts'

/** A message that has no end yet, or never gets one. */
const OPEN = -1

const SEND = numberOf('send')
const LOSE = numberOf('lose')
const DOUBLE = numberOf('double')
const RECEIVE = numberOf('receive')
const VANISH = numberOf('vanish')

/** What is known of the world of a run, whatever happens in it. */
export interface RunFacts {
  readonly algorithm: string
  readonly topology: string
  readonly kind: 'ring' | 'complete' | 'graph'
  readonly n: number
  /** Ids as people know them; null where nodes are anonymous. */
  readonly ids: ArrayLike<number> | null
  /** Pairs of positions. Left out (empty) for rings and complete networks. */
  readonly edges: ArrayLike<number>
  /** Where nodes lie in the unit square, x and y by turns; null for a circle. */
  readonly places: ArrayLike<number> | null
  /** The same after each unit of time, where nodes move. */
  readonly walk?: readonly ArrayLike<number>[]
  /** Pairs of positions whose link is cut before the run begins. */
  readonly absent?: ArrayLike<number>
  readonly unit: 'round' | 'time' | 'cycle' | 'step'
  /** Names of the message types, then of the timers. */
  readonly types: readonly string[]
  readonly messageTypes: number
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
 * A run as far as it is known to the page: every event in columns. All pictures are functions of
 * it and of a step; a flight is one message on its way, from the step that sends it to its end.
 */
export class RunLog {
  readonly at = reals()
  readonly kind = bytes()
  readonly node = integers()
  readonly peer = integers()
  readonly id = reals()
  readonly message = integers()
  readonly type = bytes()
  readonly body = integers()

  readonly first = integers()
  readonly status = bytes()
  readonly leader = reals()
  readonly state = integers()
  readonly estimate = reals()
  readonly bits = reals()

  /** The step that sends each flight, and the one that ends it, or OPEN. */
  readonly sentIn = integers()
  readonly endedIn = integers()
  /** The event that began the flight: has its sender, receiver, type and body. */
  readonly sending = integers()
  /** By event: the flight that it begins or ends; -1 for others. */
  readonly flight = integers()

  readonly texts: string[] = []
  readonly violations: RecordedViolation[] = []
  private readonly underWay = new Map<number, number[]>()

  constructor(readonly world: RunFacts) {}

  get steps(): number {
    return this.first.length
  }

  append({ events, steps, texts, violations }: Chunk): void {
    const from = this.steps
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

  /** When a step happens; before the first step and after the last: their moments. */
  timeOf(step: number): number {
    if (this.steps === 0) return 0
    return this.at.at(this.first.at(Math.min(Math.max(step, 0), this.steps - 1)))
  }

  nodeOf(step: number): number {
    return this.node.at(this.first.at(step))
  }

  /** How many steps have happened up to a moment, that moment included. */
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

  /** When a flight ends; infinity where it never does. */
  arrival(flight: number): number {
    const step = this.endedIn.at(flight)
    return step === OPEN ? Number.POSITIVE_INFINITY : this.timeOf(step)
  }

  departure(flight: number): number {
    return this.at.at(this.sending.at(flight))
  }

  private follow(event: number, step: number): number {
    const kind = this.kind.at(event)
    const message = this.message.at(event)
    if (kind === SEND || kind === DOUBLE) {
      const flight = this.sending.length
      this.sending.push(event)
      this.sentIn.push(step)
      this.endedIn.push(OPEN)
      const flights = this.underWay.get(message)
      if (flights) flights.push(flight)
      else this.underWay.set(message, [flight])
      return flight
    }
    if (kind !== RECEIVE && kind !== VANISH && kind !== LOSE) return OPEN
    const flights = this.underWay.get(message)
    const flight = flights?.shift()
    if (flights?.length === 0) this.underWay.delete(message)
    if (flight === undefined) return OPEN
    this.endedIn.set(flight, step)
    return flight
  }
}
