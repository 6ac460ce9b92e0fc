import { MalformedBytes } from '../../core/runtime/bytes.ts'
import type { Clock, TimerHandle } from '../clock.ts'
import { type FrameLimits, type FrameOwner, FrameStream } from './frame-stream.ts'
import {
  AGREED,
  commonProtocol,
  type Disagreement,
  disagreement,
  EARLIER,
  type MeshHello,
  REFUSED,
  readHello,
  readRefusal,
  shown,
  WELCOME,
  writeHello,
  writeRefusal,
} from './handshake.ts'
import type { MeshPurpose } from './mesh-options.ts'
import type { LinkRefusal, PeerInfo } from './peer.ts'
import type { ProcessTable } from './process-identity.ts'
import { isLoopback } from './remote.ts'
import type { Stream } from './stream.ts'

/** The side that dialled, and the one that accepted. */
type Side = 'initiator' | 'responder'

export interface NegotiationOptions {
  readonly side: Side
  readonly mine: MeshHello
  readonly purpose: MeshPurpose | undefined
  readonly limits: Partial<FrameLimits> | undefined
  /** The member that was dialled. */
  readonly expected: string | undefined
  /** Whether the stream must have shown that the other side knows the shared secret. */
  readonly secret: boolean
  readonly tls: boolean
  readonly clock: Clock
  readonly processes: ProcessTable | undefined
  /** Milliseconds for the whole handshake. */
  readonly within: number
  /** The responder knows who dials: call `welcome` or `refuse` now or later. */
  asked(peer: PeerInfo): void
  /** Both sides agree: who gets the frames from now on. */
  agreed(peer: PeerInfo): FrameOwner
  /** The new owner has the frames. */
  established(peer: PeerInfo): void
  refused(refusal: LinkRefusal): void
  /** The stream uses up nothing any more. */
  released: (() => void) | undefined
}

/**
 * The handshake on one stream. The initiator sends its hello, the responder answers with its own;
 * both compare them. Then each says that it agrees, the initiator first.
 */
export class Negotiation {
  readonly frames: FrameStream
  private readonly hello: Uint8Array
  private timer: TimerHandle
  private over = false
  private theirs: MeshHello | null = null
  /** Set when the responder has to decide. */
  private peer: PeerInfo | null = null
  private awaited: 'hello' | 'agreement' | 'decision' | 'welcome' = 'hello'

  constructor(
    private readonly stream: Stream,
    private readonly options: NegotiationOptions,
  ) {
    const { clock, within, mine } = options
    this.frames = new FrameStream(stream, clock, () => options.released?.(), options.limits)
    this.hello = writeHello(mine)
    this.timer = clock.setTimeout(() => {
      this.abort({ reason: 'timeout', detail: `no handshake within ${Math.round(within)} ms` })
    }, within)
  }

  start(): void {
    this.frames.start({
      frame: (bytes) => this.receive(bytes),
      closed: (why, malformed) => this.lost(why, malformed),
    })
    if (this.options.side === 'responder' || this.over) return
    const problem = this.streamProblem()
    if (problem === null) this.frames.send(this.hello)
    else this.refuse(problem)
  }

  /** Whom this side dialled, or who the other side says it is. */
  get member(): string | null {
    return this.options.expected ?? this.theirs?.name ?? null
  }

  /** The responder accepts the connection. */
  welcome(): void {
    if (this.over || this.peer === null) return
    this.frames.send(Uint8Array.of(WELCOME))
    this.agree(this.peer)
  }

  /** Refuses the connection and tells the other side why, in words for that side. */
  refuse(why: Disagreement, there = why): void {
    if (this.over) return
    this.finish()
    this.frames.end(writeRefusal(there))
    this.report(why)
  }

  /** Closes the stream at once. */
  abort(why: Disagreement): void {
    if (this.over) return
    this.finish()
    this.frames.destroy()
    this.report(why)
  }

  private finish(): void {
    this.over = true
    this.options.clock.clearTimeout(this.timer)
  }

  private report({ reason, detail }: Disagreement): void {
    const dialled = this.options.side === 'initiator'
    this.options.refused({ reason, detail, member: this.member, dialled })
  }

  private lost(why: string, malformed: boolean): void {
    if (this.over) return
    const problem = this.stream.tlsProblem
    this.finish()
    if (problem) this.report({ reason: problem.reason, detail: `it ${problem.detail}` })
    else if (malformed) this.report({ reason: 'garbage', detail: why })
    else this.report({ reason: 'closed', detail: this.mute ? `${why}; ${EARLIER}` : why })
  }

  /** Members of elections before there was a mesh do not answer its handshake. */
  private get mute(): boolean {
    const { side, purpose } = this.options
    return side === 'initiator' && purpose !== undefined && this.frames.received === 0
  }

