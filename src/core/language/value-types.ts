import { binaryLength, ceilLog2 } from '../numbers.ts'
import { type ByteReader, type ByteWriter, MalformedBytes } from '../runtime/bytes.ts'
import { quoted } from '../text-format.ts'
import { UsageError } from '../usage-error.ts'
import type { Link } from './net.ts'
import { requireType, valueInError } from './validation/field-types.ts'

/**
 * The type of a field. It defines the start value, the canonical bytes (for the wire and for
 * fingerprints of the checker), the bits that theory charges, and how values are shown.
 */
export interface ValueType<T, Json = unknown> {
  /** The type as text; processes whose schemas differ refuse to talk to each other. */
  readonly schema: string
  start(): T
  write(out: ByteWriter, value: T): void
  read(input: ByteReader): T
  /** Bits charged for a value where an identifier takes `uidBits`. */
  bits(value: T, uidBits: number): number
  /** Whether all values are charged the same. */
  readonly fixedBits: boolean
  text(value: T): string
  /** The value as JSON, with real ids in place of keys. */
  json(value: T, name?: Naming): Json
  copy(value: T): T
  /**
   * The value as the next handler finds it: all its maps and sets are gone through in the order of
   * their keys. Left out where there are none in it.
   */
  settled?(value: T): T
  /** Why a value is not of this type, with the name of its place; null where it is. */
  check(value: unknown, name: string): string | null
  /** Any value, for a run that begins in any state; the start value where it is left out. */
  draw?(source: ValueSource): T
  /** Whether it is in stable storage and survives a crash of its node. */
  readonly stable?: true
  /** How little handlers do with its numbers: see `counter` and `term`. Proofs rest on it. */
  readonly sort?: 'counter' | 'term' | 'link' | 'links'
  /** All values, where there are few: proofs try each of them. */
  readonly values?: readonly T[]
  /** The encoding in one number; absent for values without a fixed width. */
  readonly codec?: ScalarCodec<T>
}

/** Where the values of a corrupted state come from, at one node. */
export interface ValueSource {
  /** A random whole number from 0 to k - 1. */
  below(k: number): number
  /** Ids are drawn up to twice the largest, natural numbers up to twice the number of nodes. */
  readonly largestId: number
  readonly n: number
  readonly links: readonly number[]
}

type Drawable<T> = Pick<ValueType<T>, 'draw' | 'start'>

/** Any value of a type. */
export function drawn<T>(type: Drawable<T>, source: ValueSource): T {
  return type.draw === undefined ? type.start() : type.draw(source)
}

/** Maps a key, which is compared, to the real id of its node. */
export interface Naming {
  (uid: number): number
  /** What stands for a link of the node; its number where this is left out. */
  link?(link: number): unknown
}

export interface ScalarCodec<T> {
  /** Whether the value is its own code. */
  readonly identity: boolean
  /** Whether codes are always integers, and whether they are from 0 to 255. */
  readonly integer: boolean
  readonly byte?: true
  /** A number that is the code of no value. */
  readonly spare?: number
  pack(value: T): number
  unpack(packed: number): T
}

/** A value that does not have its declared type. */
export class TypeViolation extends Error {}

/** Writes named values; the error names the first that does not have its type. */
export function writeFields(
  out: ByteWriter,
  entries: readonly (readonly [string, ValueType<unknown>])[],
  values: Readonly<Record<string, unknown>>,
): void {
  for (const [name, type] of entries)
    try {
      type.write(out, values[name])
    } catch (error) {
      out.take()
      throw new TypeViolation(`${name}: ${(error as Error).message}`)
    }
}

export type Value<T> = T extends ValueType<infer V> ? V : never

type Json<T> = T extends { json(value: never): infer J } ? J : never

/** Named, typed fields: the body of a message, or the state of a node. */
export type Fields = Readonly<Record<string, ValueType<unknown>>>

/** The values of named fields. */
export type Values<F extends Fields> = { [K in keyof F]: Value<F[K]> }

/** The same fields as JSON has them: sets and maps are arrays there. */
export type JsonValues<F extends Fields> = {
  readonly [K in keyof F]: Json<F[K]>
}

declare const uidBrand: unique symbol

/**
 * The id of a node, or the key it is elected by, as handlers see it: ids are compared with each
 * other, never computed with. At run time it is a number; for the compiler it is an opaque value,
 * since `<` and `===` accept two opaque values, and arithmetic does not.
 */
export interface Uid {
  readonly [uidBrand]: 'an id is compared, never computed with'
}

declare const realMark: unique symbol

/**
 * A floating-point number of a field, or the input of a node, as handlers see it. For the compiler
 * it is a number with a mark: anything may be done with it, and what is proved for every n asks by
 * the mark whether it is only compared.
 */
