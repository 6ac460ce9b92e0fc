import { initialState, perNodeFields, type World } from '../language/world.ts'
import type { Column, ColumnGroup, OpenRecordView, RecordView } from './record-view.ts'
import type { State } from './state.ts'

/**
 * The states of all nodes, for observers. Handlers write through a view of their own, which cannot
 * be reached from here: whatever is read, and whenever, a run stays as it is.
 */
export interface StateReader {
  /** The state of a node, now and later: it shows what the node has at the time of looking. */
  of(node: number): Readonly<State>
  all(): readonly Readonly<State>[]
  /**
   * One state after the other, for an observer that reads many: each is good until the observer
   * asks for the next. Every call of `cursor` makes another one.
   */
  cursor(): (node: number) => Readonly<State>
}

/** The states of all nodes of a world, for the engine that runs the handlers. */
export interface States {
  readonly reader: StateReader
  /** The state that a handler reads and writes, good until that of another node is asked for. */
  at(node: number): State
  /** The two that change a state from outside; what `at` has given stays where it is. */
  set<Name extends keyof State>(node: number, name: Name, value: State[Name]): void
  replace(node: number, state: State): void
  /** Reads what events at the first so many nodes will need; what it returns means nothing. */
  prefetch(nodes: Int32Array, count: number): number
}

/** All asleep. Records hold fractions by pointers: states with fractions lie in columns. */
export function initialStates(world: World): States {
  const { openView } = world.algorithm.layout
  return openView === null ? new Records(world) : new Columns(world, openView)
}

/** An object for each. */
class Records implements States, StateReader {
  readonly reader: StateReader = this
  private readonly list: State[]

  constructor(world: World) {
    this.list = Array.from(world.ids, (_, node) => initialState(world, node))
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

  cursor(): (node: number) => Readonly<State> {
    return (node) => this.list[node]
  }

  set<Name extends keyof State>(node: number, name: Name, value: State[Name]): void {
    this.list[node][name] = value
  }

  replace(node: number, state: State): void {
    this.list[node] = state
  }

  prefetch(nodes: Int32Array, count: number): number {
    const { list } = this
    let seen = 0
    for (let i = 0; i < count; i++) if (list[nodes[i]].stopped === true) seen++
    return seen
  }
}

/**
 * All in columns: what events need lies close together, and what is seldom needed not between it.
 * Handlers see a node through a window, the same one for all nodes, which only `at` moves.
 */
class Columns implements States {
  private readonly columns: readonly Column[]
  private readonly names: readonly string[]
  private readonly window: RecordView
  /** Another one, for whatever else is written. */
  private readonly spare: RecordView
  readonly reader: StateReader
  /** What nearly every event needs, and how many numbers of a node lie beside the first. */
  private readonly first: Column
  private readonly width: number
  private readonly stopped: Column

  constructor(
    private readonly world: World,
    open: OpenRecordView,
  ) {
    const n = world.ids.length
    const { columnGroups } = world.algorithm.layout
    this.names = columnGroups.flat().map(([name]) => name)
    this.columns = columnGroups.map((side) =>
      side.every(([, { codec }]) => codec!.byte)
        ? new Uint8Array(n * side.length)
        : new Float64Array(n * side.length),
    )
    this.first = this.columns[0]
    this.width = columnGroups[0].length
    this.stopped = this.columns[columnGroups.findIndex(([[name]]) => name === 'stopped')]
    const opened = () => open(this.columns, world.params)
    this.window = opened()
    this.spare = opened()
    this.reader = new ColumnReader(n, opened)
    this.fill(columnGroups)
  }

  /** All asleep. A record for each, to be read and thrown away, would take most of the time. */
  private fill(layout: readonly ColumnGroup[]): void {
    const asleep = initialState(this.world, 0)
    const differ = perNodeFields(this.world)
    for (const [i, side] of layout.entries())
      for (const [place, [name, { codec }]] of side.entries()) {
        const column = this.columns[i]
        const own = differ[name]
        const start = codec!.pack(asleep[name])
        for (let node = 0, at = place; at < column.length; node++, at += side.length)
          column[at] = own === undefined ? start : own[node]
      }
  }

  at(node: number): State {
    this.window.node = node
    return this.window
  }

  set<Name extends keyof State>(node: number, name: Name, value: State[Name]): void {
    const { spare } = this
    spare.node = node
    spare[name] = value
  }

  replace(node: number, state: State): void {
    for (const name of this.names) this.set(node, name, state[name])
  }

  prefetch(nodes: Int32Array, count: number): number {
    const { first, width, stopped } = this
    let seen = 0
    for (let i = 0; i < count; i++) seen += first[nodes[i] * width] + stopped[nodes[i]]
    return seen
  }
}

/** Reads columns through windows of its own. */
class ColumnReader implements StateReader {
  constructor(
    private readonly n: number,
    private readonly opened: () => RecordView,
  ) {}

  of(node: number): Readonly<State> {
    const window = this.opened()
    window.node = node
    return window
  }

  all(): readonly Readonly<State>[] {
    return Array.from({ length: this.n }, (_, node) => this.of(node))
  }

  cursor(): (node: number) => Readonly<State> {
    const window = this.opened()
    return (node) => {
      window.node = node
      return window
    }
  }
}