  private receive(bytes: Uint8Array): void {
    if (this.over) return
    const [kind] = bytes
    if (kind === REFUSED) this.refusedThere(bytes)
    else if (this.awaited === 'hello') this.receiveHello(bytes)
    else if (bytes.length > 1) throw new MalformedBytes('a frame that has no place in a handshake')
    else if (this.awaited === 'agreement' && kind === AGREED) this.ask()
    else if (this.awaited === 'welcome' && kind === WELCOME) this.agree(this.peerOf(this.theirs!))
    else throw new MalformedBytes('a frame that has no place in a handshake')
  }

  private refusedThere(bytes: Uint8Array): void {
    const { reason, detail } = readRefusal(bytes)
    // Both sides compare what they do, and find the same.
    const compared = reason === 'purpose'
    this.abort({ reason, detail: compared ? detail : `refused by the other side: ${detail}` })
  }

  private receiveHello(bytes: Uint8Array): void {
    const { mine } = this.options
    const theirs = readHello(bytes, mine.protocol)
    this.theirs = theirs
    const problem = this.streamProblem() ?? disagreement(theirs, mine)
    const purpose = problem === null ? this.otherPurpose(theirs.purpose, mine.purpose) : null
    const name = this.otherName()
    if (problem !== null) this.refuse(problem)
    else if (purpose !== null)
      this.refuse(purpose, this.otherPurpose(mine.purpose, theirs.purpose) ?? purpose)
    else if (name !== null) this.refuse(name)
    else this.answer()
  }

  private answer(): void {
    if (this.options.side === 'responder') {
      this.awaited = 'agreement'
      this.frames.send(this.hello)
    } else {
      this.awaited = 'welcome'
      this.frames.send(Uint8Array.of(AGREED))
    }
  }

  private ask(): void {
    this.awaited = 'decision'
    this.options.clock.clearTimeout(this.timer)
    this.peer = this.peerOf(this.theirs!)
    this.options.asked(this.peer)
  }

  private agree(peer: PeerInfo): void {
    this.finish()
    this.frames.handOver(this.options.agreed(peer))
    this.options.established(peer)
  }

  /** Why the other side is not to be heard, whatever it says. */
  private streamProblem(): Disagreement | null {
    const { tls, secret } = this.options
    if (!tls && !(secret && !this.stream.sharesSecret)) return null
    const { tlsProblem, certifiedNames } = this.stream
    const who = this.theirs === null ? 'the other side' : shown(this.theirs.name)
    if (tlsProblem) return { reason: tlsProblem.reason, detail: `${who} ${tlsProblem.detail}` }
    if (secret) return { reason: 'secret', detail: `${who} has not proven the shared secret` }
    if (certifiedNames === null) {
      return { reason: 'no-certificate', detail: `${who} has no certificate` }
    }
    const name = this.theirs?.name
    if (name === undefined || certifiedNames.includes(name)) return null
    const names = certifiedNames.map(shown).join(', ')
    return { reason: 'name', detail: `the certificate of ${who} is for ${names}` }
  }

  private otherPurpose(there: string, here: string): Disagreement | null {
    const { purpose } = this.options
    const differ = 'they do different things'
    const detail = purpose?.disagreement(there, here) ?? (there === here ? null : differ)
    return detail === null ? null : { reason: 'purpose', detail }
  }

  private otherName(): Disagreement | null {
    const { expected, mine } = this.options
    const { name, incarnation } = this.theirs!
    if (name === mine.name) {
      const same = incarnation === mine.incarnation
      return same
        ? { reason: 'name', detail: `${shown(name)} has dialled itself` }
        : { reason: 'duplicate', detail: `two processes use the name ${shown(name)}` }
    }
    if (expected === undefined || name === expected) return null
    return {
      reason: 'name',
      detail: `${shown(name)} answers where ${shown(expected)} was expected`,
    }
  }

  private peerOf(theirs: MeshHello): PeerInfo {
    const { name, incarnation, kind, version, limit, drift, keepsOpen, advertised } = theirs
    const protocol = commonProtocol(theirs.protocol, this.options.mine.protocol)!
    const process = this.processOf(theirs)
    const { remote } = this.stream
    return {
      name,
      incarnation,
      kind,
      version,
      limit,
      drift,
      process,
      pid: theirs.process?.pid ?? null,
      keepsOpen,
      protocol,
      advertised,
      remote,
    }
  }

  /** A process counts as known only if it is seen on this machine, over loopback. */
  private processOf({ process }: MeshHello): PeerInfo['process'] {
    if (process === null || process.boot === '' || !isLoopback(this.stream.remote)) return null
    return this.options.processes?.sees(process) ? process : null
  }
}