export type Real = number & RealMark

export interface RealMark {
  readonly [realMark]?: 'a proof knows how it compares with others, and nothing else'
}

const identity = {
  identity: true,
  pack: (value: number) => value,
  unpack: (packed: number) => packed,
}

/** Says of a value in a place what it must be instead. */
export function mismatch(name: string, value: unknown, type: string, must: string): string {
  return `${name} is ${valueInError(value)}, but ${type} must be ${must}`
}

function naturalCheck(type: string): ValueType<unknown>['check'] {
  return (value, name) =>
    Number.isSafeInteger(value) && (value as number) >= 0
      ? null
      : mismatch(name, value, type, 'a whole number from 0 to 2^53 - 1')
}

const scalar = { text: String, json: <V>(value: V): V => value, copy: <V>(value: V): V => value }

/** Whether nothing can change a value in place: it is its own copy. */
export function isScalar({ copy }: ValueType<unknown>): boolean {
  return copy === scalar.copy
}

/** An id in a definition with `ids: 'numbers'`, which also computes with ids. */
export const numericUid: ValueType<number, number> = {
  ...scalar,
  schema: 'uid',
  start: () => 0,
  write: (out, value) => out.nat(value),
  read: (input) => input.nat(),
  bits: (_value, uidBits) => uidBits,
  fixedBits: true,
  codec: { ...identity, integer: true, spare: -1 },
  json: (value, name) => name?.(value) ?? value,
  check: naturalCheck('uid'),
  draw: ({ below, largestId }) => below(2 * largestId + 1),
}

/** The id of a node, or the key it is elected by. Ids are compared, never computed with. */
export const uid: ValueType<Uid, number> = numericUid as unknown as ValueType<Uid, number>

/** The larger of two ids. */
export function larger(a: Uid, b: Uid): Uid {
  return a > b ? a : b
}

/** The smaller of two ids. */
export function smaller(a: Uid, b: Uid): Uid {
  return a < b ? a : b
}

/** The order of two ids, for sorting: below 0, 0 or above 0. */
export function compareIds(a: Uid, b: Uid): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A natural number below 2^53. */
export const nat: ValueType<number, number> = {
  ...numericUid,
  ...scalar,
  schema: 'nat',
  read: (input) => input.count(),
  bits: binaryLength,
  fixedBits: false,
  check: naturalCheck('nat'),
  draw: ({ below, n }) => below(2 * n + 1),
}

/** The number of one of the node's own links. Results and pictures show the neighbour. */
export const link: ValueType<Link, number> = {
  ...nat,
  sort: 'link',
  json: (value, name) => (name?.link?.(value) ?? value) as number,
  draw: ({ below, links }) => (links.length === 0 ? 0 : links[below(links.length)]),
}

/** Types with no more values list them. */
const FEW = 64

/** A whole number from 0 to k - 1. */
export function below(k: number): ValueType<number, number> {
  if (!Number.isSafeInteger(k) || k < 1)
    throw new UsageError(
      'below',
      `expected a whole number from 1, got ${valueInError(k)}.`,
      'Write below(4).',
    )
  const byte = k <= 256
  const check = (value: unknown, name: string) =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < k
      ? null
      : mismatch(name, value, `below(${k})`, `a whole number from 0 to ${k - 1}`)
  return {
    ...nat,
    schema: `below(${k})`,
    write(out, value) {
      const problem = check(value, 'it')
      if (problem !== null) throw new Error(problem)
      if (byte) out.byte(value)
      else out.nat(value)
    },
    read(input) {
      const value = byte ? input.byte() : input.count()
      if (value >= k) throw new MalformedBytes(`${value} where below(${k}) is expected`)
      return value
    },
    bits: () => ceilLog2(k),
    fixedBits: true,
    codec: { ...identity, integer: true, ...(byte && { byte }), spare: -1 },
    check,
    draw: (source) => source.below(k),
    ...(k <= FEW && { values: Array.from({ length: k }, (_, value) => value) }),
  }
}

/** Drawn floating-point numbers are multiples of one part in so many. */
const STEPS = 1024

/** A floating-point number; starts as 0. */
export const real: ValueType<Real, number> = {
  ...scalar,
  schema: 'real',
  start: () => 0,
  write: (out, value) => out.real(value),
  read: (input) => input.real(),
  bits: () => 64,
  fixedBits: true,
  codec: { ...identity, integer: false },
  check: (value, name) =>
    typeof value === 'number' ? null : mismatch(name, value, 'real', 'a number'),
  draw: ({ below, n }) => below(2 * n * STEPS + 1) / STEPS,
}

