import {
  type Fields,
  type Naming,
  type ScalarCodec,
  type ValueType,
  writeFields,
} from '../language/value-types.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'

export type AnyBody = Record<string, unknown>

/** Integers of 32 bits are half the size and twice as fast; float64s hold everything. */
export type Columns = Int32Array | Float64Array

/**
 * How the bodies of one kind of message travel. Fields of fixed width ride in columns, the others
 * as copies in one array. `unpack` fills the same body each time: a body is valid only while its
 * handler runs.
 */
export class MessageCodec {
  /** How many numbers a body takes in the columns. */
  readonly width: number
  /** Whether some fields have no fixed width. */
  readonly hasObjects: boolean
  /** Whether those numbers are always integers. */
  readonly integers: boolean
  readonly fixedBits: boolean
  /**
   * Puts the body into the column as integers of 32 bits. Returns the bits that theory charges for
   * it, 0 where they are the same for every body; or -1 where something in it is no such integer.
   */
  readonly packInt32: (body: AnyBody, column: Columns, at: number, uidBits: number) => number
  readonly pack: (body: AnyBody, column: Columns, at: number) => void
  readonly unpack: (columns: Columns, at: number, objects: readonly unknown[]) => AnyBody
  /** The same for observers: it fills another body, so that a handler keeps the one it has. */
  readonly inspect: MessageCodec['unpack']
  /** Bits that theory charges for a body; with `evenBits` any body will do. */
  readonly bits: (body: AnyBody, uidBits: number) => number
  private readonly entries: [string, ValueType<unknown>][]
  private readonly objects: [string, ValueType<unknown>][]

  constructor(readonly fields: Fields) {
    this.entries = Object.entries(fields)
    const riders = this.entries.filter(([, type]) => type.codec)
    this.objects = this.entries.filter(([, type]) => !type.codec)
    this.width = riders.length
    this.hasObjects = this.objects.length > 0
    this.fixedBits = this.entries.every(([, type]) => type.fixedBits)
    this.integers = riders.every(([, type]) => type.codec!.integer)
    this.bits = charger(this.entries)
    const names = riders.map(([name]) => name)
    const rides = riders.map(([, type]) => type.codec!)
    this.packInt32 = narrowPacker(names, rides, this.fixedBits ? [] : this.entries)
    this.pack = packer(names, rides)
    const others = this.objects.map(([name]) => name)
    this.unpack = unpacker(names, rides, others)
    this.inspect = unpacker(names, rides, others)
  }

  /** Copies of the fields of no fixed width, the message's own from now on. */
  packObjects(body: AnyBody): readonly unknown[] {
    return this.objects.map(([name, type]) => type.copy(body[name]))
  }

  start(): AnyBody {
    return Object.fromEntries(this.entries.map(([name, type]) => [name, type.start()]))
  }

  /** A body of its own, valid as long as it is wanted. */
  copy(body: AnyBody): AnyBody {
    return Object.fromEntries(this.entries.map(([name, type]) => [name, type.copy(body[name])]))
  }

  write(out: ByteWriter, body: AnyBody): void {
    writeFields(out, this.entries, body)
  }

  read(input: ByteReader): AnyBody {
    const body: AnyBody = {}
    for (const [name, type] of this.entries) body[name] = type.read(input)
    return body
  }

  json(body: AnyBody, naming?: Naming): AnyBody {
    return Object.fromEntries(
      this.entries.map(([name, type]) => [name, type.json(body[name], naming)]),
    )
  }

  get schema(): string {
    return this.entries.map(([name, type]) => `${name}:${type.schema}`).join(',')
  }
}

/**
 * The packings of an algorithm, by kind of message. Messages with the same fields share one: where
 * there is only one, the engine of JavaScript compiles it into the sending code.
 */
export function codecsOf(bodies: readonly Fields[]): MessageCodec[] {
  const made = new Map<string, MessageCodec>()
  return bodies.map((fields) => {
    const packing = new MessageCodec(fields)
    const shared = made.get(packing.schema) ?? packing
    made.set(packing.schema, shared)
    return shared
  })
}

