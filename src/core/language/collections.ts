import { OrderedMap, OrderedSet } from '../ordered-collections.ts'
import { type ByteReader, ByteWriter, MalformedBytes } from '../runtime/bytes.ts'
import { UsageError } from '../usage-error.ts'
import { requireFields, requireType, valueInError } from './validation/field-types.ts'
import {
  drawn,
  type Fields,
  type JsonValues,
  mismatch,
  nat,
  type Uid,
  type ValueSource,
  type Values,
  type ValueType,
} from './value-types.ts'

/** Numbers side by side: the value of a vector or of bytes. */
export type Row = Float64Array | Uint8Array

/** The most numbers of a vector, and the most bytes: more is no state of a node. */
const LONGEST = 1_048_576
/** Longer vectors show their first numbers only. */
const SHOWN = 4

/** Values that compare by `===`. */
type Element = number | string | Uid

/** Elements in order; charged its length as a natural number plus its elements. */
export function list<T, J>(type: ValueType<T, J>): ValueType<T[], J[]> {
  requireType('list', 'its argument', type)
  return {
    schema: `list(${type.schema})`,
    start: () => [],
    write(out, values) {
      out.nat(values.length)
      for (const value of values) type.write(out, value)
    },
    read(input) {
      const length = countOf(input)
      return Array.from({ length }, () => type.read(input))
    },
    bits: (values, uidBits) =>
      values.reduce(
        (sum, value) => sum + type.bits(value, uidBits),
        nat.bits(values.length, uidBits),
      ),
    fixedBits: false,
    text: (values) => `[${values.map((value) => type.text(value)).join(',')}]`,
    json: (values, name) => values.map((value) => type.json(value, name)),
    copy: (values) => values.map((value) => type.copy(value)),
    ...(type.settled && { settled: (values) => values.map((value) => type.settled!(value)) }),
    check: (values, name) =>
      Array.isArray(values)
        ? firstProblem(values, (value, i) => type.check(value, `${name}[${i}]`))
        : mismatch(name, values, 'list', 'an array'),
    draw: (source) => several(source, () => drawn(type, source)),
  }
}

/** Two values side by side. */
export function pair<A, B, JA, JB>(
  first: ValueType<A, JA>,
  second: ValueType<B, JB>,
): ValueType<[A, B], [JA, JB]> {
  requireType('pair', 'its first argument', first)
  requireType('pair', 'its second argument', second)
  return {
    schema: `pair(${first.schema},${second.schema})`,
    start: () => [first.start(), second.start()],
    write(out, [a, b]) {
      first.write(out, a)
      second.write(out, b)
    },
    read: (input) => [first.read(input), second.read(input)],
    bits: ([a, b], uidBits) => first.bits(a, uidBits) + second.bits(b, uidBits),
    fixedBits: first.fixedBits && second.fixedBits,
    text: ([a, b]) => `(${first.text(a)},${second.text(b)})`,
    json: ([a, b], name) => [first.json(a, name), second.json(b, name)],
    copy: ([a, b]) => [first.copy(a), second.copy(b)],
    ...((first.settled ?? second.settled) && {
      settled: ([a, b]) => [first.settled?.(a) ?? a, second.settled?.(b) ?? b],
    }),
    check: (values, name) =>
      Array.isArray(values) && values.length === 2
        ? (first.check(values[0], `${name}[0]`) ?? second.check(values[1], `${name}[1]`))
        : mismatch(name, values, 'pair', 'an array of two values'),
    draw: (source) => [drawn(first, source), drawn(second, source)],
  }
}

/** Named values. */
export function record<F extends Fields>(fields: F): ValueType<Values<F>, JsonValues<F>> {
  requireFields('record', fields, 'record({ id: uid })')
  const entries = Object.entries(fields)
  type Named = Record<string, unknown>
  const each = (of: (name: string, type: ValueType<unknown>) => unknown) =>
    Object.fromEntries(entries.map(([name, type]) => [name, of(name, type)])) as Values<F>
  const words = (of: (name: string, type: ValueType<unknown>) => string) =>
    `{${entries.map(([name, type]) => `${name}:${of(name, type)}`).join(',')}}`
  return {
    schema: words((_, type) => type.schema),
    start: () => each((_, type) => type.start()),
    write(out, values: Named) {
      for (const [name, type] of entries) type.write(out, values[name])
    },
    read: (input) => each((_, type) => type.read(input)),
    bits: (values: Named, uidBits) =>
      entries.reduce((sum, [name, type]) => sum + type.bits(values[name], uidBits), 0),
    fixedBits: entries.every(([, type]) => type.fixedBits),
    text: (values: Named) => words((name, type) => type.text(values[name])),
    json: (values: Named, naming) =>
      each((name, type) => type.json(values[name], naming)) as JsonValues<F>,
    copy: (values: Named) => each((name, type) => type.copy(values[name])),
    ...(entries.some(([, type]) => type.settled) && {
      settled: (values: Named) =>
        each((name, type) => type.settled?.(values[name]) ?? values[name]),
    }),
    check: (values, name) =>
      typeof values === 'object' && values !== null
        ? (firstProblem(entries, ([field, type]) =>
            type.check((values as Named)[field], `${name}.${field}`),
          ) ?? extraField(values, entries, name))
        : mismatch(name, values, 'record', 'an object'),
    draw: (source) => each((_, type) => drawn(type, source)),
  }
}

