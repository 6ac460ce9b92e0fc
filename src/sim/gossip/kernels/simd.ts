import type { ElementRule } from '../../../core/language/aggregate.ts'

/*
 * Exchanges of rows in WebAssembly, sixteen bytes at a time, for columns that lie in its memory.
 * They do what the rules do, to the bit. The functions are put together here from single
 * instructions; expressions leave their value on the stack.
 */

/** Exchanges the rows, of `bytes` each, of `count` pairs: two addresses list their nodes. */
type PairExchange = (first: number, second: number, count: number, bytes: number) => void

type Code = readonly number[]

/** The parameters of a function by number, then its local variables. */
const [FIRST, SECOND, COUNT, BYTES, LAST, A, B, END, ONE, OTHER] = Array(10).keys()
const [INTEGER, VECTOR, NOTHING] = [0x7f, 0x7b, 0x40]
const LOCALS = [2, 4, INTEGER, 2, VECTOR]

const get = (local: number): Code => [0x20, local]
const set = (local: number, value: Code): Code => [...value, 0x21, local]
/** From -64 to 63. */
const integer = (value: number): Code => [0x41, value & 0x7f]
const loaded = (address: Code): Code => [...address, 0x28, 2, 0]
const sum = (a: Code, b: Code): Code => [...a, ...b, 0x6a]
const product = (a: Code, b: Code): Code => [...a, ...b, 0x6c]
const both = (a: Code, b: Code): Code => [...a, ...b, 0x71]
const advance = (local: number, by: number): Code => set(local, sum(get(local), integer(by)))
const when = (condition: Code, then: Code): Code => [...condition, 0x04, NOTHING, ...then, 0x0b]
const whileBelow = (local: number, limit: number, body: Code): Code => [
  ...[0x03, NOTHING],
  ...when([...get(local), ...get(limit), 0x49], [...body, 0x0c, 1]),
  0x0b,
]

/** Vector instructions have numbers of two parts. */
const vector = (instruction: number): Code =>
  instruction < 0x80 ? [0xfd, instruction] : [0xfd, (instruction & 0x7f) | 0x80, instruction >> 7]
const HALVES = [...vector(0x0c), ...Array(2).fill([0, 0, 0, 0, 0, 0, 0xe0, 0x3f]).flat()]
const added = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xf0)]
const subtracted = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xf1)]
const multiplied = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xf2)]
/** The second where it is less than the first, which is kept where they are equal. */
const smaller = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xf6)]
const largerBytes = (a: Code, b: Code): Code => [...a, ...b, ...vector(0x79)]

/** Sixteen bytes at an address, or eight. */
interface Width {
  load(address: Code): Code
  store(address: Code, value: Code): Code
}

const SIXTEEN: Width = {
  load: (address) => [...address, ...vector(0x00), 0, 0],
  store: (address, value) => [...address, ...value, ...vector(0x0b), 0, 0],
}

const EIGHT: Width = {
  load: (address) => [...address, ...vector(0x5d), 0, 0],
  store: (address, value) => [...address, ...value, ...vector(0x5b), 0, 0, 0],
}

/** Exchanges what lies at the addresses A and B. */
type ExchangeAt = (width: Width) => Code

const joined =
  (join: (a: Code, b: Code) => Code): ExchangeAt =>
  ({ load, store }) => [
    ...set(ONE, join(load(get(A)), load(get(B)))),
    ...store(get(A), get(ONE)),
    ...store(get(B), get(ONE)),
  ]

const averaged: ExchangeAt = ({ load, store }) => [
  ...set(ONE, load(get(A))),
  ...set(OTHER, load(get(B))),
  ...store(get(B), added(get(OTHER), moved)),
  ...store(get(A), subtracted(get(ONE), moved)),
]
const moved = multiplied(subtracted(get(ONE), get(OTHER)), HALVES)

