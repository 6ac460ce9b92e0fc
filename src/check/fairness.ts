import type { Graph, Step } from './graph.ts'
import { type Limits, paceOf } from './limits.ts'
import type { Move } from './move.ts'
import type { StrongComponents } from './strong-components.ts'

/**
 * What must not be ignored for ever: a channel that is not empty (where messages overtake each
 * other, each message), an alarm that is set, news that a live node is to be told, the clock.
 * Nobody must wake by itself, and nothing must go wrong.
 */
interface Source {
  readonly key: string
  /** Whose alarm it is; null for everything else. */
  readonly alarmOf: number | null
}

/**
 * fair: a run can stay there for ever and ignore nothing. unfair: it cannot. unclear: it ignores
 * only alarms of nodes at which something happens again and again; whether these set them anew each
 * time, so that they are never due, the states do not tell. undecided: the time was over.
 */
export type Fairness = 'fair' | 'unfair' | 'unclear' | 'undecided'

function sourceOf(move: Move, order: 'fifo' | 'any'): Source | null {
  switch (move.event) {
    case 'receive':
      return channelSource(move.occasion as { channel: number; message: number }, order)
    case 'vanish':
      return channelSource(move, order)
    case 'timeout': {
      const { alarm } = move.occasion as { alarm: number }
      return { key: `alarm ${move.node} ${alarm}`, alarmOf: move.node }
    }
    case 'down':
    case 'up': {
      const { link } = move.occasion as { link: number }
      return { key: `news ${move.node} ${link}`, alarmOf: null }
    }
    case 'tick':
      return { key: 'clock', alarmOf: null }
    default:
      return null
  }
}

function channelSource(
  { channel, message }: { readonly channel: number; readonly message: number },
  order: 'fifo' | 'any',
): Source {
  return { key: `channel ${channel}${order === 'any' ? ` ${message}` : ''}`, alarmOf: null }
}

/** One step of a run: what it did, of all that it could do. */
export interface Turn {
  readonly did: Move
  readonly could: readonly Move[]
}

/**
 * Whether a run that makes these steps again and again ignores nothing that could happen all the
 * while, nor waits in vain for a coin to fall otherwise.
 */
export function isFairRound(round: readonly Turn[], order: 'fifo' | 'any'): boolean {
  const sources = (moves: readonly Move[]) =>
    new Set(moves.flatMap((move) => sourceOf(move, order)?.key ?? []))
  const taken = sources(round.map(({ did }) => did))
  const possible = round.map(({ could }) => sources(could))
  const ignored = [...possible[0]].filter((key) => possible.every((some) => some.has(key)))
  return ignored.every((key) => taken.has(key)) && !round.some(({ could }) => could.some(isDrawn))
}

/** How a run goes on that makes so many steps again and again. */
export function roundInWords(steps: number): string {
  return `${steps} ${steps === 1 ? 'step follows itself' : 'steps follow each other'} for ever`
}

function isDrawn(move: Move): boolean {
  return 'draws' in move && move.draws.length > 0
}

/** A step whose target may be outside the graph: -1. */
interface SourcedStep extends Step {
  readonly source: Source | null
}

/** One set of states in which a run can stay for ever. */
export class Loop {
  private readonly stepsBy = new Map<number, readonly SourcedStep[]>()

  constructor(
    private readonly graph: Graph,
    private readonly components: StrongComponents,
    readonly members: readonly number[],
    private readonly order: 'fifo' | 'any',
  ) {}

