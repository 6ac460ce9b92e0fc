import type { Link } from '../core/language/net.ts'
import type { Naming } from '../core/language/value-types.ts'
import { idOf, namingIn, type World } from '../core/language/world.ts'
import type { AnyBody } from '../core/runtime/message-codec.ts'
import type { State } from '../core/runtime/state.ts'
import type { TraceEvent } from '../core/trace/trace-event.ts'

type Unplaced<E> = E extends TraceEvent ? Omit<E, 'at' | 'node'> : never

/** Where and when something happens. */
export interface EventSource {
  readonly at: number
  readonly node: number
}

/** What a message is, apart from its way. */
export interface RecordedMessage {
  readonly number: number
  readonly kind: number
  readonly body: AnyBody
}

/** Writes a run down as trace events. */
export class Recorder {
  /** Who sent what is under way: on a closing ring somebody else may be behind the link by now. */
  private readonly senders = new Map<number, number>()
  private readonly duplicated = new Set<number>()
  private readonly naming: Naming | undefined

  constructor(
    private readonly world: World,
    private readonly emit: (event: TraceEvent) => void,
  ) {
    this.naming = namingIn(world)
  }

  record(place: EventSource, event: Unplaced<TraceEvent>): void {
    this.emit({ ...place, ...event } as TraceEvent)
  }

  follow(place: EventSource, leader: number | null): void {
    this.record(place, { event: 'follow', leader: leader === null ? null : this.id(leader) })
  }

  recovery(place: EventSource, key: number): void {
    this.record(place, { event: 'recover', id: this.id(key) })
  }

  send(place: EventSource, link: Link, message: RecordedMessage): void {
    const to = this.world.topology.neighbor(place.node, link)
    this.senders.set(message.number, place.node)
    this.record(place, { event: 'send', ...this.letter(link, message), to })
  }

  /** The network loses a message as it is sent, or makes two of it. */
  networkFault(
    event: 'lose' | 'double',
    place: EventSource,
    link: Link,
    letter: RecordedMessage,
  ): void {
    const to = this.world.topology.neighbor(place.node, link)
    if (event === 'double') this.duplicated.add(letter.number)
    else this.senders.delete(letter.number)
    this.record(place, { event, ...this.letter(link, letter), to })
  }

  /** A message reaches a node in this state; null where the node is dead. */
  arrival(place: EventSource, link: Link, letter: RecordedMessage, state: State | null): void {
    const from = this.senderOf(letter)
    const record = { ...this.letter(link, letter), from }
    if (state === null) this.record(place, { event: 'vanish', ...record })
    else {
      this.record(place, {
        event: 'receive',
        ...record,
        ...(state.status === 'asleep' && { woken: true }),
        ...(state.stopped && { ignored: true }),
      })
    }
  }

  /** A message is lost on its way to a node, which knows the link as this one. */
  lostInTransit({ at, node: to }: EventSource, link: Link, letter: RecordedMessage): void {
    const record = this.letter(this.world.topology.back(to, link), letter)
    this.record({ at, node: this.senderOf(letter) }, { event: 'lose', ...record, to })
  }

  /** Whose message ends its way, of which there may be a second one. */
  private senderOf({ number }: RecordedMessage): number {
    const from = this.senders.get(number)!
    if (!this.duplicated.delete(number)) this.senders.delete(number)
    return from
  }

  private id(key: number): number {
    return idOf(this.world, key)
  }

  private letter(link: Link, { number, kind, body }: RecordedMessage) {
    const { name, codec } = this.world.algorithm.kinds[kind]
    return { message: number, type: name, link, body: codec.json(body, this.naming) }
  }
}
