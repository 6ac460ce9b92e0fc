import { grown } from '../../core/runtime/growable-array.ts'
import { Random } from '../../core/runtime/random.ts'
import type { HandlerTransition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import type { FastSuccessors } from '../search/fast-successors.ts'

/** A few short walks show which channels are used, almost always all of them. */
const WALKS = 2
const STEPS = 300

/** What turns out wrong so often is better not believed. */
const MOST_REVISIONS = 3

/** The channels that lead to each node, one after the other, in flat lists. */
interface Layout {
  /** Where those of a node begin; those of the next one begin where they end. */
  readonly first: Int32Array
  readonly cell: Int32Array
  readonly from: Int32Array
}

/** A system may be searched again and again. */
const layouts = new WeakMap<TransitionSystem, Layout>()

/**
 * Which channels are used. Many algorithms never use some: those that send one way round a ring,
 * for example. A channel is taken to be idle until something is sent into it. If nothing ever is
 * in a reduced search, then nothing is in any run: the reduction is right for runs in which
 * nothing is, and would show the first event that does it.
 */
export class UsedChannels implements Layout {
  readonly first: Int32Array
  readonly cell: Int32Array
  readonly from: Int32Array
  readonly used: Uint8Array
  /** How many are not used. */
  private idle: number
  /** By number of an effect: whether it was looked at. */
  private looked = new Uint8Array(256)
  private revisions = 0

  constructor(
    private readonly system: TransitionSystem,
    moves: FastSuccessors,
  ) {
    const { first, cell, from } = layoutOf(system)
    this.first = first
    this.cell = cell
    this.from = from
    this.used = new Uint8Array(cell.length)
    this.idle = cell.length
    this.scout(moves)
  }

  /** Looks at what can happen in a state; whether a channel is used that was not. */
  revise(moves: FastSuccessors): boolean {
    if (!this.look(moves)) return false
    if (++this.revisions === MOST_REVISIONS) {
      this.used.fill(1)
      this.idle = 0
    }
    return true
  }

  private look(moves: FastSuccessors): boolean {
    if (this.idle === 0) return false
    let wrong = false
    for (let i = 0; i < moves.count; i++) {
      const number = moves.number(i)
      if (this.looked[number] > 0) continue
      if (number >= this.looked.length) this.looked = grown(this.looked, 2 * number)
      this.looked[number] = 1
      if (this.notes(moves.move(i))) wrong = true
    }
    return wrong
  }

  private notes({ sent }: HandlerTransition): boolean {
    let wrong = false
    for (const { channel } of sent) {
      const inlet = this.cell.indexOf(this.system.n + channel)
      if (this.used[inlet] > 0) continue
      this.used[inlet] = 1
      this.idle--
      wrong = true
    }
    return wrong
  }

  private scout(moves: FastSuccessors): void {
    const { system } = this
    const random = Random.from(1).split('scouts')
    for (let walk = 0; walk < WALKS && this.idle > 0; walk++) {
      system.restart()
      for (let step = 0; step < STEPS && this.idle > 0; step++) {
        moves.find()
        if (moves.count === 0) break
        this.look(moves)
        moves.make(random.below(moves.count))
        system.vector.keep()
      }
    }
    system.restart()
  }
}

function layoutOf(system: TransitionSystem): Layout {
  const known = layouts.get(system)
  if (known !== undefined) return known
  const { n, effects } = system
  const routes = effects.channels.map(({ route }, i) => ({ ...route, cell: n + i }))
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