/**
 * A set of values that compare by `===`. Written in the order of its elements' bytes, gone through
 * in that of the elements themselves.
 */
export function set<T extends Element, J>(type: ValueType<T, J>): ValueType<Set<T>, J[]> {
  requireType('set', 'its argument', type)
  const elements = list(type)
  const ordered = (values: Set<T>) => inByteOrder([...values], (value) => bytesOf(type, value))
  return {
    schema: `set(${type.schema})`,
    ...(type.sort === 'link' && { sort: 'links' }),
    start: () => new OrderedSet(),
    write: (out, values) => elements.write(out, ordered(values)),
    read: (input) =>
      new OrderedSet(ascending(elements.read(input), (value) => bytesOf(type, value))),
    bits: (values, uidBits) => elements.bits([...values], uidBits),
    fixedBits: false,
    text: (values) =>
      `{${ordered(values)
        .map((value) => type.text(value))
        .join(',')}}`,
    json: (values, name) => elements.json(ordered(values), name),
    copy: (values) => new OrderedSet(values),
    settled: (values) =>
      values instanceof OrderedSet || !(values instanceof Set) ? values : new OrderedSet(values),
    check: (values, name) =>
      values instanceof Set
        ? firstProblem([...values], (value) => type.check(value, `an element of ${name}`))
        : mismatch(name, values, 'set', 'a Set'),
    draw: (source) => new OrderedSet(several(source, () => drawn(type, source))),
  }
}

/**
 * A map whose keys compare by `===`. Written in the order of its keys' bytes, gone through in that
 * of the keys themselves.
 */
export function map<K extends Element, V, JK, JV>(
  key: ValueType<K, JK>,
  value: ValueType<V, JV>,
): ValueType<Map<K, V>, [JK, JV][]> {
  requireType('map', 'its first argument', key)
  requireType('map', 'its second argument', value)
  const entries = list(pair(key, value))
  const ordered = (values: Map<K, V>) =>
    inByteOrder([...values], ([entryKey]) => bytesOf(key, entryKey))
  return {
    schema: `map(${key.schema},${value.schema})`,
    start: () => new OrderedMap(),
    write: (out, values) => entries.write(out, ordered(values)),
    read: (input) =>
      new OrderedMap(ascending(entries.read(input), ([entryKey]) => bytesOf(key, entryKey))),
    bits: (values, uidBits) => entries.bits([...values], uidBits),
    fixedBits: false,
    text: (values) =>
      `{${ordered(values)
        .map(([k, v]) => `${key.text(k)}:${value.text(v)}`)
        .join(',')}}`,
    json: (values, name) => entries.json(ordered(values), name),
    copy: (values) => new OrderedMap(entries.copy([...values])),
    settled(values) {
      const ordered = values instanceof OrderedMap
      if (!ordered && !(values instanceof Map)) return values
      const settled = ordered ? values : new OrderedMap(values)
      if (value.settled) for (const [k, v] of settled) settled.set(k, value.settled(v))
      return settled
    },
    check: (values, name) =>
      values instanceof Map
        ? firstProblem(
            [...values],
            ([k, v]) =>
              key.check(k, `a key of ${name}`) ?? value.check(v, `${name}.get(${key.text(k)})`),
          )
        : mismatch(name, values, 'map', 'a Map'),
    draw: (source) =>
      new OrderedMap(several(source, () => [drawn(key, source), drawn(value, source)])),
  }
}

/** Drawn elements, up to two per link. */
function several<E>({ below, links }: ValueSource, draw: () => E): E[] {
  return Array.from({ length: below(2 * links.length + 1) }, draw)
}

/**
 * A fixed number of numbers: always as many as declared, so that no length is sent or stored.
 * Starts with the start value of its elements.
 */
