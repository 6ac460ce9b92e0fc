import { Interner } from '../interner.ts'
import type { StateVector } from '../state-vector.ts'
import type { Transition } from '../transition.ts'
import type { TransitionCache } from '../transition-cache.ts'
import type { FaultTransitions } from './fault-transitions.ts'

/** Two simultaneous leaders and the time that is left for the hand-over; negative: exceeded. */
interface Overlap {
  readonly nodes: readonly [number, number]
  readonly remaining: number
}

/** Which pairs of leaders are tolerated. */
interface HandoverState {
  /** The nodes that have been leader since before the last recovery. */
  readonly incumbents: readonly number[]
  /** Whether no time has passed since: a new leader then counts as incumbent too. */
  readonly sameInstant: boolean
  /** Only where their duration is measured. */
  readonly overlaps: readonly Overlap[]
}

const NONE: HandoverState = { incumbents: [], sameInstant: false, overlaps: [] }

/**
 * Hand-overs: after a recovery an old leader is tolerated beside a new one until it learns of it;
 * with a clock for as long as the algorithm's bound, else until the run is quiescent. A
 * long-running algorithm without a bound may have several leaders until then. One cell of the state
 * vector holds which leaders are tolerated.
 */
export class Handovers {
  private readonly interner = new Interner<HandoverState>()
  /** The longest hand-over; Infinity without a bound or without a clock. */
  private readonly bound: number
  private readonly allNodes: readonly number[] | null
  private readonly timed: boolean
  private readonly cell: number
  /** Whether there is a bound, but no clock to measure it. */
  readonly unmeasured: boolean

  constructor(
    private readonly cache: TransitionCache,
    private readonly faults: FaultTransitions,
    private readonly vector: StateVector,
    /** null without a clock. */
    largestDelay: number | null,
  ) {
    this.cell = faults.cell + 1
    const { algorithm, topology } = cache.world
    const bound = algorithm.handover({ n: topology.n, largestDelay: largestDelay ?? 1 })
    const limited = bound < Number.POSITIVE_INFINITY
    this.timed = largestDelay !== null
    this.allNodes = algorithm.lasting && !limited ? [...cache.localStates.keys()] : null
    this.bound = this.timed ? bound : Number.POSITIVE_INFINITY
    this.unmeasured = limited && !this.timed
    this.intern(NONE)
  }

  /** Whether no leader is tolerated beside another. */
  get none(): boolean {
    return this.current === NONE
  }

  tolerates(first: number, second: number): boolean {
    const { incumbents, overlaps } = this.current
    if (!incumbents.includes(first) && !incumbents.includes(second)) return false
    const overlap = overlaps.find(({ nodes }) => nodes.includes(first) && nodes.includes(second))
    return (overlap?.remaining ?? 0) >= 0
  }

  /** Called after each transition. In a quiescent state no leader will learn of another. */
  update(transition: Transition, quiescent: boolean): void {
    if (this.current === NONE && !isRecovery(transition)) return
    this.vector.set(this.cell, this.intern(quiescent ? NONE : this.next(transition)))
  }

  private next(transition: Transition): HandoverState {
    const { current, allNodes } = this
    if (allNodes !== null) return { ...NONE, incumbents: allNodes }
    const recovery = isRecovery(transition)
    const leaders = this.leaders()
    const sameInstant =
      this.timed && (recovery || (current.sameInstant && transition.event !== 'tick'))
    const incumbents =
      recovery || sameInstant
        ? leaders
        : current.incumbents.filter((node) => leaders.includes(node))
    if (this.bound === Number.POSITIVE_INFINITY) return { incumbents, sameInstant, overlaps: [] }
    const overlaps = leaders.flatMap((one, i) =>
      leaders
        .slice(i + 1)
        .filter((other) => this.connected(one, other))
        .filter((other) => incumbents.includes(one) || incumbents.includes(other))
        .map((other) => ({
          nodes: [one, other] as const,
          remaining: this.remainingFor([one, other], transition),
        })),
    )
    return { incumbents, sameInstant, overlaps }
  }

  private remainingFor(nodes: readonly [number, number], transition: Transition): number {
    const known = this.current.overlaps.find((overlap) => `${overlap.nodes}` === `${nodes}`)
    if (known === undefined) return this.bound
    return transition.event === 'tick'
      ? Math.max(known.remaining - transition.time, -1)
      : known.remaining
  }

  private connected(one: number, other: number): boolean {
    return this.faults.component(one) === this.faults.component(other)
  }

  private leaders(): number[] {
    const { localStates } = this.cache
    return [...localStates.keys()].filter(
      (node) => localStates[node].list[this.vector.cells[node]].state.status === 'leader',
    )
  }

  private get current(): HandoverState {
    return this.interner.list[this.vector.cells[this.cell]]
  }

  private intern(state: HandoverState): number {
    return this.interner.intern(JSON.stringify(state), state)
  }
}

/** Whether a node recovers, even if it crashes again during its first sends. */
function isRecovery(transition: Transition): boolean {
  const step = transition.event === 'crash' ? transition.during?.transition : transition
  return step?.event === 'recover'
}
