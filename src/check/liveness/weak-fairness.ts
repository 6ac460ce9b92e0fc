import type { Transition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { paceOf, type SearchBudget } from '../search/budget.ts'
import type { GraphEdge, StateGraph } from './state-graph.ts'
import type { StrongComponents } from './strong-components.ts'

/**
 * fair: a run can stay there for ever and ignore nothing. unfair: it cannot. unclear: it ignores
 * only alarms that are set anew now and then; whether these would be due before, the states do not
 * tell. undecided: the time was over.
 */
export type WeakFairness = 'fair' | 'unfair' | 'unclear' | 'undecided'

/**
 * What must not be ignored for ever, by a name: a channel that is not empty (where messages
 * overtake each other, each message), an alarm that is set, news that a live node is to be told,
 * the clock. Nobody must wake by itself, and nothing must go wrong.
 */
function sourceOf(move: Transition, { unordered }: TransitionSystem): string | null {
  switch (move.event) {
    case 'receive':
      return channelSource(move.occasion as Arrival, unordered)
    case 'vanish':
      return channelSource(move, unordered)
    case 'timeout':
      return alarmSource(move.node, (move.occasion as { alarm: number }).alarm)
    case 'down':
    case 'up':
      return `news ${move.node} ${(move.occasion as { link: number }).link}`
    case 'tick':
      return 'clock'
    default:
      return null
  }
}

interface Arrival {
  readonly channel: number
  readonly message: number
}

function channelSource({ channel, message }: Arrival, unordered: boolean): string {
  return `channel ${channel}${unordered ? ` ${message}` : ''}`
}

function alarmSource(node: number, alarm: number): string {
  return `alarm ${node} ${alarm}`
}

/** What must not be ignored in the loaded state, in which these moves can be made. */
export function dutiesIn(system: TransitionSystem, moves: readonly Transition[]): Set<string> {
  const duties = new Set(moves.flatMap((move) => sourceOf(move, system) ?? []))
  // Where alarms wait for messages, one that never goes off while it is set waits for ever.
  if (system.mode === 'patient')
    for (const [node, { list }] of system.effects.locals.entries())
      for (const { alarm } of list[system.vector.cells[node]].alarms)
        duties.add(alarmSource(node, alarm))
  return duties
}

/** One step of a run: what it did, of all that it could do, and what it was not to ignore. */
export interface Turn {
  readonly did: Transition
  readonly could: readonly Transition[]
  readonly duties: ReadonlySet<string>
}

/**
 * Whether a run that makes these steps again and again ignores nothing all the while, nor waits in
 * vain for a coin to fall otherwise.
 */
export function isFairRound(round: readonly Turn[], system: TransitionSystem): boolean {
  const taken = new Set(round.map(({ did }) => sourceOf(did, system)))
  const ignored = [...round[0].duties].filter(
    (source) => !taken.has(source) && round.every(({ duties }) => duties.has(source)),
  )
  return ignored.length === 0 && !round.some(({ could }) => could.some(isDrawn))
}

/** How a run goes on that makes so many steps again and again. */
export function roundInWords(steps: number): string {
  return `${steps} ${steps === 1 ? 'step follows itself' : 'steps follow each other'} for ever`
}

function isDrawn(move: Transition): boolean {
  return 'draws' in move && move.draws.length > 0
}

/** A step whose target may be outside the graph: -1. */
interface SourcedStep extends GraphEdge {
  readonly source: string | null
}

/** A state in which a run can be again and again. */
interface Member {
  readonly steps: readonly SourcedStep[]
  readonly duties: ReadonlySet<string>
}

/** One set of states in which a run can stay for ever. */
export class Loop {
  private readonly known = new Map<number, Member>()

  constructor(
    private readonly graph: StateGraph,
    private readonly components: StrongComponents,
    readonly members: readonly number[],
  ) {}

  /**
   * Whether a run that stays here can be fair. The run that visits all members and makes all their
   * moves again and again ignores no more than any other that stays. Steps are not kept: there may
   * be millions of members.
   */
  fairness(expired: SearchBudget['expired'] = () => false): WeakFairness {
    const taken = new Set<string>()
    const setAnew = new Set<string>()
    /** What all members so far must not ignore, and was not seen to happen inside. */
    let ignored: string[] | null = null
    const pace = paceOf(this.graph.system.vector.width)
    for (const [i, state] of this.members.entries()) {
      if (i % pace === 0 && expired()) return 'undecided'
      const { steps, duties } = this.look(state)
      for (const { move, target, source } of steps) {
        if (!this.holds(target)) continue
        if (source !== null) taken.add(source)
        if ('sets' in move) for (const it of move.sets) setAnew.add(alarmSource(move.node, it))
      }
      const before: string[] = ignored ?? [...duties]
      ignored = before.filter((source) => duties.has(source) && !taken.has(source))
      if (ignored.length === 0) return 'fair'
    }
    return ignored!.every((source) => setAnew.has(source)) ? 'unclear' : 'unfair'
  }

  /** Whether the nodes draw something here: who is lucky gets out. */
  get gambles(): boolean {
    return this.members.some((state) => this.graph.steps(state).some(({ move }) => isDrawn(move)))
  }

  /**
   * Moves from the first member that is reached back to itself. All that can happen at it happens
   * on the way, or cannot happen any more somewhere on the way: so nothing is ignored.
   */
  round(): Transition[] {
    const { nearest: start } = this
    const duties = new Set(this.member(start).duties)
    const settles = ({ from, step }: Leg, source: string) =>
      step.source === source || !this.member(from).duties.has(source)
    const legs: Leg[] = []
    const walk = (wanted: (leg: Leg) => boolean) => {
      legs.push(...this.way(legs.at(-1)?.step.target ?? start, wanted))
      for (const leg of legs) for (const it of duties) if (settles(leg, it)) duties.delete(it)
    }
    for (const it of duties) walk((leg) => settles(leg, it))
    if (legs.at(-1)?.step.target !== start) walk(({ step }) => step.target === start)
    return legs.map(({ step }) => step.move)
  }

  /** The same with a move of some kind, fair or not; null where there is none inside. */
  roundWith(wanted: (move: Transition) => boolean): Transition[] | null {
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

  /** A shortest way inside that ends with a leg as it is wanted. */
  private way(start: number, wanted: (leg: Leg) => boolean): Leg[] {
    const legTo = new Map<number, Leg>()
    const queue = [start]
    for (const from of queue)
      for (const step of this.member(from).steps) {
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

  private member(state: number): Member {
    const member = this.known.get(state) ?? this.look(state)
    this.known.set(state, member)
    return member
  }

  private look(state: number): Member {
    const { system } = this.graph
    const steps = this.graph.steps(state)
    const moves = steps.map(({ move }) => move)
    return {
      steps: steps.map((step) => ({ ...step, source: sourceOf(step.move, system) })),
      duties: dutiesIn(system, moves),
    }
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
