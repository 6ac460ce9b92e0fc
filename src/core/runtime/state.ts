import { CodeFromText } from '../code-from-text.ts'
import {
  type Fields,
  flag,
  maybe,
  type Naming,
  nat,
  oneOf,
  real,
  stable,
  uid,
  type ValueType,
  writeFields,
} from '../language/value-types.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'
import { type ColumnGroup, type OpenRecordView, recordViews } from './record-view.ts'

/** Where a node stands in an election. */
export type Status = 'asleep' | 'unknown' | 'leader' | 'lost'

/** The outcome of the election as a node sees it; every state has it. */
export interface Outcome<Id = number> {
  readonly status: Status
  /** The leader's id as this node knows it. */
  readonly leader: Id | null
  readonly stopped: boolean
}

/** The state of a node, as engines store it. */
export interface State {
  /** Absent where nodes are anonymous. */
  id?: number
  status: Status
  leader: number | null
  stopped: boolean
  [field: string]: unknown
}

const outcome: Fields = {
  status: oneOf('asleep', 'unknown', 'leader', 'lost'),
  leader: maybe(uid),
  stopped: flag,
}

/**
 * The fields that engines keep for an algorithm beside its own. leadsBound: it leads, and its
 * leadership is bound to a timer. openTerm: the smallest term in which it may still lead so.
 * restarts: how often it has recovered, which no crash erases.
 */
export function engineFields(needs: {
  readonly time?: string
  readonly knows?: readonly string[]
}): Fields {
  return {
    ...(needs.time === 'clocks' && { leadsBound: flag, openTerm: nat }),
    ...(needs.knows?.includes('incarnation') && { restarts: stable(nat) }),
  }
}

type Settled = NonNullable<ValueType<unknown>['settled']>

/** Creates, copies, writes and shows states: id, outcome, then the algorithm's own fields. */
export class StateLayout<S extends Fields = Fields> {
  private readonly entries: [string, ValueType<unknown>][]
  /** The fields with maps or sets. */
  private readonly ordered: readonly [string, Settled][]
  /** The columns of the fields that differ between nodes. */
  readonly columnGroups: readonly ColumnGroup[]
  /** Whether every field has a fixed width, so that states may lie in columns. */
  readonly fixed: boolean
  /** Whether some field may be a fraction. */
  readonly fractions: boolean
  private creator: StateLayout['create'] | null = null
  private settler: StateLayout['settle'] | null = null
  private openers: { handlers: OpenRecordView; observers: OpenRecordView } | null = null

  constructor(
    /** The algorithm's own fields. */
    readonly own: S,
    readonly hasIds: boolean,
    /** Parameters and inputs are constants: they are not part of the canonical bytes. */
    private readonly params: readonly string[],
    private readonly inputs: readonly string[] = [],
    /** Fields that engines keep beside the algorithm's own. */
    readonly kept: Fields = {},
  ) {
    this.entries = Object.entries(this.all)
    this.ordered = this.entries.flatMap(([name, { settled }]) => (settled ? [[name, settled]] : []))
    this.columnGroups = groupsOf(this.entries, inputs)
    const codecs = this.columnGroups.flat().map(([, { codec }]) => codec)
    this.fixed = codecs.every((codec) => codec !== undefined)
    this.fractions = codecs.some((codec) => codec?.integer === false)
  }

  /** The types of all fields. */
  get all(): Fields {
    return { ...(this.hasIds && { id: uid }), ...outcome, ...this.own, ...this.kept }
  }

  /**
   * A sleeping node. All states of an algorithm are created here, so that they share a shape. The
   * code is generated when it is first needed: a command uses few of the algorithms it loads.
   */
  get create(): (id: number, given: Readonly<Record<string, unknown>>) => State {
    this.creator ??= constructorOf(compact(this.all), [...this.params, ...this.inputs])
    return this.creator
  }

  /** Opens views of states in columns, where all fields have a fixed width. */
  get openViews(): { readonly handlers: OpenRecordView; readonly observers: OpenRecordView } {
    this.openers ??= {
      handlers: recordViews(this.columnGroups, this.params, true),
      observers: recordViews(this.columnGroups, this.params, false),
    }
    return this.openers
  }

  copy(state: State): State {
    const copy = { ...state }
    for (const [name, type] of this.entries) copy[name] = type.copy(state[name])
    return copy
  }

  /** Whether some field has maps or sets. */
  get hasOrdered(): boolean {
    return this.ordered.length > 0
  }

  /** Puts the maps and sets that a handler has assigned into the order of their keys. */
  get settle(): (state: State) => void {
    this.settler ??= settlerOf(this.ordered)
    return this.settler
  }

  /**
   * A sleeping node with the stable fields of an earlier state; without its memory only with those
   * that engines keep.
   */
  recovered(
    earlier: Readonly<State>,
    id: number,
    given: Readonly<Record<string, unknown>>,
    memory = true,
  ): State {
    const state = this.create(id, given)
    for (const [name, type] of this.entries)
      if (type.stable && (memory || name in this.kept)) state[name] = earlier[name]
    return state
  }

  write(out: ByteWriter, state: State): void {
    writeFields(out, this.entries, state)
  }

  /** Reads a state; `base` provides the parameters. */
  read(input: ByteReader, base: State): State {
    const state = { ...base }
    for (const [name, type] of this.entries) state[name] = type.read(input)
    return state
  }

  /** The algorithm's own fields as JSON. */
  json(state: State, naming?: Naming): Record<string, unknown> {
    const own = Object.entries(this.own)
    return Object.fromEntries(own.map(([name, type]) => [name, type.json(state[name], naming)]))
  }
}

/** Puts the fields that nearly every event uses first: they share a cache line. */
function compact(all: Fields): Fields {
  const { id, status, leader, stopped, ...own } = all
  return { ...(id && { id }), stopped, ...own, status, leader }
}

/** Own fractional fields share a column, since events use them together; others have their own. */
function groupsOf(entries: ColumnGroup, inputs: readonly string[]): readonly ColumnGroup[] {
  const [fractions, others] = [true, false].map((fraction) =>
    entries.filter(([, { codec }]) => (codec?.integer === false) === fraction),
  )
  const alone = [...others, ...inputs.map((name) => [name, real] as const)].map((field) => [field])
  return fractions.length === 0 ? alone : [fractions, ...alone]
}

/**
 * A constructor with one assignment per field. It is generated because only then V8 keeps the
 * fields inside the object and shares one hidden class between all nodes.
 */
function constructorOf(all: Fields, given: readonly string[]): StateLayout['create'] {
  const types = Object.values(all)
  const fields = Object.keys(all).map((name, i) => {
    const value = name === 'id' ? 'id' : `types[${i}].start()`
    return `this[${JSON.stringify(name)}] = ${value};`
  })
  const constants = given.map((name) => `this[${key(name)}] = given[${key(name)}];`)
  const make = new CodeFromText(
    'types',
    `class State { constructor(id, given) { ${[...fields, ...constants].join(' ')} } }
     return (id, given) => new State(id, given)`,
  )
  return make(types)
}

function settlerOf(ordered: readonly [string, Settled][]): StateLayout['settle'] {
  const fields = ordered.map(([name], i) => {
    const field = `state[${key(name)}]`
    return `const new${i} = settled${i}(${field}); if (new${i} !== ${field}) ${field} = new${i};`
  })
  const make = new CodeFromText(
    ...ordered.map((_, i) => `settled${i}`),
    `return (state) => { ${fields.join(' ')} }`,
  )
  return make(...ordered.map(([, settled]) => settled))
}

const key = JSON.stringify