export function vector(
  type: ValueType<number, number>,
  length: number,
): ValueType<Float64Array, number[]> {
  requireType('vector', 'its first argument', type)
  if (type.codec?.identity !== true)
    throw new UsageError(
      'vector',
      `its elements are numbers, not ${type.schema}.`,
      'Write vector(real, 8), or list(...) for other elements.',
    )
  requireLength('vector(real, 8)', length)
  const schema = `vector(${type.schema},${length})`
  const must = `a Float64Array of ${length} numbers`
  return {
    ...shared(schema, (values: Float64Array) => values.slice()),
    start: () => new Float64Array(length).fill(type.start()),
    write(out, values) {
      refuseOther(this.check(values, 'it'))
      for (let i = 0; i < length; i++) type.write(out, values[i])
    },
    read(input) {
      const values = new Float64Array(length)
      for (let i = 0; i < length; i++) values[i] = type.read(input)
      return values
    },
    bits(values, uidBits) {
      if (type.fixedBits) return length * type.bits(0, uidBits)
      return values.reduce((sum, value) => sum + type.bits(value, uidBits), 0)
    },
    fixedBits: type.fixedBits,
    check(values, name) {
      if (!(values instanceof Float64Array) || values.length !== length)
        return otherRow(name, values, values instanceof Float64Array, schema, must)
      for (let i = 0; i < length; i++) {
        const problem = type.check(values[i], `${name}[${i}]`)
        if (problem !== null) return problem
      }
      return null
    },
  }
}

/** A fixed number of bytes, each from 0 to 255; starts with zeros. */
export function bytes(length: number): ValueType<Uint8Array, number[]> {
  requireLength('bytes(8)', length)
  const schema = `bytes(${length})`
  const must = `a Uint8Array of ${length} bytes`
  return {
    ...shared(schema, (values: Uint8Array) => values.slice()),
    start: () => new Uint8Array(length),
    write(out, values) {
      refuseOther(this.check(values, 'it'))
      out.raw(values)
    },
    read(input) {
      if (length > input.left) throw new MalformedBytes(`${length} bytes in ${input.left}`)
      return readBytes(input, length)
    },
    bits: () => 8 * length,
    fixedBits: true,
    check: (values, name) =>
      values instanceof Uint8Array && values.length === length
        ? null
        : otherRow(name, values, values instanceof Uint8Array, schema, must),
  }
}

/** The numbers of a row, and in short how many there are. */
export function rowText(row: ArrayLike<number>, most = SHOWN): string {
  const texts = Array.from({ length: Math.min(row.length, most) }, (_, i) =>
    String(Number(row[i].toPrecision(4))),
  )
  return row.length > most
    ? `[${texts.join(', ')}, ... ${row.length} in all]`
    : `[${texts.join(', ')}]`
}

/** The first problem of some elements; null where there is none. */
function firstProblem<E>(elements: readonly E[], of: (element: E, i: number) => string | null) {
  for (const [i, element] of elements.entries()) {
    const problem = of(element, i)
    if (problem !== null) return problem
  }
  return null
}

function extraField(values: object, entries: readonly [string, unknown][], name: string) {
  const extra = Object.keys(values).find((field) => !entries.some(([known]) => known === field))
  return extra === undefined ? null : `${name} has a field ${extra} that is not declared`
}

/** An element takes at least one byte: a larger count than bytes left is malformed. */
function countOf(input: ByteReader): number {
  const length = input.nat()
  if (length > input.left) throw new MalformedBytes(`${length} elements in ${input.left} bytes`)
  return length
}

function bytesOf<T>(type: ValueType<T>, value: T): Uint8Array {
  const out = new ByteWriter()
  type.write(out, value)
  return out.take()
}

function inByteOrder<E>(elements: E[], bytes: (element: E) => Uint8Array): E[] {
  return elements
    .map((element) => ({ element, key: bytes(element) }))
    .sort((a, b) => compareBytes(a.key, b.key))
    .map(({ element }) => element)
}

/** Refuses elements that are not in canonical order, and duplicates. */
function ascending<E>(elements: E[], bytes: (element: E) => Uint8Array): E[] {
  let last: Uint8Array | null = null
  for (const element of elements) {
    const key = bytes(element)
    if (last !== null && compareBytes(last, key) >= 0)
      throw new MalformedBytes('elements out of order')
    last = key
  }
  return elements
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i] - b[i]
  return a.length - b.length
}

function shared<R extends Row>(schema: string, copy: (values: R) => R) {
  return {
    schema,
    text: (values: R) => rowText(values),
    json: (values: R) => Array.from(values),
    copy,
  }
}

function readBytes(input: ByteReader, length: number): Uint8Array {
  const values = new Uint8Array(length)
  for (let i = 0; i < length; i++) values[i] = input.byte()
  return values
}

/** What is wrong with a value that is no row of this kind and length. */
function otherRow(name: string, values: unknown, typed: boolean, type: string, must: string) {
  return typed
    ? `${name} has the length ${(values as Row).length}, but ${type} must be ${must}`
    : mismatch(name, values, type, must)
}

/** Canonical bytes are read back, so that no other row is ever written. */
function refuseOther(problem: string | null): void {
  if (problem !== null) throw new Error(problem)
}

function requireLength(example: string, length: unknown): void {
  if (Number.isSafeInteger(length) && (length as number) >= 1 && (length as number) <= LONGEST)
    return
  throw new UsageError(
    example.slice(0, example.indexOf('(')),
    `its length is ${valueInError(length)}, but it must be a whole number from 1 to ${LONGEST}.`,
    `Write for example ${example}.`,
  )
}
