import { GrowableArray } from '../../core/runtime/growable-array.ts'
import { Interner } from '../model/interner.ts'
import type { Transition, Visit } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { giveUp, noMoreStates, paceOf, type SearchBudget } from '../search/budget.ts'
import { StateSet } from '../search/state-set.ts'

/** What one move adds to the measures of a run. */
export interface Toll {
  readonly sent: number
  /** Of these, the messages that tell who leads. */
  readonly announced: number
  readonly time: number
  /** Whether a live node received a message. */
  readonly receipt: boolean
}

/** One edge, found again: the move and the state it leads to. */
export interface GraphEdge {
  readonly move: Transition
  readonly target: number
}

/** Which states are looked at, and by which moves; by default all by all. */
export interface Scope {
  /** Shows moves of the loaded state. */
  readonly moves?: (visit: Visit) => void
  /** Whether what follows the loaded state is of interest too; somebody leads in it, or nobody. */
  readonly beyond?: (led: boolean) => boolean
}

const QUIET = 1
const LED = 2

/**
 * All states and moves at once, for questions about whole runs: how long they can be, and whether
 * they can go round in circles. States are numbered breadth first from 0, the beginning, which the
 * system must hold, and kept whole: nothing said of this graph rests on a hash.
 */
export class StateGraph {
  /** Why not everything is in it; null where everything is. */
  reason: string | null = null
  readonly states: StateSet
  private readonly first = new GrowableArray()
  private readonly targets = new GrowableArray()
  private readonly labels = new GrowableArray()
  private readonly flags = new GrowableArray()
  private readonly parents = new GrowableArray()
  private readonly tolls = new Interner<Toll>()
  private readonly tollOfEffect = new Map<Transition, number>()
  private readonly moves: (visit: Visit) => void

  constructor(
    readonly system: TransitionSystem,
    private readonly limits: SearchBudget,
    { moves = (visit) => system.moves(visit), beyond = () => true }: Scope = {},
  ) {
    this.moves = moves
    const { vector } = system
    this.states = new StateSet(vector.width)
    this.note(0)
    const visit: Visit = (move) => this.follow(move, state)
    const pace = paceOf(vector.width)
    let state = 0
    for (; state < this.size && this.reason === null; state++) {
      if (state % pace === 0) this.look()
      this.first.push(this.targets.length)
      this.states.load(state, vector)
      if (beyond(this.led(state))) moves(visit)
    }
    for (; state <= this.size; state++) this.first.push(this.targets.length)
  }

  get size(): number {
    return this.states.size
  }

  /** Whether a run may end there. */
  quiet(state: number): boolean {
    return (this.flags.at(state) & QUIET) !== 0
  }

  /** Whether somebody leads there. */
  led(state: number): boolean {
    return (this.flags.at(state) & LED) !== 0
  }

  /** The edges of a state have the numbers from this one up to that of the next state. */
  edges(state: number): number {
    return this.first.at(state)
  }

  target(edge: number): number {
    return this.targets.at(edge)
  }

  toll(edge: number): Toll {
    return this.tolls.list[this.labels.at(edge)]
  }

  /** The moves of a state; the vector is left holding it. */
  steps(state: number): GraphEdge[] {
    const { states, system } = this
    const steps: GraphEdge[] = []
    states.load(state, system.vector)
    this.moves((move) => steps.push({ move, target: states.numberOf(system.vector) }))
    return steps
  }

  /** The moves that first led to a state. */
  movesTo(state: number): Transition[] {
    const moves: Transition[] = []
    for (let child = state; child > 0; child = this.parents.at(child)) {
      const parent = this.parents.at(child)
      moves.push(this.steps(parent).find(({ target }) => target === child)!.move)
    }
    return moves.reverse()
  }

  tollOf(move: Transition): Toll {
    return tollOf(move, this.system)
  }

  private follow(move: Transition, from: number): void {
    if (this.reason !== null) return
    const { vector } = this.system
    let target = this.states.numberOf(vector)
    if (target < 0) {
      this.reason = noMoreStates(this.limits, this.size)
      if (this.reason !== null) return
      target = this.size
      this.note(from)
    }
    this.targets.push(target)
    this.labels.push(this.labelOf(move))
  }

  private note(parent: number): void {
    const { system, states } = this
    states.add(system.vector)
    this.parents.push(parent)
    this.flags.push((system.quiet ? QUIET : 0) | (isLed(system) ? LED : 0))
  }

  /** Effects are the same objects each time; ticks and faults are few. */
  private labelOf(move: Transition): number {
    const known = this.tollOfEffect.get(move)
    if (known !== undefined) return known
    const toll = this.tollOf(move)
    const label = this.tolls.of(JSON.stringify(toll), toll)
    if ('deeds' in move) this.tollOfEffect.set(move, label)
    return label
  }

  private look(): void {
    const columns = [this.first, this.targets, this.labels, this.flags, this.parents]
    const edges = columns.reduce((sum, { bytes }) => sum + bytes, 0)
    this.reason = giveUp(this.limits, this.states.bytes + edges, this.system.effects.seen)
  }
}

function tollOf(move: Transition, { effects: { mail } }: TransitionSystem): Toll {
  if (move.event === 'tick') return { sent: 0, announced: 0, time: move.time, receipt: false }
  const effect = 'deeds' in move ? move : 'during' in move ? move.during?.effect : undefined
  const sends = 'during' in move ? (move.during?.sends ?? 0) : (effect?.sent.length ?? 0)
  const sent = effect?.sent.slice(0, sends) ?? []
  return {
    sent: sent.length,
    announced: sent.filter(({ message }) => mail.kind(message).announces).length,
    time: 0,
    receipt: effect?.event === 'receive',
  }
}

function isLed({ effects: { locals }, vector: { cells } }: TransitionSystem): boolean {
  return locals.some(({ list, dead }, node) => {
    const local = cells[node]
    return !dead[local] && list[local].state.status === 'leader'
  })
}