/** Pair after pair; a row that is no multiple of sixteen bytes has eight more. */
const exchangeOf = (exchange: ExchangeAt): Code => [
  ...set(LAST, sum(get(FIRST), product(get(COUNT), integer(4)))),
  ...whileBelow(FIRST, LAST, [
    ...set(A, product(loaded(get(FIRST)), get(BYTES))),
    ...set(B, product(loaded(get(SECOND)), get(BYTES))),
    ...set(END, sum(get(A), both(get(BYTES), integer(-16)))),
    ...whileBelow(A, END, [...exchange(SIXTEEN), ...advance(A, 16), ...advance(B, 16)]),
    ...when(both(get(BYTES), integer(8)), exchange(EIGHT)),
    ...advance(FIRST, 4),
    ...advance(SECOND, 4),
  ]),
]

/** A number in groups of seven bits. */
const natural = (value: number): Code =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...natural(value >> 7)]
const several = (items: readonly Code[]): Code => [...natural(items.length), ...items.flat()]
const sized = (code: Code): Code => [...natural(code.length), ...code]
const text = (word: string): Code => sized(Array.from(word, (sign) => sign.charCodeAt(0)))
const section = (id: number, items: readonly Code[]): Code => [id, ...sized(several(items))]

/** The module: one function for each rule, over a memory that it is given. */
function moduleBytes(): Uint8Array {
  const codes: Readonly<Record<ElementRule, Code>> = {
    mean: exchangeOf(averaged),
    smallest: exchangeOf(joined(smaller)),
    largest: exchangeOf(joined(largerBytes)),
  }
  const rules = Object.entries(codes)
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [[0x60, ...several(Array(4).fill([INTEGER])), 0]]),
    ...section(2, [[...text('rows'), ...text('memory'), 2, 0, 0]]),
    ...section(3, Array(rules.length).fill([0])),
    ...section(
      7,
      rules.map(([name], i) => [...text(name), 0, i]),
    ),
    ...section(
      10,
      rules.map(([, code]) => sized([...LOCALS, ...code, 0x0b])),
    ),
  ])
}

/** What is used of WebAssembly, which not every place offers. */
interface Machine {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> }
}

const PAGE = 65536
let compiled: object | null = null

/** A column of rows in the memory of WebAssembly. */
export class SimdColumn {
  readonly buffer: ArrayBuffer
  private readonly exchangePairs: PairExchange
  /** The nodes of the pairs lie behind the column. */
  private readonly first: Int32Array
  private readonly second: Int32Array

  private constructor(
    machine: Machine,
    rule: ElementRule,
    rows: number,
    private readonly bytes: number,
    most: number,
  ) {
    compiled ??= new machine.Module(moduleBytes())
    const end = rows * bytes
    const memory = new machine.Memory({ initial: Math.ceil((end + 8 * most) / PAGE) })
    this.buffer = memory.buffer
    const { exports } = new machine.Instance(compiled, { rows: { memory } })
    this.exchangePairs = exports[rule] as PairExchange
    this.first = new Int32Array(this.buffer, end, most)
    this.second = new Int32Array(this.buffer, end + 4 * most, most)
  }

  /**
   * Rows of `bytes` each, a multiple of eight, of which at most so many pairs exchange at a time.
   * Null where there is no WebAssembly with vectors, or not enough memory for it.
   */
  static of(rule: ElementRule, rows: number, bytes: number, most: number): SimdColumn | null {
    const { WebAssembly: machine } = globalThis as { WebAssembly?: Machine }
    if (machine === undefined || bytes % 8 !== 0) return null
    try {
      return new SimdColumn(machine, rule, rows, bytes, most)
    } catch {
      return null
    }
  }

  /** Exchanges the rows of some pairs, one pair after another. */
  exchange(first: Int32Array, second: Int32Array, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      this.first[i - from] = first[i]
      this.second[i - from] = second[i]
    }
    const { byteOffset } = this.first
    this.exchangePairs(byteOffset, this.second.byteOffset, to - from, this.bytes)
  }
}
