import { CodeFromText } from '../code-from-text.ts'
import { list } from '../language/collections.ts'
import type { Link } from '../language/net.ts'
import {
  type Fields,
  type Naming,
  nat,
  type ScalarCodec,
  type ValueType,
  writeFields,
} from '../language/value-types.ts'
import { type ByteReader, ByteWriter } from './bytes.ts'

export type AnyBody = Record<string, unknown>

/** 32-bit integers take half the memory and are twice as fast; float64s hold all numbers. */
export type Columns = Int32Array | Float64Array

/**
 * The codec of one message kind. Fields of fixed width are packed into columns of numbers, all
 * others are copied into an array. `unpack` fills the same body each time: a body is valid only
 * while its handler runs.
 */
export class MessageCodec {
  /** The number of columns that a body takes. */
  readonly width: number
  /** Whether a field has no fixed width. */
  readonly hasObjects: boolean
  /** Whether the packed numbers are always integers. */
  readonly integers: boolean
  readonly fixedBits: boolean
  /**
   * Packs the body as 32-bit integers. Returns the bits that theory charges for it, 0 where they
   * are the same for all bodies; or -1 where a value does not fit.
   */
  get packInt32(): (body: AnyBody, column: Columns, at: number, uidBits: number) => number {
    this.made.packInt32 ??= int32Packer(this.names, this.scalars, this.charged)
    return this.made.packInt32
  }

  get pack(): (body: AnyBody, column: Columns, at: number) => void {
    this.made.pack ??= packer(this.names, this.scalars)
    return this.made.pack
  }

  get unpack(): (columns: Columns, at: number, objects: readonly unknown[]) => AnyBody {
    this.made.unpack ??= unpacker(this.names, this.scalars, this.objectNames)
    return this.made.unpack
  }

  /** `unpack` for observers: it fills another body than the one that handlers have. */
  get inspect(): MessageCodec['unpack'] {
    this.made.inspect ??= unpacker(this.names, this.scalars, this.objectNames)
    return this.made.inspect
  }

  /** The bits that theory charges for a body; with `fixedBits` for any body. */
  get bits(): (body: AnyBody, uidBits: number) => number {
    this.made.bits ??= bitCounter(this.entries)
    return this.made.bits
  }

  /** Code is generated when it is first needed: a command uses few of the codecs it loads. */
  private readonly made: {
    packInt32?: MessageCodec['packInt32']
    pack?: MessageCodec['pack']
    unpack?: MessageCodec['unpack']
    inspect?: MessageCodec['unpack']
    bits?: MessageCodec['bits']
  } = {}
  private readonly names: string[]
  private readonly scalars: ScalarCodec<unknown>[]
  readonly entries: readonly [string, ValueType<unknown>][]
  private readonly objects: [string, ValueType<unknown>][]

  constructor(readonly fields: Fields) {
    this.entries = Object.entries(fields)
    const scalars = this.entries.filter(([, type]) => type.codec)
    this.objects = this.entries.filter(([, type]) => !type.codec)
    this.width = scalars.length
    this.hasObjects = this.objects.length > 0
    this.fixedBits = this.entries.every(([, type]) => type.fixedBits)
    this.integers = scalars.every(([, type]) => type.codec!.integer)
    this.names = scalars.map(([name]) => name)
    this.scalars = scalars.map(([, type]) => type.codec!)
  }

  /** The fields whose bits depend on the body. */
  private get charged(): readonly [string, ValueType<unknown>][] {
    return this.fixedBits ? [] : [...this.entries]
  }

  private get objectNames(): string[] {
    return this.objects.map(([name]) => name)
  }

  /** Copies of the fields without a fixed width. */
  packObjects(body: AnyBody): readonly unknown[] {
    return this.objects.map(([name, type]) => type.copy(body[name]))
  }

  start(): AnyBody {
    return Object.fromEntries(this.entries.map(([name, type]) => [name, type.start()]))
  }

  /** A copy that stays valid after the handler has run. */
  copy(body: AnyBody): AnyBody {
    return Object.fromEntries(this.entries.map(([name, type]) => [name, type.copy(body[name])]))
  }

  /** Whether two bodies have the same values. */
  equal(one: AnyBody, other: AnyBody): boolean {
    return this.entries.every(
      ([name, type]) =>
        Object.is(one[name], other[name]) ||
        (!type.codec && bytesOf(type, one[name]) === bytesOf(type, other[name])),
    )
  }

  write(out: ByteWriter, body: AnyBody): void {
    writeFields(out, this.entries, body)
  }

  read(input: ByteReader): AnyBody {
    const body: AnyBody = {}
    for (const [name, type] of this.entries) body[name] = type.read(input)
    return body
  }

  /** Fields that are undefined in JSON are left out. */
  json(body: AnyBody, naming?: Naming): AnyBody {
    return Object.fromEntries(
      this.entries
        .map(([name, type]) => [name, type.json(body[name], naming)])
        .filter(([, value]) => value !== undefined),
    )
  }

  get schema(): string {
    return this.entries.map(([name, type]) => `${name}:${type.schema}`).join(',')
  }
}

/**
 * The codecs of an algorithm, by message kind. Messages with the same fields share a codec: if
 * there is only one, V8 inlines it into the code that sends.
 */
export function codecsOf(bodies: readonly Fields[]): MessageCodec[] {
  const made = new Map<string, MessageCodec>()
  return bodies.map((fields) => {
    const codec = new MessageCodec(fields)
    const sorts = codec.entries.map(([, { sort }]) => sort)
    const key = `${codec.schema} ${sorts.join()}`
    const shared = made.get(key) ?? codec
    made.set(key, shared)
    return shared
  })
}

