import type { Link } from '../core/language/net.ts'
import type { Naming } from '../core/language/value-types.ts'
import { idOf, namingIn, type World } from '../core/language/world.ts'
import type { OutcomeChange } from '../core/runtime/driver.ts'
import type { AnyBody } from '../core/runtime/message-codec.ts'
import type { State } from '../core/runtime/state.ts'
import type { TraceEvent } from '../core/trace/trace-event.ts'
import { endsSeparated } from './faults/closing-ring.ts'
import type { Partition } from './faults/faults.ts'

type Unplaced<E> = E extends TraceEvent ? Omit<E, 'at' | 'node'> : never

/** Where and when an event happens. */
export interface EventSource {
  readonly at: number
  readonly node: number
}

/** A message without its sender and receiver. */
export interface RecordedMessage {
  readonly number: number
  readonly kind: number
  readonly body: AnyBody
}

/** Records a run as trace events, each before its effects: observers still see the state before. */
export class Recorder {
  /** The senders of messages in flight: on a closing ring the link may lead elsewhere by now. */
  private readonly senders = new Map<number, number>()
  private readonly duplicated = new Set<number>()
  private readonly naming: Naming | undefined

  constructor(
    private readonly world: World,
    private readonly emit: (event: TraceEvent) => void,
  ) {
    this.naming = namingIn(world)
  }

  record(source: EventSource, event: Unplaced<TraceEvent>): void {
    this.emit({ ...source, ...event } as TraceEvent)
  }

  outcome(source: EventSource, what: OutcomeChange, leader: number | null, term?: number): void {
    if (what === 'follow')
      this.record(source, { event: what, leader: leader === null ? null : this.id(leader) })
    else if (what === 'lead')
      this.record(source, { event: what, ...(term !== undefined && { term }) })
    else this.record(source, { event: what })
  }

  recovery(source: EventSource, key: number, amnesia: boolean): void {
    this.record(source, { event: 'recover', id: this.id(key), ...(amnesia && { amnesia }) })
  }

  /** Links are cut, or work again: an event for each, at the end that can no longer send. */
  repartition(at: number, event: 'cut' | 'mend', partition: Partition): void {
    const oneWay = partition.oneWay && { oneWay: partition.oneWay }
    for (const [to, , node] of endsSeparated(this.world.topology, partition))
      if (oneWay || to < node) {
        const [one, other] = oneWay ? [node, to] : [to, node]
        this.record({ at, node: one }, { event, to: other, ...oneWay })
      }
  }

  send(source: EventSource, link: Link, message: RecordedMessage): void {
    const to = this.world.topology.neighbor(source.node, link)
    this.senders.set(message.number, source.node)
    this.record(source, { event: 'send', ...this.message(link, message), to })
  }

  /** The network loses a message at its sending, or duplicates it. */
  networkFault(
    event: 'lose' | 'double',
    source: EventSource,
    link: Link,
    message: RecordedMessage,
  ): void {
    const to = this.world.topology.neighbor(source.node, link)
    if (event === 'double') this.duplicated.add(message.number)
    else this.senders.delete(message.number)
    this.record(source, { event, ...this.message(link, message), to })
  }

  /** A message reaches a node in this state; null where the node has crashed. */
  arrival(source: EventSource, link: Link, message: RecordedMessage, state: State | null): void {
    const from = this.senderOf(message)
    const record = { ...this.message(link, message), from }
    if (state === null) this.record(source, { event: 'vanish', ...record })
    else {
      this.record(source, {
        event: 'receive',
        ...record,
        ...(state.status === 'asleep' && { woken: true }),
        ...(state.stopped && { ignored: true }),
      })
    }
  }

  /** A message is lost in transit to a node, which would have received it over this link. */
  lostInTransit({ at, node: to }: EventSource, link: Link, message: RecordedMessage): void {
    const record = this.message(this.world.topology.back(to, link), message)
    this.record({ at, node: this.senderOf(message) }, { event: 'lose', ...record, to })
  }

  /** The sender of a message that arrives or is lost; a duplicate may still be in flight. */
  private senderOf({ number }: RecordedMessage): number {
    const from = this.senders.get(number)!
    if (!this.duplicated.delete(number)) this.senders.delete(number)
    return from
  }

  private id(key: number): number {
    return idOf(this.world, key)
  }

  private message(link: Link, { number, kind, body }: RecordedMessage) {
    const { name, codec } = this.world.algorithm.kinds[kind]
    return { message: number, type: name, link, body: codec.json(body, this.naming) }
  }
}
