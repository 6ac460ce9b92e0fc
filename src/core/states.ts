import type { State, StateForm } from './state.ts'
import type { OpenWindow, Window } from './window.ts'
import { sleeper, type World } from './world.ts'

/** The states of all nodes of a world. */
export interface States {
  /** The state of a node, good until that of another is asked for. */
  at(node: number): State
  /** The same, good as long as it is wanted. */
  of(node: number): State
  all(): readonly State[]
  replace(node: number, state: State): void
  /** Reads what an event is about to need; what it returns means nothing. */
  glance(node: number): number
}

/** All asleep. Records hold fractions by pointers, so that states with fractions lie in rows. */
export function sleepers(world: World): States {
  const { window } = world.algorithm.form
  return window === null ? new Records(world) : new Rows(world, window)
}

/** An object for each. */
class Records implements States {
  private readonly list: State[]

  constructor(world: World) {
    this.list = Array.from(world.ids, (_, node) => sleeper(world, node))
  }

  at(node: number): State {
    return this.list[node]
  }

  of(node: number): State {
    return this.list[node]
  }

  all(): readonly State[] {
    return this.list
  }

  replace(node: number, state: State): void {
    this.list[node] = state
  }

  glance(node: number): number {
    return this.list[node].stopped ? 1 : 0
  }
}

/**
 * All in one column of float64s, a row for each: nothing but its numbers, in one line of the cache.
 * Handlers see a row through a window, and the same window is moved from node to node.
 */
class Rows implements States {
  private readonly form: StateForm
  private readonly cells: Float64Array
  private readonly width: number
  private readonly window: Window

  constructor(
    private readonly world: World,
    private readonly open: OpenWindow,
  ) {
    const { ids } = world
    this.form = world.algorithm.form
    this.width = this.form.cells.length
    this.cells = new Float64Array(ids.length * this.width)
    this.window = this.opened()
    for (const node of ids.keys()) this.replace(node, sleeper(world, node))
  }

  at(node: number): State {
    this.window.place = node * this.width
    return this.window
  }

  of(node: number): State {
    const window = this.opened()
    window.place = node * this.width
    return window
  }

  all(): readonly State[] {
    return Array.from({ length: this.cells.length / this.width }, (_, node) => this.of(node))
  }

  replace(node: number, state: State): void {
    const row = this.of(node)
    for (const [name] of this.form.cells) row[name] = state[name]
  }

  glance(node: number): number {
    return this.cells[node * this.width] > 0 ? 1 : 0
  }

  private opened(): Window {
    return this.open(this.cells, this.world.params)
  }
}
