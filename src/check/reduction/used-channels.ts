import { grown } from '../../core/runtime/growable-array.ts'
import { Random } from '../../core/runtime/random.ts'
import type { HandlerTransition, Transition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import type { FastSuccessors } from '../search/fast-successors.ts'
import type { StateOrbits } from './state-orbits.ts'

/** A few short random runs almost always show all channels that are used. */
const WALKS = 2
const STEPS = 300

/** After this many failed guesses every channel is assumed to be used. */
const MAX_REVISIONS = 3

/** The incoming channels of each node, in flat lists. */
interface Layout {
  /** The first channel of a node; the first of the next node ends it. */
  readonly first: Int32Array
  readonly cell: Int32Array
  readonly from: Int32Array
}

/** A system may be searched several times. */
const layouts = new WeakMap<TransitionSystem, Layout>()

/**
 * Which channels the algorithm uses. Many never use some, for example those that send one way round
 * a ring. A channel is assumed to be unused until a message is sent into it. If the reduced search
 * never sees one, no run sends one: the reduction is sound for runs without such a send, and would
 * show the first transition with one.
 */
export class UsedChannels implements Layout {
  readonly first: Int32Array
  readonly cell: Int32Array
  readonly from: Int32Array
  readonly used: Uint8Array
  /** The number of unused channels. */
  private unused: number
  /** By step number: whether it was inspected. */
  private inspected = new Uint8Array(256)
  private revisions = 0
  /** The steps that were seen, and those of them that are to be inspected. */
  private readonly known = new Set<HandlerTransition>()
  private readonly fresh: HandlerTransition[] = []

  constructor(
    private readonly system: TransitionSystem,
    transitions: FastSuccessors | null,
    private readonly orbits: StateOrbits | null = null,
  ) {
    const { first, cell, from } = layoutOf(system)
    this.first = first
    this.cell = cell
    this.from = from
    this.used = new Uint8Array(cell.length)
    this.unused = cell.length
    if (transitions === null) this.sampleSlowly()
    else this.sampleRuns(transitions)
  }

  /** Inspects the enabled transitions; returns whether a channel turned out to be used. */
  revise(transitions: FastSuccessors): boolean {
    if (!this.inspect(transitions)) return false
    this.countRevision()
    return true
  }

  /** Keeps a transition in mind until the next `reviseSeen`. */
  see(transition: Transition): void {
    const step = 'during' in transition ? transition.during?.transition : transition
    if (this.unused === 0 || step === undefined || !('sent' in step)) return
    if (this.known.has(step)) return
    this.known.add(step)
    this.fresh.push(step)
  }

  /** Inspects what was seen; returns whether a channel turned out to be used. */
  reviseSeen(): boolean {
    let revised = false
    for (let step = this.fresh.pop(); step !== undefined; step = this.fresh.pop())
      if (this.recordSends(step)) revised = true
    if (revised) this.countRevision()
    return revised
  }

  private countRevision(): void {
    if (++this.revisions < MAX_REVISIONS) return
    this.used.fill(1)
    this.unused = 0
  }

  private inspect(transitions: FastSuccessors): boolean {
    if (this.unused === 0) return false
    let revised = false
    for (let i = 0; i < transitions.count; i++) {
      const step = transitions.step(i)
      if (this.inspected[step] > 0) continue
      if (step >= this.inspected.length) this.inspected = grown(this.inspected, 2 * step)
      this.inspected[step] = 1
      if (this.recordSends(transitions.transition(i))) revised = true
    }
    return revised
  }

  private recordSends({ sent }: HandlerTransition): boolean {
    let revised = false
    for (const { channel } of sent) if (this.recordUse(this.system.n + channel)) revised = true
    return revised
  }

  /** Where one state of an orbit stands for all, so does one channel. */
  private recordUse(cell: number): boolean {
    if (this.used[this.cell.indexOf(cell)] > 0) return false
    for (const image of this.orbits?.imagesOf(cell) ?? [cell]) {
      this.used[this.cell.indexOf(image)] = 1
      this.unused--
    }
    return true
  }

  private sampleRuns(transitions: FastSuccessors): void {
    const { system } = this
    const random = Random.from(1).split('scouts')
    for (let walk = 0; walk < WALKS && this.unused > 0; walk++) {
      system.reset()
      for (let step = 0; step < STEPS && this.unused > 0; step++) {
        transitions.enumerate()
        if (transitions.count === 0) break
        this.inspect(transitions)
        transitions.apply(random.below(transitions.count))
        system.vector.commit()
      }
    }
    system.reset()
  }

  /** The same where transitions are not enumerated from tables. */
  private sampleSlowly(): void {
    const { system } = this
    const { vector } = system
    const random = Random.from(1).split('scouts')
    for (let walk = 0; walk < WALKS; walk++) {
      system.reset()
      for (let step = 0, found = 1; step < STEPS && found > 0; step++) {
        let next = vector.cells
        found = 0
        system.successors((transition) => {
          this.see(transition)
          if (random.below(++found) === 0) next = vector.cells.slice()
        })
        vector.cells.set(next)
        vector.rehash()
      }
    }
    for (const step of this.fresh.splice(0)) this.recordSends(step)
    system.reset()
  }
}

function layoutOf(system: TransitionSystem): Layout {
  const known = layouts.get(system)
  if (known !== undefined) return known
  const { n, cache } = system
  const routes = cache.channels.map(({ route }, i) => ({ ...route, cell: n + i }))
  routes.sort((a, b) => a.to - b.to)
  const first = new Int32Array(n + 1)
  for (const { to } of routes) first[to + 1]++
  for (let node = 0; node < n; node++) first[node + 1] += first[node]
  const layout = {
    first,
    cell: Int32Array.from(routes, ({ cell }) => cell),
    from: Int32Array.from(routes, ({ from }) => from),
  }
  layouts.set(system, layout)
  return layout
}
