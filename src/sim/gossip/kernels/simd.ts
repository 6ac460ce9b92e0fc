import type { ElementRule } from '../../../core/language/aggregate.ts'
import {
  add,
  advance,
  bitAnd,
  constant,
  getLocal,
  type Instructions,
  loadInteger,
  loadVector,
  multiply,
  setLocal,
  storeVector,
  vectorInstruction,
  type WasmFunction,
  WasmModule,
  when,
  whileBelow,
} from './webassembly.ts'

/*
 * Exchanges of rows in WebAssembly, sixteen bytes at a time, for columns that lie in its memory.
 * They do what the rules do, to the bit.
 */

/** Exchanges the rows, of `bytes` each, of `count` pairs: two addresses list their nodes. */
type PairExchange = (first: number, second: number, count: number, bytes: number) => void

/** The parameters of a function by number, then its local variables. */
const [FIRST, SECOND, COUNT, BYTES, LAST, A, B, END, ONE, OTHER] = Array(10).keys()

const HALVES = [...vectorInstruction(0x0c), ...Array(2).fill([0, 0, 0, 0, 0, 0, 0xe0, 0x3f]).flat()]
const added = (a: Instructions, b: Instructions): Instructions => [
  ...a,
  ...b,
  ...vectorInstruction(0xf0),
]
const subtracted = (a: Instructions, b: Instructions): Instructions => [
  ...a,
  ...b,
  ...vectorInstruction(0xf1),
]
const multiplied = (a: Instructions, b: Instructions): Instructions => [
  ...a,
  ...b,
  ...vectorInstruction(0xf2),
]
/** The second where it is less than the first, which is kept where they are equal. */
const smaller = (a: Instructions, b: Instructions): Instructions => [
  ...a,
  ...b,
  ...vectorInstruction(0xf6),
]
const largerBytes = (a: Instructions, b: Instructions): Instructions => [
  ...a,
  ...b,
  ...vectorInstruction(0x79),
]

/** Sixteen bytes at an address, or eight. */
interface Width {
  load(address: Instructions): Instructions
  store(address: Instructions, value: Instructions): Instructions
}

const SIXTEEN: Width = { load: loadVector, store: storeVector }

const EIGHT: Width = {
  load: (address) => [...address, ...vectorInstruction(0x5d), 0, 0],
  store: (address, value) => [...address, ...value, ...vectorInstruction(0x5b), 0, 0, 0],
}

/** Exchanges what lies at the addresses A and B. */
type ExchangeAt = (width: Width) => Instructions

const joined =
  (join: (a: Instructions, b: Instructions) => Instructions): ExchangeAt =>
  ({ load, store }) => [
    ...setLocal(ONE, join(load(getLocal(A)), load(getLocal(B)))),
    ...store(getLocal(A), getLocal(ONE)),
    ...store(getLocal(B), getLocal(ONE)),
  ]

const averaged: ExchangeAt = ({ load, store }) => [
  ...setLocal(ONE, load(getLocal(A))),
  ...setLocal(OTHER, load(getLocal(B))),
  ...store(getLocal(B), added(getLocal(OTHER), moved)),
  ...store(getLocal(A), subtracted(getLocal(ONE), moved)),
]
const moved = multiplied(subtracted(getLocal(ONE), getLocal(OTHER)), HALVES)

/** Pair after pair; a row that is no multiple of sixteen bytes has eight more. */
const exchangeOf = (exchange: ExchangeAt): Instructions => [
  ...setLocal(LAST, add(getLocal(FIRST), multiply(getLocal(COUNT), constant(4)))),
  ...whileBelow(FIRST, LAST, [
    ...setLocal(A, multiply(loadInteger(getLocal(FIRST)), getLocal(BYTES))),
    ...setLocal(B, multiply(loadInteger(getLocal(SECOND)), getLocal(BYTES))),
    ...setLocal(END, add(getLocal(A), bitAnd(getLocal(BYTES), constant(-16)))),
    ...whileBelow(A, END, [...exchange(SIXTEEN), ...advance(A, 16), ...advance(B, 16)]),
    ...when(bitAnd(getLocal(BYTES), constant(8)), exchange(EIGHT)),
    ...advance(FIRST, 4),
    ...advance(SECOND, 4),
  ]),
]

function exchangeFunction(exchange: ExchangeAt): WasmFunction {
  const locals = { parameters: 4, integers: 4, vectors: 2, result: false }
  return { ...locals, code: exchangeOf(exchange) }
}

/** One function for each rule. */
const exchanges = new WasmModule(
  (): Readonly<Record<ElementRule, WasmFunction>> => ({
    mean: exchangeFunction(averaged),
    smallest: exchangeFunction(joined(smaller)),
    largest: exchangeFunction(joined(largerBytes)),
  }),
)

/** A column of rows in the memory of WebAssembly. */
export class SimdColumn {
  /** The nodes of the pairs lie behind the column. */
  private readonly first: Int32Array
  private readonly second: Int32Array

  private constructor(
    readonly buffer: ArrayBuffer,
    private readonly exchangePairs: PairExchange,
    end: number,
    private readonly bytes: number,
    most: number,
  ) {
    this.first = new Int32Array(buffer, end, most)
    this.second = new Int32Array(buffer, end + 4 * most, most)
  }

  /**
   * Rows of `bytes` each, a multiple of eight, of which at most so many pairs exchange at a time.
   * Null where there is no WebAssembly with vectors, or not enough memory for it.
   */
  static of(rule: ElementRule, rows: number, bytes: number, most: number): SimdColumn | null {
    const end = rows * bytes
    const instance = bytes % 8 === 0 ? exchanges.instance(end + 8 * most) : null
    if (instance === null) return null
    const exchange = instance.exports[rule] as PairExchange
    return new SimdColumn(instance.buffer, exchange, end, bytes, most)
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