/** The packings of all kinds of message as one. */
export interface CodecDispatch {
  packInt32(kind: number, ...rest: Parameters<MessageCodec['packInt32']>): number
  pack(kind: number, ...rest: Parameters<MessageCodec['pack']>): void
  unpack(kind: number, ...rest: Parameters<MessageCodec['unpack']>): AnyBody
}

/**
 * Which packing a message needs is asked at the call and not looked up: a call to a function that
 * is known is compiled in, one to a function out of a table is not.
 */
export function codecDispatch(packings: readonly MessageCodec[]): CodecDispatch {
  return {
    packInt32: byKind(
      packings.map((packing) => packing.packInt32),
      'body, column, at, bits',
    ),
    pack: byKind(
      packings.map((packing) => packing.pack),
      'body, columns, at',
    ),
    unpack: byKind(
      packings.map((packing) => packing.unpack),
      'columns, at, objects',
    ),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the functions come in with their own types.
function byKind(functions: readonly ((...args: any[]) => unknown)[], args: string): any {
  const names = functions.map((_, kind) => `f${kind}`)
  const calls = names.map((name, kind) => `if (kind === ${kind}) return ${name}(${args});`)
  return new Function(...names, `return (kind, ${args}) => { ${calls.join(' ')} }`)(...functions)
}

/*
 * The functions below are generated, one expression per field: a loop over field names would make
 * each access a hash lookup, at twice the cost of the rest of a delivery.
 */

function packer(names: string[], rides: ScalarCodec<unknown>[]): MessageCodec['pack'] {
  const lines = names.map((name, i) => `columns[at + ${i}] = ${ridden(name, rides, i)};`)
  return new Function('rides', `return (body, columns, at) => { ${lines.join(' ')} }`)(rides)
}

function narrowPacker(
  names: string[],
  rides: ScalarCodec<unknown>[],
  charged: [string, ValueType<unknown>][],
): MessageCodec['packInt32'] {
  const lines = names.map(
    (name, i) => `const v${i} = ${ridden(name, rides, i)}; columns[at + ${i}] = v${i} | 0;`,
  )
  const fits = names.map((_, i) => `(v${i} | 0) === v${i}`).join(' && ') || 'true'
  const types = charged.map(([, type]) => type)
  return new Function(
    'rides',
    ...types.map((_, i) => `type${i}`),
    `return (body, columns, at, uidBits) => {
      ${lines.join(' ')} return ${fits} ? ${charges(charged)} : -1 }`,
  )(rides, ...types)
}

function ridden(name: string, rides: ScalarCodec<unknown>[], i: number): string {
  return rides[i].identity ? field(name) : `rides[${i}].pack(${field(name)})`
}

function unpacker(
  names: string[],
  rides: ScalarCodec<unknown>[],
  objects: string[],
): MessageCodec['unpack'] {
  const numbers = names.map((name, i) => {
    const value = `columns[at + ${i}]`
    return `${field(name)} = ${rides[i].identity ? value : `rides[${i}].unpack(${value})`};`
  })
  const others = objects.map((name, i) => `${field(name)} = objects[${i}];`)
  // A place that is made for a fraction is written in place; any other needs a new number for it.
  const fractions = names.filter((_, i) => rides[i].identity && !rides[i].integer)
  const shape = [...names, ...objects].map(
    (name) => `${JSON.stringify(name)}: ${fractions.includes(name) ? 0.5 : undefined}`,
  )
  return new Function(
    'rides',
    `const body = { ${shape.join(', ')} };
     return (columns, at, objects) => { ${[...numbers, ...others].join(' ')} return body }`,
  )(rides)
}

function charger(entries: [string, ValueType<unknown>][]): MessageCodec['bits'] {
  const types = entries.map(([, type]) => type)
  return new Function(
    ...types.map((_, i) => `type${i}`),
    `return (body, uidBits) => ${charges(entries)}`,
  )(...types)
}

function charges(entries: [string, ValueType<unknown>][]): string {
  return entries.map(([name], i) => `type${i}.bits(${field(name)}, uidBits)`).join(' + ') || '0'
}

function field(name: string): string {
  return `body[${JSON.stringify(name)}]`
}
