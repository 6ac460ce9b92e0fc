import {
  type Fields,
  flag,
  maybe,
  type Naming,
  oneOf,
  real,
  uid,
  type ValueType,
  writeFields,
} from '../language/value-types.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'
import { type ColumnGroup, type OpenRecordView, recordViews } from './record-view.ts'

export type Status = 'asleep' | 'unknown' | 'leader' | 'lost'

/** What every node has, whatever its algorithm: how the election stands, seen from here. */
export interface Outcome {
  readonly status: Status
  /** The leader's id as this node knows it. */
  readonly leader: number | null
  readonly stopped: boolean
}

/** The whole state of a node, as the drivers hold it. */
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

/** Makes, copies, writes and shows the states of an algorithm: id, outcome, then its own fields. */
export class StateLayout<S extends Fields = Fields> {
  private readonly entries: [string, ValueType<unknown>][]
  /** How what differs between nodes lies in columns, where it does. */
  readonly columnGroups: readonly ColumnGroup[]
  /** What shows states that lie in columns of numbers; null where they cannot, or need not. */
  readonly openView: OpenRecordView | null

  constructor(
    /** The algorithm's own fields. */
    readonly own: S,
    readonly hasIds: boolean,
    /** What it is given besides: parameters and inputs. It is no part of the canonical bytes. */
    params: readonly string[],
    inputs: readonly string[] = [],
  ) {
    const all = hasIds ? { id: uid, ...outcome, ...own } : { ...outcome, ...own }
    this.entries = Object.entries(all)
    this.create = constructorOf(compact(all), [...params, ...inputs])
    this.columnGroups = laidOut(this.entries, inputs)
    const rides = this.columnGroups.flat().map(([, { codec }]) => codec)
    const fixed = rides.every((ride) => ride !== undefined)
    const fractions = rides.some((ride) => ride?.integer === false)
    this.openView = fixed && fractions ? recordViews(this.columnGroups, params) : null
  }

  /** A sleeping node. Every state of an algorithm comes from here, so that all have one shape. */
  readonly create: (id: number, given: Readonly<Record<string, unknown>>) => State

  copy(state: State): State {
    const copy = { ...state }
    for (const [name, type] of this.entries) copy[name] = type.copy(state[name])
    return copy
  }

  /** A sleeping node again, with what is stable of an earlier state of it. */
  recovered(earlier: State, id: number, given: Readonly<Record<string, unknown>>): State {
    const state = this.create(id, given)
    for (const [name, type] of this.entries) if (type.stable) state[name] = earlier[name]
    return state
  }

  write(out: ByteWriter, state: State): void {
    writeFields(out, this.entries, state)
  }

  /** The state that was written, on top of one that has its parameters. */
  read(input: ByteReader, base: State): State {
    const state = { ...base }
    for (const [name, type] of this.entries) state[name] = type.read(input)
    return state
  }

  /** The algorithm's own fields as JSON has them. */
  json(state: State, naming?: Naming): Record<string, unknown> {
    const own = Object.entries(this.own)
    return Object.fromEntries(own.map(([name, type]) => [name, type.json(state[name], naming)]))
  }
}

/** What nearly every event reads or writes comes first: it then lies in one line of the cache. */
function compact(all: Fields): Fields {
  const { id, status, leader, stopped, ...own } = all
  return { ...(id && { id }), stopped, ...own, status, leader }
}

/** Own fractions are needed together and lie side by side; the rest has columns of its own. */
function laidOut(entries: ColumnGroup, inputs: readonly string[]): readonly ColumnGroup[] {
  const [fractions, others] = [true, false].map((fraction) =>
    entries.filter(([, { codec }]) => (codec?.integer === false) === fraction),
  )
  const alone = [...others, ...inputs.map((name) => [name, real] as const)].map((field) => [field])
  return fractions.length === 0 ? alone : [fractions, ...alone]
}

/**
 * A constructor with one assignment per field. It is generated because only then does the engine of
 * JavaScript keep the fields inside the object and share one hidden class between all nodes.
 */
function constructorOf(all: Fields, given: readonly string[]): StateLayout['create'] {
  const types = Object.values(all)
  const fields = Object.keys(all).map((name, i) => {
    const value = name === 'id' ? 'id' : `types[${i}].start()`
    return `this[${JSON.stringify(name)}] = ${value};`
  })
  const constants = given.map((name) => `this[${key(name)}] = given[${key(name)}];`)
  const make = new Function(
    'types',
    `class State { constructor(id, given) { ${[...fields, ...constants].join(' ')} } }
     return (id, given) => new State(id, given)`,
  )
  return make(types)
}

const key = JSON.stringify
