import type { BusListener, BusMessage, MessageBus } from '../../src/nats/streams/message-bus.ts'

interface Delivery extends BusMessage {
  readonly reply: string
}

/** What a test does to a message: the messages that arrive in its place. */
export type Interference = (message: Delivery) => readonly Delivery[]

/** A server of NATS in memory, whose messages a test can drop, repeat, change and forge. */
export class MemoryServer {
  /** All messages that were published. */
  readonly published: Delivery[] = []
  interfere: Interference = (message) => [message]
  private readonly clients = new Set<MemoryBus>()

  constructor(readonly maxPayload = 2 ** 20) {}

  bus(): MessageBus {
    const bus = new MemoryBus(this)
    this.clients.add(bus)
    return bus
  }

  /** All lose their connection; it is back at once. */
  restart(): void {
    for (const bus of this.clients) bus.setConnected(false)
    for (const bus of this.clients) bus.setConnected(true)
  }

  leave(bus: MemoryBus): void {
    this.clients.delete(bus)
  }

  /** As anybody may do who can use the subject. */
  publish(subject: string, data: Uint8Array, reply = ''): void {
    const message = { subject, data: data.slice(), reply, undelivered: false }
    this.published.push(message)
    queueMicrotask(() => {
      for (const one of this.interfere(message)) this.deliver(one)
    })
  }

  private deliver(message: Delivery): void {
    const heard = [...this.clients].filter((bus) => bus.receive(message)).length
    if (heard > 0 || message.reply === '') return
    const notice = { subject: message.reply, data: new Uint8Array(), undelivered: true }
    for (const bus of this.clients) bus.receive(notice)
  }
}

class MemoryBus implements MessageBus {
  connected = true
  private readonly subscriptions = new Map<string, (message: BusMessage) => void>()
  private listener: BusListener | null = null

  constructor(private readonly server: MemoryServer) {}

  get maxPayload(): number {
    return this.server.maxPayload
  }

  publish(subject: string, data: Uint8Array, reply: string): void {
    if (data.length > this.maxPayload) throw new Error('max_payload size exceeded')
    this.server.publish(subject, data, reply)
  }

  subscribe(subject: string, received: (message: BusMessage) => void) {
    this.subscriptions.set(subject, received)
    return { unsubscribe: () => this.subscriptions.delete(subject) }
  }

  listen(listener: BusListener): void {
    this.listener = listener
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {
    this.server.leave(this)
  }

  setConnected(connected: boolean): void {
    this.connected = connected
    if (connected) this.listener?.reconnected()
    else this.listener?.disconnected('lost the connection to NATS')
  }

  receive(message: BusMessage): boolean {
    const parent = message.subject.replace(/[^.]*$/, '*')
    const received = this.subscriptions.get(message.subject) ?? this.subscriptions.get(parent)
    received?.(message)
    return received !== undefined
  }
}
