import { type ByteReader, MalformedBytes } from '../runtime/bytes.ts'
import { UsageError } from '../usage-error.ts'
import { requireType, shown } from './validation/field-types.ts'
import { mismatch, type ValueType } from './value-types.ts'

/** Numbers side by side: the value of a vector or of bytes. */
export type Row = Float64Array | Uint8Array

/** The most numbers of a vector, and the most bytes: more is no state of a node. */
const LONGEST = 1_048_576
/** Longer vectors show their first numbers only. */
const SHOWN = 4

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
    `its length is ${shown(length)}, but it must be a whole number from 1 to ${LONGEST}.`,
    `Write for example ${example}.`,
  )
}
