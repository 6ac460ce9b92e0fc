import { initialState, perNodeFields, type World } from '../language/world.ts'
import {
  type Column,
  type ColumnGroup,
  type ColumnStore,
  columnFor,
  columnName,
  type RecordView,
} from './record-view.ts'
import type { State } from './state.ts'

/**
 * The states of all nodes, for observers. Handlers write through a view of their own, which cannot
 * be reached from here: reading never changes a run.
 */
export interface StateReader {
  /** The state of a node. It is live: it shows the values at the time of reading. */
  of(node: number): Readonly<State>
  all(): readonly Readonly<State>[]
  /**
   * A cursor for observers that read many states: a state is valid until the next call of the
   * cursor. Cursors are independent of each other.
   */
  cursor(): (node: number) => Readonly<State>
}

/** The states of all nodes, for the engine that runs the handlers. */
export interface States {
  readonly reader: StateReader
  /** The state that a handler reads and writes; valid until the next call. */
  at(node: number): State
  /** `set` and `replace` change a state from outside and leave the result of `at` valid. */
  set<Name extends keyof State>(node: number, name: Name, value: State[Name]): void
  replace(node: number, state: State): void
}

/** So many records fit into the processor's cache. */
const CACHED = 4096

/**
 * The initial states: records, the fastest as long as they fit into the cache, or columns, which
 * take a tenth of the memory and nothing from the garbage collector. Records box fractions,
 * so states with fractions lie in columns always. A meeting needs two states at a time.
 */
export function initialStates(world: World): States {
  const { layout, meet } = world.algorithm
  const many = world.ids.length > CACHED && meet === null
  if (!layout.fixed || !(layout.fractions || many)) return new Records(world)
  const columns = new Columns(world)
  for (const node of world.corrupted?.fields.keys() ?? [])
    columns.replace(node, initialState(world, node))
  return columns
}

/** One object per node. */
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
}

/**
 * Columns of numbers: fields that events use lie close together. Handlers see a node through a
 * record view, one for all nodes, which only `at` moves.
 */
class Columns implements States, ColumnStore {
  readonly columns: Column[]
  private readonly names: readonly string[]
  private readonly view: RecordView
  /** A second view, for `set` and `replace`. */
  private readonly writeView: RecordView
  readonly reader: StateReader

  constructor(private readonly world: World) {
    const n = world.ids.length
    const { columnGroups, openViews } = world.algorithm.layout
    this.names = columnGroups.flat().map(([name]) => name)
    this.columns = columnGroups.map((group) => columnFor(group, n))
    this.view = openViews.handlers(this, world.params)
    this.writeView = openViews.handlers(this, world.params)
    this.reader = new ColumnReader(n, () => openViews.observers(this, world.params))
    this.fill(columnGroups)
  }

  /** The column of whole numbers becomes one of float64s. */
  widen(i: number, at: number, value: number): void {
    const { columns, view, writeView } = this
    if (columns[i] instanceof Int32Array) columns[i] = Float64Array.from(columns[i])
    columns[i][at] = value
    view[columnName(i)] = columns[i]
    writeView[columnName(i)] = columns[i]
  }

  /** Fills in the initial states, without a temporary record per node. */
  private fill(layout: readonly ColumnGroup[]): void {
    const asleep = initialState(this.world, 0)
    const differ = perNodeFields(this.world)
    for (const [i, group] of layout.entries())
      for (const [offset, [name, { codec }]] of group.entries()) {
        const own = differ[name]
        const start = codec!.pack(asleep[name])
        if (own !== undefined) this.copyField(i, offset, group.length, own)
        else if (start !== 0) this.fillField(i, offset, group.length, start)
      }
  }

  private fillField(i: number, offset: number, width: number, value: number): void {
    const column = this.columns[i]
    for (let at = offset; at < column.length; at += width) column[at] = value
  }

  /** Copies the values of a field, node by node, into its column. */
  private copyField(i: number, offset: number, width: number, own: ArrayLike<number>): void {
    let column = this.columns[i]
    for (let node = 0, at = offset; at < column.length; node++, at += width) {
      const value = own[node]
      column[at] = value
      if (column[at] === value) continue
      this.widen(i, at, value)
      column = this.columns[i]
    }
  }

  at(node: number): State {
    this.view.node = node
    return this.view
  }

  set<Name extends keyof State>(node: number, name: Name, value: State[Name]): void {
    const { writeView } = this
    writeView.node = node
    writeView[name] = value
  }

  replace(node: number, state: State): void {
    for (const name of this.names) this.set(node, name, state[name])
  }
}

/** Reads columns through views of its own. */
class ColumnReader implements StateReader {
  constructor(
    private readonly n: number,
    private readonly openView: () => RecordView,
  ) {}

  of(node: number): Readonly<State> {
    const view = this.openView()
    view.node = node
    return view
  }

  all(): readonly Readonly<State>[] {
    return Array.from({ length: this.n }, (_, node) => this.of(node))
  }

  cursor(): (node: number) => Readonly<State> {
    const view = this.openView()
    return (node) => {
      view.node = node
      return view
    }
  }
}