/** True or false; starts as false. */
export const flag: ValueType<boolean, boolean> = {
  ...scalar,
  schema: 'flag',
  start: () => false,
  write: (out, value) => out.byte(value ? 1 : 0),
  read(input) {
    const byte = input.byte()
    if (byte > 1) throw new MalformedBytes(`a flag that is ${byte}`)
    return byte === 1
  },
  bits: () => 1,
  fixedBits: true,
  codec: {
    identity: false,
    integer: true,
    byte: true,
    spare: -1,
    pack: (value) => (value ? 1 : 0),
    unpack: (packed) => packed === 1,
  },
  check: (value, name) =>
    typeof value === 'boolean' ? null : mismatch(name, value, 'flag', 'true or false'),
  draw: ({ below }) => below(2) === 1,
  values: [false, true],
}

/** No incarnation is longer: what strangers send is refused beyond it. */
const LONGEST_INCARNATION = 64

/** The incarnation of a node: a text that is compared for equality. Starts as the empty text. */
export const incarnation: ValueType<string, string> = {
  ...scalar,
  schema: 'incarnation',
  start: () => '',
  write(out, value) {
    const problem = incarnation.check(value, 'it')
    if (problem !== null) throw new Error(problem)
    out.text(value)
  },
  read(input) {
    const text = input.text()
    if (text.length > LONGEST_INCARNATION) throw new MalformedBytes('an incarnation too long')
    return text
  },
  bits: () => 64,
  fixedBits: true,
  check: (value, name) =>
    typeof value === 'string' && value.length <= LONGEST_INCARNATION
      ? null
      : mismatch(name, value, 'incarnation', `a text of at most ${LONGEST_INCARNATION} characters`),
}

/** The same type in stable storage: a recovered node still has the value. */
export function stable<T, J>(type: ValueType<T, J>): ValueType<T, J> {
  requireType('stable', 'its argument', type)
  return { ...type, stable: true }
}

/** One of a few words; starts with the first. */
export function oneOf<const W extends string>(...words: readonly W[]): ValueType<W, W> {
  if (words.length === 0 || !words.every((one) => typeof one === 'string'))
    throw new UsageError(
      'oneOf',
      `expected words, got ${words.length === 0 ? 'none' : words.map(valueInError).join(', ')}.`,
      "Write oneOf('first', 'second').",
    )
  function word(index: number): W {
    if (index >= words.length) throw new MalformedBytes(`choice ${index} of ${words.length}`)
    return words[index]
  }
  return {
    ...scalar,
    schema: `oneOf(${words.join('|')})`,
    start: () => words[0],
    write(out, value) {
      const index = words.indexOf(value)
      if (index < 0) throw new Error(`${quoted(value)} is not one of ${words.join(', ')}`)
      out.byte(index)
    },
    read: (input) => word(input.byte()),
    bits: () => ceilLog2(words.length),
    fixedBits: true,
    codec: {
      identity: false,
      integer: true,
      byte: true,
      spare: -1,
      pack: (value) => words.indexOf(value),
      unpack: word,
    },
    check: (value, name) =>
      words.includes(value as W)
        ? null
        : mismatch(name, value, 'oneOf', words.map((one) => `'${one}'`).join(' or ')),
    draw: ({ below }) => words[below(words.length)],
    values: words,
  }
}

/** A value or null; starts as null. */
export function maybe<T, J>(type: ValueType<T, J>): ValueType<T | null, J | null> {
  requireType('maybe', 'its argument', type)
  const inner = type.codec
  const none = inner?.spare
  return {
    schema: `maybe(${type.schema})`,
    ...(type.sort === 'link' && { sort: 'link' }),
    start: () => null,
    write(out, value) {
      out.byte(value === null ? 0 : 1)
      if (value !== null) type.write(out, value)
    },
    read: (input) => (flag.read(input) ? type.read(input) : null),
    bits: (value, uidBits) => (value === null ? 1 : 1 + type.bits(value, uidBits)),
    fixedBits: false,
    text: (value) => (value === null ? '-' : type.text(value)),
    json: (value, name) => (value === null ? null : type.json(value, name)),
    copy: isScalar(type) ? scalar.copy : (value) => (value === null ? null : type.copy(value)),
    ...(type.settled && { settled: (value) => (value === null ? null : type.settled!(value)) }),
    check(value, name) {
      const problem = value === null ? null : type.check(value, name)
      return problem === null ? null : `${problem}, or null`
    },
    draw: (source) => (source.below(2) === 0 ? null : drawn(type, source)),
    ...(type.values && { values: [null, ...type.values] }),
    ...(inner &&
      none !== undefined && {
        codec: {
          identity: false,
          integer: inner.integer,
          pack: (value: T | null) => (value === null ? none : inner.pack(value)),
          unpack: (packed: number) => (Object.is(packed, none) ? null : inner.unpack(packed)),
        },
      }),
  }
}
