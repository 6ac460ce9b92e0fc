import type { Clock, TimerHandle } from '../../cluster/clock.ts'
import { FrameWriter, readBeat } from '../frames.ts'
import type { Timing } from '../options.ts'

/** What the beats of a node need from it. */
export interface BeatsHost {
  /** Sends a beat. */
  send(member: string, bytes: Uint8Array): void
  /** A peer was silent for longer than the timeout: its connection is to be dropped. */
  silent(member: string, why: string): void
  /** A beat is due. What is sent meanwhile takes the place of beats. */
  tick(): void
}

interface BeatPeer {
  /** When anything arrived from it last, by the clock of this node. */
  heard: number
  /** The time in its last beat, and when that arrived; 0 before the first. */
  sent: number
  arrived: number
  /** The smoothed round-trip time in milliseconds; null while it is not known. */
  roundTrip: number | null
  /** Milliseconds between two of its beats. */
  interval: number
  /** When anything was sent to it last. */
  spoken: number
}

/** So many beats are remembered for the lateness of this process. */
const BEATS_KEPT = 4
/** A frame that left less than this part of an interval ago takes the place of a beat. */
const BEAT_SKIP_FRACTION = 1 / 4
/** One beat of so many is sent in any case. */
const SPARSE = 4
/** No peer is waited for longer because it says that it is slow. */
const LONGEST_INTERVAL = 60_000
/** A beat follows the frames of the pacemaker after so much of its interval. */
const AFTER = 1 / 64
/** So much longer an interval may be, until the beats of this node fall into step. */
const LONGER = 1 / 8
/** The weight of a new measurement in the smoothed round-trip time. */
const WEIGHT = 1 / 8

/**
 * A beat on every connection, every quarter lease. A peer that is silent for longer than the
 * timeout is suspected. How late this process itself was lately is added to the timeout, so that a
 * loaded machine does not take its own delays for crashes of others.
 *
 * The beats of all members follow those of one of them, the pacemaker. So an idle process wakes up
 * for all its purposes together, which costs much less than for each by itself.
 */
export class Beats {
  private readonly peers = new Map<string, BeatPeer>()
  private readonly frames = new FrameWriter()
  private readonly late: number[] = []
  private timer: TimerHandle | null = null
  private count = 0
  /** When the last beat was, and when the next is due. */
  private last: number
  private due: number
  private pacemaker: string | null = null
  /** For timers that are often set again before they fire. */
  readonly timers: DistantTimers

  constructor(
    private readonly clock: Clock,
    private readonly timing: Timing,
    private readonly host: BeatsHost,
  ) {
    this.last = clock.now()
    this.due = this.last + timing.beat
    this.timers = new DistantTimers(clock, () =>
      this.timer === null ? Number.POSITIVE_INFINITY : this.due + timing.beat * 2 * LONGER,
    )
  }

  start(): void {
    this.last = this.clock.now()
    this.due = this.last + this.timing.beat
    this.schedule()
  }

  stop(): void {
    if (this.timer !== null) this.clock.clearTimeout(this.timer)
    this.timer = null
    this.timers.beat()
  }

  /** How late timers of this process fired: the largest of the last lease, and now. */
  get lateness(): number {
    return Math.max(this.lateNow, ...this.late)
  }

  /** How long a beat is overdue now: the event loop was blocked, or the process suspended. */
  get lateNow(): number {
    return this.timer === null ? 0 : Math.max(0, this.clock.now() - this.due)
  }

  /**
   * The last beat that is due within this time, or hardly later, so that what waits can leave
   * together with it.
   */
  aligned(milliseconds: number): number {
    const { beat } = this.timing
    const now = this.clock.now()
    const first = Math.max(0, this.due - now)
    const most = milliseconds + beat * LONGER
    if (this.timer === null || most < first) return milliseconds
    return first + Math.floor((most - first) / beat) * beat
  }

  /** From now on the beats of this member set the pace; null: those of this node. */
  follow(member: string | null): void {
    this.pacemaker = member
  }

  /** A frame of a member was handled that may have left with a beat. */
  paced(member: string): void {
    if (member !== this.pacemaker || this.timer === null) return
    const { beat } = this.timing
    const now = this.clock.now()
    const next = now + beat * (1 + AFTER)
    // One that is overdue shows how late this process is.
    if (now >= this.due || Math.abs(next - this.due) < beat * AFTER) return
    this.clock.clearTimeout(this.timer)
    if (now - this.last >= beat / 2) {
      this.due = next
      this.beat(now, 0)
    } else {
      this.due = Math.min(next, this.last + beat * (1 + LONGER))
      this.schedule()
    }
  }

  up(member: string): void {
    const now = this.clock.now()
    const none = { roundTrip: null, spoken: now, interval: this.timing.beat }
    this.peers.set(member, { heard: now, sent: 0, arrived: now, ...none })
    this.send(member)
  }