  /**
   * Whether a run that stays here can be fair. The run that visits all members and makes all their
   * moves again and again ignores no more than any other that stays. Steps are not kept: there may
   * be millions of members.
   */
  fairness(expired: Limits['expired'] = () => false): Fairness {
    const taken = new Set<string>()
    const busy = new Set<number>()
    /** What can happen at all members so far, and was not seen to happen inside. */
    let ignored: Map<string, Source> | null = null
    const pace = paceOf(this.graph.system.vector.width)
    for (const [i, state] of this.members.entries()) {
      if (i % pace === 0 && expired()) return 'undecided'
      const enabled = new Map<string, Source>()
      for (const { move, target, source } of this.stepsOf(state)) {
        if (source !== null) enabled.set(source.key, source)
        if (!this.holds(target)) continue
        if (source !== null) taken.add(source.key)
        if ('node' in move) busy.add(move.node)
      }
      const before: Map<string, Source> = ignored ?? enabled
      ignored = new Map([...before].filter(([key]) => enabled.has(key) && !taken.has(key)))
      if (ignored.size === 0) return 'fair'
    }
    const waits = ({ alarmOf }: Source) => alarmOf !== null && busy.has(alarmOf)
    return [...ignored!.values()].every(waits) ? 'unclear' : 'unfair'
  }

  /** Whether the nodes draw something here: who is lucky gets out. */
  get gambles(): boolean {
    return this.members.some((state) => this.graph.steps(state).some(({ move }) => isDrawn(move)))
  }

  /**
   * Moves from the first member that is reached back to itself. All that can happen at it happens
   * on the way, or cannot happen any more somewhere on the way: so nothing is ignored.
   */
  round(): Move[] {
    const { nearest: start } = this
    const duties = new Set(this.steps(start).flatMap(({ source }) => source?.key ?? []))
    const settles = ({ from, step }: Leg, key: string) =>
      step.source?.key === key || !this.enables(from, key)
    const legs: Leg[] = []
    const walk = (wanted: (leg: Leg) => boolean) => {
      legs.push(...this.way(legs.at(-1)?.step.target ?? start, wanted))
      for (const leg of legs) for (const key of duties) if (settles(leg, key)) duties.delete(key)
    }
    for (const key of duties) walk((leg) => settles(leg, key))
    if (legs.at(-1)?.step.target !== start) walk(({ step }) => step.target === start)
    return legs.map(({ step }) => step.move)
  }

  /** The same with a move of some kind, fair or not; null where there is none inside. */
  roundWith(wanted: (move: Move) => boolean): Move[] | null {
    const there = this.way(this.nearest, ({ step }) => wanted(step.move))
    if (there.length === 0) return null
    const end = there.at(-1)!.step.target
    const back = ({ step }: Leg) => step.target === this.nearest
    const rest = end === this.nearest ? [] : this.way(end, back)
    return [...there, ...rest].map(({ step }) => step.move)
  }

  /** The member with the shortest way from the beginning. */
  get nearest(): number {
    return this.members.reduce((a, b) => Math.min(a, b))
  }

  private enables(state: number, key: string): boolean {
    return this.steps(state).some(({ source }) => source?.key === key)
  }

  /** A shortest way inside that ends with a leg as it is wanted. */
  private way(start: number, wanted: (leg: Leg) => boolean): Leg[] {
    const legTo = new Map<number, Leg>()
    const queue = [start]
    for (const from of queue)
      for (const step of this.steps(from)) {
        if (!this.holds(step.target)) continue
        const leg = { from, step }
        if (wanted(leg)) return [...legsTo(from, start, legTo), leg]
        if (step.target === start || legTo.has(step.target)) continue
        legTo.set(step.target, leg)
        queue.push(step.target)
      }
    return []
  }

  private holds(state: number): boolean {
    return state >= 0 && this.components.of(state) === this.components.of(this.members[0])
  }

  private steps(state: number): readonly SourcedStep[] {
    let steps = this.stepsBy.get(state)
    if (steps === undefined) {
      steps = this.stepsOf(state)
      this.stepsBy.set(state, steps)
    }
    return steps
  }

  private stepsOf(state: number): SourcedStep[] {
    const { graph, order } = this
    return graph.steps(state).map((step) => ({ ...step, source: sourceOf(step.move, order) }))
  }
}

interface Leg {
  readonly from: number
  readonly step: SourcedStep
}

function legsTo(end: number, start: number, legTo: ReadonlyMap<number, Leg>): Leg[] {
  const legs: Leg[] = []
  for (let state = end; state !== start; ) {
    const leg = legTo.get(state)!
    legs.push(leg)
    state = leg.from
  }
  return legs.reverse()
}
