import { errors, type NatsConnection } from '@nats-io/transport-node'
import { connectNats } from '../connection.ts'
import type { NatsOptions } from '../options.ts'

/** A message on a subject that was subscribed to. */
export interface BusMessage {
  readonly subject: string
  readonly data: Uint8Array
  /** It is not a message of others: one that was sent from here had no receiver. */
  readonly undelivered: boolean
}

/** Gets what becomes of a bus. */
export interface BusListener {
  /** Messages that were on the way may be lost. */
  disconnected(why: string): void
  reconnected(): void
  /** The server refused something, or the connection has ended for good. */
  refused(why: string): void
}

/** Carries messages by subjects. It may lose them; those of one sender arrive in order. */
export interface MessageBus {
  readonly connected: boolean
  /** The longest message in bytes. */
  readonly maxPayload: number
  /** `reply` is the subject on which the bus says that there was no receiver. */
  publish(subject: string, data: Uint8Array, reply: string): void
  subscribe(subject: string, received: (message: BusMessage) => void): { unsubscribe(): void }
  listen(listener: BusListener): void
  /** Resolves when the server has everything that was published and subscribed to. */
  flush(): Promise<void>
  /** Sends what was published, then closes. */
  close(): Promise<void>
}

/** The status of a message that says that there was no receiver. */
const NO_RESPONDERS = 503

/** Connects to a server of NATS. */
export async function natsBus(options: NatsOptions): Promise<MessageBus> {
  let listener: BusListener | null = null
  let connected = true
  const connection = await connectNats(options, (event) => {
    if (event.what === 'reconnected') connected = true
    if (event.what === 'disconnected' || event.what === 'closed') connected = false
    if (event.what === 'disconnected') listener?.disconnected('lost the connection to NATS')
    else if (event.what === 'reconnected') listener?.reconnected()
    else if (event.what === 'refused') listener?.refused(`NATS refuses: ${event.reason}`)
    else if (event.reason !== '') {
      listener?.disconnected('lost the connection to NATS')
      listener?.refused(`the connection to NATS has ended: ${event.reason}`)
    }
  })
  return {
    get connected() {
      return connected && !connection.isClosed()
    },
    get maxPayload() {
      return connection.info?.max_payload ?? 2 ** 20
    },
    publish(subject, data, reply) {
      if (!connection.isClosed()) connection.publish(subject, data, { reply })
    },
    subscribe: (subject, received) => subscription(connection, subject, received),
    listen(given) {
      listener = given
    },
    flush: () => connection.flush().catch(() => {}),
    close: () => closed(connection),
  }
}

function subscription(
  connection: NatsConnection,
  subject: string,
  received: (message: BusMessage) => void,
): { unsubscribe(): void } {
  return connection.subscribe(subject, {
    callback: (error, message) => {
      if (error !== null) return
      const undelivered = message.headers?.code === NO_RESPONDERS
      try {
        received({ subject: message.subject, data: message.data, undelivered })
      } catch (problem) {
        // The library would take it for a broken connection.
        queueMicrotask(() => {
          throw problem
        })
      }
    },
  })
}

async function closed(connection: NatsConnection): Promise<void> {
  try {
    await connection.drain()
  } catch (error) {
    if (!(error instanceof errors.ClosedConnectionError)) await connection.close()
  }
}