/** Codec dispatch by message kind. */
export interface CodecDispatch {
  readonly packInt32: (kind: number, ...rest: Parameters<MessageCodec['packInt32']>) => number
  readonly pack: (kind: number, ...rest: Parameters<MessageCodec['pack']>) => void
  readonly unpack: (kind: number, ...rest: Parameters<MessageCodec['unpack']>) => AnyBody
}

/**
 * Generates a chain of comparisons instead of a table lookup: V8 inlines calls of known functions,
 * but not of functions from a table.
 */
export function codecDispatch(codecs: readonly MessageCodec[]): CodecDispatch {
  const made: { -readonly [Name in keyof CodecDispatch]?: CodecDispatch[Name] } = {}
  return {
    get packInt32() {
      made.packInt32 ??= byKind(
        codecs.map((codec) => codec.packInt32),
        'body, column, at, bits',
      )
      return made.packInt32!
    },
    get pack() {
      made.pack ??= byKind(
        codecs.map((codec) => codec.pack),
        'body, columns, at',
      )
      return made.pack!
    },
    get unpack() {
      made.unpack ??= byKind(
        codecs.map((codec) => codec.unpack),
        'columns, at, objects',
      )
      return made.unpack!
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the functions come in with their own types.
function byKind(functions: readonly ((...args: any[]) => unknown)[], args: string): any {
  const names = functions.map((_, kind) => `f${kind}`)
  const calls = names.map((name, kind) => `if (kind === ${kind}) return ${name}(${args});`)
  return new CodeFromText(...names, `return (kind, ${args}) => { ${calls.join(' ')} }`)(
    ...functions,
  )
}

/*
 * The functions below are generated, with one expression per field: in a loop over field names each
 * access would be a hash lookup, which costs twice as much as all other work of a delivery.
 */

function packer(names: string[], codecs: ScalarCodec<unknown>[]): MessageCodec['pack'] {
  const lines = names.map((name, i) => `columns[at + ${i}] = ${packed(name, codecs, i)};`)
  return new CodeFromText('codecs', `return (body, columns, at) => { ${lines.join(' ')} }`)(codecs)
}

function int32Packer(
  names: string[],
  codecs: ScalarCodec<unknown>[],
  charged: readonly [string, ValueType<unknown>][],
): MessageCodec['packInt32'] {
  const lines = names.map(
    (name, i) => `const v${i} = ${packed(name, codecs, i)}; columns[at + ${i}] = v${i} | 0;`,
  )
  const fits = names.map((_, i) => `(v${i} | 0) === v${i}`).join(' && ') || 'true'
  const types = charged.map(([, type]) => type)
  return new CodeFromText(
    'codecs',
    ...types.map((_, i) => `type${i}`),
    `return (body, columns, at, uidBits) => {
      ${lines.join(' ')} return ${fits} ? ${charges(charged)} : -1 }`,
  )(codecs, ...types)
}

function packed(name: string, codecs: ScalarCodec<unknown>[], i: number): string {
  return codecs[i].identity ? field(name) : `codecs[${i}].pack(${field(name)})`
}

function unpacker(
  names: string[],
  codecs: ScalarCodec<unknown>[],
  objects: string[],
): MessageCodec['unpack'] {
  const numbers = names.map((name, i) => {
    const value = `columns[at + ${i}]`
    return `${field(name)} = ${codecs[i].identity ? value : `codecs[${i}].unpack(${value})`};`
  })
  const others = objects.map((name, i) => `${field(name)} = objects[${i}];`)
  // A field that starts as a fraction is a mutable double; any other would allocate a number.
  const fractions = names.filter((_, i) => codecs[i].identity && !codecs[i].integer)
  const shape = [...names, ...objects].map(
    (name) => `${JSON.stringify(name)}: ${fractions.includes(name) ? 0.5 : undefined}`,
  )
  return new CodeFromText(
    'codecs',
    `const body = { ${shape.join(', ')} };
     return (columns, at, objects) => { ${[...numbers, ...others].join(' ')} return body }`,
  )(codecs)
}

function bitCounter(entries: readonly [string, ValueType<unknown>][]): MessageCodec['bits'] {
  const types = entries.map(([, type]) => type)
  return new CodeFromText(
    ...types.map((_, i) => `type${i}`),
    `return (body, uidBits) => ${charges(entries)}`,
  )(...types)
}

function charges(entries: readonly [string, ValueType<unknown>][]): string {
  return entries.map(([name], i) => `type${i}.bits(${field(name)}, uidBits)`).join(' + ') || '0'
}

function bytesOf(type: ValueType<unknown>, value: unknown): string {
  const out = new ByteWriter()
  type.write(out, value)
  return out.take().join()
}

function field(name: string): string {
  return `body[${JSON.stringify(name)}]`
}

/** A message that a handler has deferred. */
export interface Deferred {
  readonly link: Link
  readonly kind: number
  readonly body: AnyBody
}

/** The deferred messages of a node, as a field of its state, in the order of arrival. */
export function deferredMessages(codecs: readonly MessageCodec[]): ValueType<Deferred[]> {
  const one: ValueType<Deferred> = {
    schema: 'deferred',
    start: () => ({ link: 0, kind: 0, body: codecs[0].start() }),
    write(out, { link, kind, body }) {
      nat.write(out, link)
      nat.write(out, kind)
      codecs[kind].write(out, body)
    },
    read(input) {
      const link = nat.read(input)
      const kind = nat.read(input)
      return { link, kind, body: codecs[kind].read(input) }
    },
    bits: () => 0,
    fixedBits: true,
    text: ({ kind }) => `${kind}`,
    json: ({ link, kind, body }, name) => ({ link, kind, body: codecs[kind].json(body, name) }),
    copy: ({ link, kind, body }) => ({ link, kind, body: codecs[kind].copy(body) }),
    check: () => null,
  }
  return list(one)
}
