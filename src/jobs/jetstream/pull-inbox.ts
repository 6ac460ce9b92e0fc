import { createInbox, type Msg, type NatsConnection } from '../../nats/jetstream.ts'

/** A study that has ended does not answer. */
const PULL_MS = 5000

/** A batch that the server delivered to this worker. */
export interface Delivery {
  readonly data: Uint8Array
  readonly deliveries: number
  acknowledge(): void
  /** It is not delivered any more. */
  refuse(): void
  /** The work goes on: the server waits for another ten seconds. */
  extend(): void
}

/** Null if there is no batch, undefined if there was no answer. */
type Answer = Delivery | null | undefined

/**
 * Asks for batches one by one. A batch that comes when nobody waits for it any more is kept for the
 * next question: its delivery counts as a try.
 */
export class PullInbox {
  private readonly inbox = createInbox()
  private readonly waiting = new Map<string, (answer: Answer) => void>()
  private readonly late = new Map<string, Delivery>()
  private subscribed = false

  constructor(
    private readonly connection: NatsConnection,
    private readonly stream: string,
  ) {}

  pull(study: string): Promise<Answer> {
    const late = this.late.get(study)
    this.late.delete(study)
    if (late !== undefined) return Promise.resolve(late)
    this.subscribe()
    return new Promise((resolve) => {
      const answer = (found: Answer) => {
        clearTimeout(timer)
        this.waiting.delete(study)
        resolve(found)
      }
      const timer = setTimeout(() => answer(undefined), PULL_MS)
      this.waiting.get(study)?.(undefined)
      this.waiting.set(study, answer)
      const subject = `$JS.API.CONSUMER.MSG.NEXT.${this.stream}.${study}`
      const request = JSON.stringify({ batch: 1, no_wait: true })
      this.connection.publish(subject, request, { reply: `${this.inbox}.${study}` })
    })
  }

  private subscribe(): void {
    if (this.subscribed) return
    this.subscribed = true
    this.connection.subscribe(`${this.inbox}.*`, {
      callback: (_, message) => this.receive(message),
    })
  }

  /** A batch has the subject of its study; what the server says instead has that of the inbox. */
  private receive(message: Msg): void {
    const study = message.subject.slice(message.subject.lastIndexOf('.') + 1)
    const delivery = message.headers?.code ? null : deliveryOf(message)
    const waiting = this.waiting.get(study)
    if (waiting !== undefined) waiting(delivery)
    else if (delivery !== null) this.late.set(study, delivery)
  }
}

/** The subject of an acknowledgement holds the number of deliveries, after stream and consumer. */
function deliveryOf(message: Msg): Delivery {
  const words = message.reply?.split('.') ?? []
  // Newer servers name the domain and the account before them.
  const deliveries = Number(words[words.length > 9 ? 6 : 4])
  return {
    data: message.data,
    deliveries,
    acknowledge: () => void message.respond('+ACK'),
    refuse: () => void message.respond('+TERM'),
    extend: () => void message.respond('+WPI'),
  }
}
