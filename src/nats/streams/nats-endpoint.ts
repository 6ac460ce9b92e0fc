import { randomBytes } from 'node:crypto'
import { shown } from '../../cluster/mesh/handshake.ts'
import type { Endpoint } from '../../cluster/transports/stream-transport.ts'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import type { BusMessage, MessageBus } from './message-bus.ts'
import { SharedSecret, type Side } from './message-codes.ts'
import { NatsStream, type StreamOwner } from './nats-stream.ts'
import {
  joined,
  KIND,
  NO_SECRET,
  type OpenMessage,
  OVERHEAD,
  readAccept,
  readOpen,
  readRefuse,
  type StreamEnd,
  Unproven,
  writeAccept,
  writeOpen,
  writeRefuse,
} from './stream-message.ts'

/** The longest piece of data in a message: others on the same connection wait for it. */
const CHUNK = 2 ** 15

/** The time between two ticks, in milliseconds. */
const TICK = 1000

/** Streams that were accepted and not confirmed, and the ticks after which they are forgotten. */
const PENDING = 256
const PENDING_TICKS = 5

/** Streams that may wait until they are accepted. */
const WAITING = 64

/** Refusals a second that are answered. */
const ANSWERS = 20

/** Time for streams to end by themselves when the endpoint is closed, in milliseconds. */
const CLOSE_TIMEOUT = 2000

export interface NatsEndpointOptions {
  readonly cluster: string
  readonly member: string
  /** What all members share; without it nothing is proven. */
  readonly secret: string | undefined
  /** Whether others may dial this member. */
  readonly accepts: boolean
}

/** A stream that is dialled, with what was sent to the other side. */
interface Dialled {
  readonly to: string
  readonly hello: Uint8Array
}

/**
 * The streams of one member over subjects of NATS. Everybody who may use the subjects can send
 * anything: what does not have the code of the secret is counted and has no effect.
 */
export class NatsEndpoint implements Endpoint, StreamOwner {
  /** Messages that were refused. */
  refusals = 0
  private readonly process = unique()
  private readonly streams = new Map<string, NatsStream>()
  private readonly names = new Map<NatsStream, string>()
  private readonly dialled = new Map<string, Dialled>()
  /** Streams that were accepted and not confirmed, with their age in ticks. */
  private readonly accepted = new Map<NatsStream, number>()
  /** The last messages of streams that ended while there was no connection. */
  private farewells: { readonly subject: string; readonly bytes: Uint8Array }[] = []
  private readonly targets = new Map<NatsStream, string>()
  private readonly subscriptions: { unsubscribe(): void }[] = []
  private readonly timer: NodeJS.Timeout
  private answers = 0
  /** Streams that came before `accept` was called. */
  private readonly waiting: NatsStream[] = []
  private connected: (stream: NatsStream) => void = (stream) => {
    if (this.waiting.push(stream) > WAITING) this.waiting.shift()?.destroy()
  }
  private refused: (line: string) => void = () => {}
  private emptied = () => {}
  private closing: Promise<void> | null = null

  constructor(
    private readonly bus: MessageBus,
    private readonly options: NatsEndpointOptions,
  ) {
    const own = this.subjectOf(options.member)
    const all = `${own}.${this.process}.*`
    this.subscriptions.push(bus.subscribe(all, (message) => this.receive(message)))
    if (options.accepts)
      this.subscriptions.push(bus.subscribe(own, (message) => this.asked(message)))
    this.timer = setInterval(() => this.tick(), TICK)
    bus.listen({
      disconnected: (why) => this.breakAll(why),
      reconnected: () => this.sayFarewell(),
      refused: (why) => this.refused(why),
    })
  }

  get chunk(): number {
    return Math.max(1, Math.min(CHUNK, this.bus.maxPayload - OVERHEAD))
  }

  accept(connected: (stream: NatsStream) => void, refused: (line: string) => void): void {
    this.connected = connected
    this.refused = refused
    for (const stream of this.waiting.splice(0)) if (!stream.destroyed) connected(stream)
  }

  dial(to: string): NatsStream {
    const { cluster, member: from, secret } = this.options
    const end = this.newEnd()
    const stream = new NatsStream(to, this)
    const hello = writeOpen({ cluster, to, from, ...end }, secret)
    this.add(end.stream, stream)
    this.dialled.set(end.stream, { to, hello })
    if (this.bus.connected) this.bus.publish(this.subjectOf(to), hello, this.subjectOf(from, end))
    else stream.fail(NO_SERVER)
    return stream
  }

  close(): Promise<void> {
    this.closing ??= this.release()
    return this.closing
  }

  closed(stream: NatsStream, farewell: Uint8Array | null): void {
    const subject = this.targets.get(stream)
    if (farewell !== null && subject !== undefined) {
      if (this.bus.connected) this.publish(stream, subject, farewell)
      else this.farewells.push({ subject, bytes: farewell })
    }
    const name = this.names.get(stream) ?? ''
    for (const map of [this.streams, this.dialled]) map.delete(name)
    this.accepted.delete(stream)
    this.names.delete(stream)
    this.targets.delete(stream)
    if (this.streams.size === 0) this.emptied()
  }

  private add(name: string, stream: NatsStream): void {
    this.streams.set(name, stream)
    this.names.set(stream, name)
  }

  private newEnd(): StreamEnd {
    return { process: this.process, stream: unique(), nonce: unique() }
  }

  /** Names may have dots, which separate the parts of subjects. */
  private subjectOf(member: string, end?: Pick<StreamEnd, 'process' | 'stream'>): string {
    const parts = [this.options.cluster, member].map((part) => part.replaceAll('.', '~'))
    const own = ['conclave', 'cluster', ...parts]
    return [...own, ...(end === undefined ? [] : [end.process, end.stream])].join('.')
  }

