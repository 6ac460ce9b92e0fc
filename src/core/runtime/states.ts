import { differences, sleeper, type World } from '../language/world.ts'
import type { Column, OpenWindow, Side, Window } from './record-view.ts'
import type { State } from './state.ts'

/** The states of all nodes of a world. */
export interface States {
  /** The state of a node, good until that of another is asked for. */
  at(node: number): State
  /** The same, good as long as it is wanted. */
  of(node: number): State
  all(): readonly State[]
  replace(node: number, state: State): void
  /** Reads what events at the first so many nodes will need; what it returns means nothing. */
  glance(nodes: Int32Array, count: number): number
}

/** All asleep. Records hold fractions by pointers: states with fractions lie in columns. */
export function sleepers(world: World): States {
  const { window } = world.algorithm.form
  return window === null ? new Records(world) : new Columns(world, window)
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

  glance(nodes: Int32Array, count: number): number {
    const { list } = this
    let seen = 0
    for (let i = 0; i < count; i++) if (list[nodes[i]].stopped === true) seen++
    return seen
  }
}

/**
 * All in columns: what events need lies close together, and what is seldom needed not between it.
 * Handlers see a node through a window, the same one for all nodes.
 */
class Columns implements States {
  private readonly columns: readonly Column[]
  private readonly names: readonly string[]
  private readonly window: Window
  /** What nearly every event needs, and how many numbers of a node lie beside the first. */
  private readonly first: Column
  private readonly width: number
  private readonly stopped: Column

  constructor(
    private readonly world: World,
    private readonly open: OpenWindow,
  ) {
    const n = world.ids.length
    const { layout } = world.algorithm.form
    this.names = layout.flat().map(([name]) => name)
    this.columns = layout.map((side) =>
      side.every(([, { ride }]) => ride!.small)
        ? new Uint8Array(n * side.length)
        : new Float64Array(n * side.length),
    )
    this.first = this.columns[0]
    this.width = layout[0].length
    this.stopped = this.columns[layout.findIndex(([[name]]) => name === 'stopped')]
    this.window = this.opened()
    this.fill(layout)
  }

  /** All asleep. A record for each, to be read and thrown away, would take most of the time. */
  private fill(layout: readonly Side[]): void {
    const asleep = sleeper(this.world, 0)
    const differ = differences(this.world)
    for (const [i, side] of layout.entries())
      for (const [place, [name, { ride }]] of side.entries()) {
        const column = this.columns[i]
        const own = differ[name]
        const start = ride!.pack(asleep[name])
        for (let node = 0, at = place; at < column.length; node++, at += side.length)
          column[at] = own === undefined ? start : own[node]
      }
  }

  at(node: number): State {
    this.window.node = node
    return this.window
  }

  of(node: number): State {
    const window = this.opened()
    window.node = node
    return window
  }

  all(): readonly State[] {
    return Array.from(this.world.ids, (_, node) => this.of(node))
  }

  replace(node: number, state: State): void {
    const place = this.at(node)
    for (const name of this.names) place[name] = state[name]
  }

  glance(nodes: Int32Array, count: number): number {
    const { first, width, stopped } = this
    let seen = 0
    for (let i = 0; i < count; i++) seen += first[nodes[i] * width] + stopped[nodes[i]]
    return seen
  }

  private opened(): Window {
    return this.open(this.columns, this.world.params)
  }
}