  down(member: string): void {
    this.peers.delete(member)
  }

  /** Something is sent to a peer. */
  spoken(member: string): void {
    const peer = this.peers.get(member)
    if (peer !== undefined) peer.spoken = this.clock.now()
  }

  /** Anything arrived from a peer. */
  heard(member: string): void {
    const peer = this.peers.get(member)
    if (peer !== undefined) peer.heard = this.clock.now()
  }

  /** A beat arrived; throws MalformedBytes unless it is one. */
  received(member: string, bytes: Uint8Array): void {
    const { sent, echo, held, interval } = readBeat(bytes)
    const peer = this.peers.get(member)
    if (peer === undefined) return
    peer.sent = sent
    peer.interval = Math.min(interval, LONGEST_INTERVAL)
    peer.arrived = this.clock.now()
    if (echo === 0) return
    const measured = peer.arrived - (echo + held) / 1000
    if (!(measured >= 0 && measured <= peer.arrived)) return
    peer.roundTrip =
      peer.roundTrip === null ? measured : peer.roundTrip + WEIGHT * (measured - peer.roundTrip)
  }

  roundTrip(member: string): number | null {
    return this.peers.get(member)?.roundTrip ?? null
  }

  /** Milliseconds since anything arrived from a peer; null where it is not connected. */
  silence(member: string): number | null {
    const peer = this.peers.get(member)
    return peer === undefined ? null : this.clock.now() - peer.heard
  }

  private schedule(): void {
    this.timer = this.clock.setTimeout(() => this.tick(), Math.max(0, this.due - this.clock.now()))
  }

  private tick(): void {
    const { beat } = this.timing
    const now = this.clock.now()
    const late = Math.max(0, now - this.due)
    this.due += Math.max(1, Math.ceil((now - this.due + 1) / beat)) * beat
    this.beat(now, late)
  }

  private beat(now: number, late: number): void {
    const { beat, timeout } = this.timing
    this.last = now
    this.late.push(late)
    if (this.late.length > BEATS_KEPT) this.late.shift()
    this.schedule()
    this.timers.beat()
    // What arrived while this process stood has not been read yet.
    if (late > timeout) for (const peer of this.peers.values()) peer.heard = now
    const { lateness } = this
    for (const [member, { heard, interval }] of [...this.peers])
      if (now - heard > Math.max(timeout, 2 * interval) + lateness)
        this.host.silent(member, `silent for ${Math.round(now - heard)} ms`)
    this.host.tick()
    this.count++
    for (const [member, { spoken }] of this.peers)
      if (now - spoken > beat * BEAT_SKIP_FRACTION || this.count % SPARSE === 0) this.send(member)
  }

  private send(member: string): void {
    const { sent, arrived } = this.peers.get(member)!
    const now = this.clock.now()
    const held = sent === 0 ? 0 : micros(now - arrived)
    const interval = Math.ceil(this.timing.beat)
    this.host.send(member, this.frames.beat({ sent: micros(now), echo: sent, held, interval }))
  }
}

/** Whole microseconds, at least 1: 0 stands for no time. */
function micros(milliseconds: number): number {
  return Math.max(1, Math.round(milliseconds * 1000))
}

interface DistantTimer {
  readonly run: () => void
  readonly due: number
  /** That of the clock, which may have fired; null while the timer waits for a beat. */
  handle: TimerHandle | null
}

/**
 * A clock whose timers do not wake up the process in vain. Most timers of a role are set again at
 * every beat, and never fire; the runtime wakes up for them all the same. So a timer that is due
 * after the next beat waits for that beat, and is given to the clock only then.
 */
export class DistantTimers implements Clock {
  private readonly waiting = new Set<DistantTimer>()

  constructor(
    private readonly clock: Clock,
    /** The time up to which timers are given to the clock at once. */
    private readonly near: () => number,
  ) {}

  get resolution(): number | undefined {
    return this.clock.resolution
  }

  now(): number {
    return this.clock.now()
  }

  elapsed(): number {
    return this.clock.elapsed()
  }

  setTimeout(run: () => void, milliseconds: number): TimerHandle {
    const timer: DistantTimer = { run, due: this.clock.now() + milliseconds, handle: null }
    if (timer.due > this.near()) this.waiting.add(timer)
    else timer.handle = this.clock.setTimeout(run, milliseconds)
    return timer
  }

  clearTimeout(handle: TimerHandle): void {
    const timer = handle as DistantTimer
    this.waiting.delete(timer)
    if (timer.handle !== null) this.clock.clearTimeout(timer.handle)
  }

  /** A beat, or the end of them: timers that do not wait for the next one go to the clock. */
  beat(): void {
    const near = this.near()
    const now = this.clock.now()
    for (const timer of [...this.waiting]) {
      if (timer.due > near) continue
      this.waiting.delete(timer)
      timer.handle = this.clock.setTimeout(timer.run, Math.max(0, timer.due - now))
    }
  }
}