  private publish(stream: NatsStream, subject: string, bytes: Uint8Array): void {
    const { process } = this
    const name = this.names.get(stream)
    if (name === undefined) return
    const reply = this.subjectOf(this.options.member, { process, stream: name })
    this.bus.publish(subject, bytes, reply)
  }

  /** Somebody asks for a stream. */
  private asked({ data }: BusMessage): void {
    try {
      if (data[0] !== KIND.OPEN) throw new MalformedBytes('it does not ask for a stream')
      const open = readOpen(data, this.options.secret)
      const { cluster, member } = this.options
      if (open.cluster !== cluster || open.to !== member)
        throw new MalformedBytes(`it is for ${shown(open.to)} of ${shown(open.cluster)}`)
      this.answer(open, data)
    } catch (error) {
      if (!(error instanceof MalformedBytes)) throw error
      this.refuse(error)
    }
  }

  private answer(open: OpenMessage, hello: Uint8Array): void {
    if (this.closing !== null) return
    const end = this.newEnd()
    const answer = writeAccept(end)
    const secrets = this.secrets(hello, answer)
    const stream = new NatsStream(open.from, this)
    const subject = this.subjectOf(open.from, open)
    this.add(end.stream, stream)
    this.accepted.set(stream, 0)
    this.establish(stream, subject, secrets, 'responder')
    const [oldest] = this.accepted.keys()
    if (this.accepted.size > PENDING) oldest.destroy()
    this.publish(stream, subject, joined(answer, secrets.proof('responder')))
  }

  private secrets(hello: Uint8Array, answer: Uint8Array): SharedSecret {
    return new SharedSecret(this.options.secret ?? NO_SECRET, hello, answer)
  }

  private refuse(error: MalformedBytes): void {
    if (!(error instanceof Unproven)) {
      this.count(`a message was refused: ${error.message}`)
      return
    }
    const { open, message } = error
    this.count(`a message of ${shown(open.from)} was refused: ${message}`)
    if (++this.answers > ANSWERS || open.cluster !== this.options.cluster) return
    const answer = writeRefuse('its secret is not that of this member')
    this.bus.publish(this.subjectOf(open.from, open), answer, '')
  }

  private count(line: string): void {
    this.refusals++
    this.refused(line)
  }

  /** A message to a stream of this process. Those of streams that have ended are late. */
  private receive({ subject, data, undelivered }: BusMessage): void {
    const name = subject.slice(subject.lastIndexOf('.') + 1)
    const stream = this.streams.get(name)
    if (stream === undefined) return
    const dialled = this.dialled.get(name)
    try {
      if (undelivered) stream.doubtful(dialled === undefined ? GONE : ABSENT)
      else if (dialled !== undefined) this.answered(stream, dialled, data)
      else this.confirmed(stream, data)
    } catch (error) {
      if (!(error instanceof MalformedBytes)) throw error
      const { remoteAddress } = stream
      this.count(`a message in the name of ${shown(remoteAddress)} was refused: ${error.message}`)
    }
  }

  private answered(stream: NatsStream, { to, hello }: Dialled, data: Uint8Array): void {
    if (data[0] === KIND.REFUSE) {
      stream.doubtful(`it refuses: ${shown(readRefuse(data))}`)
      return
    }
    if (data[0] !== KIND.ACCEPT) throw new MalformedBytes('it has no place in a handshake')
    const accept = readAccept(data)
    const secrets = this.secrets(hello, accept.hello)
    if (!secrets.proves('responder', accept.proof))
      throw new MalformedBytes('its secret is another one')
    this.dialled.delete(this.names.get(stream) ?? '')
    this.establish(stream, this.subjectOf(to, accept), secrets, 'initiator')
  }

  /** The first message shows that the other side has the answer, and the secret. */
  private confirmed(stream: NatsStream, data: Uint8Array): void {
    stream.receive(data)
    if (this.accepted.delete(stream) && !stream.destroyed) this.connected(stream)
  }

  private establish(stream: NatsStream, subject: string, secrets: SharedSecret, side: Side): void {
    this.targets.set(stream, subject)
    const dialled = side === 'initiator'
    const other = dialled ? 'responder' : 'initiator'
    const seals = { incoming: secrets.codesOf(other), outgoing: secrets.codesOf(side) }
    stream.establish({ seals, send: (bytes) => this.publish(stream, subject, bytes) }, dialled)
  }

  private tick(): void {
    this.answers = 0
    for (const stream of this.streams.values()) stream.tick()
    for (const [stream, age] of this.accepted) {
      this.accepted.set(stream, age + 1)
      if (age === PENDING_TICKS) stream.destroy()
    }
  }

  private breakAll(why: string): void {
    for (const stream of [...this.streams.values()]) stream.fail(why)
  }

  /** The other sides may still wait for those that were broken here. */
  private sayFarewell(): void {
    for (const { subject, bytes } of this.farewells.splice(0)) this.bus.publish(subject, bytes, '')
  }

  private async release(): Promise<void> {
    const [, ...accepting] = this.subscriptions
    for (const subscription of accepting) subscription.unsubscribe()
    for (const stream of [...this.accepted.keys(), ...this.waiting]) stream.destroy()
    if (this.streams.size > 0) {
      await new Promise<void>((resolve) => {
        this.emptied = resolve
        setTimeout(resolve, CLOSE_TIMEOUT).unref()
      })
      for (const stream of [...this.streams.values()]) stream.destroy()
    }
    clearInterval(this.timer)
    await this.bus.close()
  }
}

const NO_SERVER = 'no connection to NATS'
const ABSENT = 'nobody of that name is there'
const GONE = 'its process is gone'

function unique(): string {
  return randomBytes(8).toString('hex')
}
