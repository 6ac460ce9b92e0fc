import type { FaultTransitions } from './faults.ts'
import { Interner } from './interner.ts'
import type { StateVector } from './state-vector.ts'
import type { Transition } from './transition.ts'
import type { TransitionCache } from './transition-cache.ts'

/** Two who lead at once, and for how long they still may; below 0: not any more. */
interface Overlap {
  readonly nodes: readonly [number, number]
  readonly left: number
}

/** What makes it no fault that two lead at once. */
interface Excuse {
  /** Who led when somebody last came back, and has led ever since. */
  readonly old: readonly number[]
  /** Whether that is still the same moment: who takes office in it is taken to have led then. */
  readonly fresh: boolean
  /** Only where their time is measured. */
  readonly overlaps: readonly Overlap[]
}

const NONE: Excuse = { old: [], fresh: false, overlaps: [] }

/**
 * After a recovery an old leader may stand beside a new one until it hears of it: for as long as
 * the algorithm says where time counts, else until the run is quiet. An algorithm that answers
 * every change and sets no limit may have several leaders until then. One cell of the vector holds
 * who may lead beside another.
 */
export class Handovers {
  private readonly numbering = new Interner<Excuse>()
  /** How long it may take; Infinity where that has no limit or time does not count. */
  private readonly longest: number
  private readonly everybody: readonly number[] | null
  private readonly timed: boolean
  private readonly cell: number
  /** Whether it may take only so long, but there is no clock to measure it. */
  readonly unmeasured: boolean

  constructor(
    private readonly effects: TransitionCache,
    private readonly faults: FaultTransitions,
    private readonly vector: StateVector,
    /** The most time that a message takes; null where time does not count. */
    largestDelay: number | null,
  ) {
    this.cell = faults.cell + 1
    const { algorithm, topology } = effects.world
    const bound = algorithm.handover({ n: topology.n, largestDelay: largestDelay ?? 1 })
    const limited = bound < Number.POSITIVE_INFINITY
    this.timed = largestDelay !== null
    this.everybody = algorithm.lasting && !limited ? [...effects.locals.keys()] : null
    this.longest = this.timed ? bound : Number.POSITIVE_INFINITY
    this.unmeasured = limited && !this.timed
    this.numberOf(NONE)
  }

  excuse(first: number, second: number): boolean {
    const { old, overlaps } = this.now
    if (!old.includes(first) && !old.includes(second)) return false
    const overlap = overlaps.find(({ nodes }) => nodes.includes(first) && nodes.includes(second))
    return (overlap?.left ?? 0) >= 0
  }

  /** To be called after each move; where nothing more happens, nobody will hear of anybody. */
  update(move: Transition, quiet: boolean): void {
    if (this.now === NONE && !comesBack(move)) return
    this.vector.change(this.cell, this.numberOf(quiet ? NONE : this.after(move)))
  }

  private after(move: Transition): Excuse {
    const { now, everybody } = this
    if (everybody !== null) return { ...NONE, old: everybody }
    const back = comesBack(move)
    const leaders = this.leaders()
    const fresh = this.timed && (back || (now.fresh && move.event !== 'tick'))
    const old = back || fresh ? leaders : now.old.filter((it) => leaders.includes(it))
    if (this.longest === Number.POSITIVE_INFINITY) return { old, fresh, overlaps: [] }
    const overlaps = leaders.flatMap((one, i) =>
      leaders
        .slice(i + 1)
        .filter((other) => this.meet(one, other) && (old.includes(one) || old.includes(other)))
        .map((other) => ({ nodes: [one, other] as const, left: this.left([one, other], move) })),
    )
    return { old, fresh, overlaps }
  }

  private left(nodes: readonly [number, number], move: Transition): number {
    const known = this.now.overlaps.find((it) => `${it.nodes}` === `${nodes}`)
    if (known === undefined) return this.longest
    return move.event === 'tick' ? Math.max(known.left - move.time, -1) : known.left
  }

  private meet(one: number, other: number): boolean {
    return this.faults.component(one) === this.faults.component(other)
  }

  private leaders(): number[] {
    const { locals } = this.effects
    return [...locals.keys()].filter(
      (node) => locals[node].list[this.vector.cells[node]].state.status === 'leader',
    )
  }

  private get now(): Excuse {
    return this.numbering.list[this.vector.cells[this.cell]]
  }

  private numberOf(excuse: Excuse): number {
    return this.numbering.of(JSON.stringify(excuse), excuse)
  }
}

/** Whether somebody comes back, be it only to die in the middle of its first sends. */
function comesBack(move: Transition): boolean {
  const effect = move.event === 'crash' ? move.during?.effect : move
  return effect?.event === 'recover'
}
