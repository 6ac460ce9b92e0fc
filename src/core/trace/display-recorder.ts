import type { Algorithm } from '../language/algorithm.ts'
import type { EventContext, NodeDisplay, Seen, ShownId } from '../language/display.ts'
import type { World } from '../language/world.ts'
import type { AnyBody } from '../runtime/message-codec.ts'
import type { State } from '../runtime/state.ts'
import { eventContext, NOTHING, nodeDisplay, shownIdIn } from './node-display.ts'
import type { HandledAt, HandlerObserver } from './observed.ts'
import type { TraceEvent } from './trace-event.ts'

type ReasonOf = (name: ShownId, around: EventContext) => string | null
type NotesOf = (before: Seen, around: EventContext) => Seen | null

/** The engine whose handlers are observed, as far as displays need it. */
export interface DisplayedRun {
  readonly world: World
  readonly time: number
  readonly now: number
  readonly timeline: { isSet(node: number, timer: number): boolean }
}

/**
 * Follows a run for its pictures: what displays have noted of nodes, when their timers fire, and
 * the reasons of the current step. Errors in a definition's displays and reasons end neither the
 * run nor the picture: each is kept once in `problems`.
 */
export class DisplayRecorder implements HandlerObserver {
  readonly problems = new Set<string>()
  private readonly seen = new Map<number, Seen>()
  private readonly timers = new Map<number, (readonly [from: number, until: number])[]>()
  private reasons: string[] = []
  /** The number of reasons before a message that waited; null for any other message. */
  private reasonsBefore: number | null = null

  constructor(private readonly run: () => DisplayedRun | undefined) {}

  /** A handler is about to handle a message. */
  message(kind: Algorithm['kinds'][number], my: State, body: AnyBody, net: HandledAt): void {
    // A message that waited is said to be handled, but not once more that it waits.
    const waited =
      this.run()!.world.algorithm.defers &&
      (my.waiting as readonly { readonly body: AnyBody }[]).some((one) => one.body === body)
    this.reasonsBefore = waited ? this.reasons.length : null
    if (!(kind.reason ?? kind.seen)) return
    // The handler gets the body itself: what is written to this one changes no run.
    const read = kind.codec.copy(body)
    const reason: ReasonOf = (name, around) => kind.reason?.(my, read, name, around) ?? null
    const seen: NotesOf = (before, around) => kind.seen?.(my, read, before, around) ?? null
    this.follow(net, reason, seen)
  }

  /** The handler has returned. */
  handled(net: HandledAt): void {
    if (this.reasonsBefore !== null && net.wasDeferred) this.reasons.length = this.reasonsBefore
    this.reasonsBefore = null
  }

  fires(timer: Algorithm['timers'][number], my: State, net: HandledAt): void {
    const reason: ReasonOf = (name, around) => timer.reason?.(my, name, around) ?? null
    const seen: NotesOf = (before, around) => timer.seen?.(my, before, around) ?? null
    if (timer.reason ?? timer.seen) this.follow(net, reason, seen)
  }

  meets(my: State, other: State): void {
    const said = this.attempt(() => this.run()!.world.algorithm.meetReason?.(my, other) ?? null)
    if (said !== null) this.reasons.push(said)
  }

  private follow(net: HandledAt, reason: ReasonOf, seen: NotesOf): void {
    const { world } = this.run()!
    const { position, from } = net
    const around = eventContext(world, position, from, (link) => net.up(link))
    const said = this.attempt(() => reason(shownIdIn(world), around))
    if (typeof said === 'string') this.reasons.push(said)
    else if (said !== null) this.problems.add(`a reason must be a text, but one is ${said}`)
    const before = this.seen.get(position) ?? NOTHING
    const noted = this.attempt(() => seen(before, around))
    if (noted !== null) this.seen.set(position, { ...before, ...noted })
  }

  timerSet(node: number, timer: number, due: number): void {
    const run = this.run()
    if (run === undefined || run.world.algorithm.display?.countdown === undefined) return
    const { now, time } = run
    const settings = this.timers.get(node) ?? []
    settings[timer] = [time, due + (time - now)]
    this.timers.set(node, settings)
  }

  /** An event of the run: a node that recovers, or begins another attempt, has seen nothing. */
  record({ event, node }: TraceEvent): void {
    const { restarts } = this.run()!.world.algorithm
    if (event === 'recover' || (restarts && (event === 'down' || event === 'up'))) this.forget(node)
  }

  forget(node: number): void {
    this.seen.delete(node)
  }

  /** The reasons since the last call; null where there is none. */
  takeReason(): string | null {
    const [first, second, ...more] = new Set(this.reasons)
    this.reasons = []
    if (second === undefined) return first ?? null
    const rest = more.length === 0 ? '' : `; then handles ${more.length} more that waited`
    return `${first}; then ${second}${rest}`
  }

  /** What is shown of a node now. */
  display(node: number, state: Readonly<State>): NodeDisplay | null {
    const { world, timeline } = this.run()!
    const seen = this.seen.get(node) ?? NOTHING
    const timer = (index: number) =>
      timeline.isSet(node, index) ? (this.timers.get(node)?.[index] ?? null) : null
    return this.attempt(() => nodeDisplay(world, node, state, { seen, timer }))
  }

  private attempt<T>(of: () => T): T | null {
    try {
      return of()
    } catch (error) {
      this.problems.add(error instanceof Error ? error.message : String(error))
      return null
    }
  }
}
