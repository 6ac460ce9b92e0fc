import {
  advance,
  difference,
  get,
  type Instructions,
  integer,
  loaded,
  loadedVector,
  product,
  set,
  shiftedRight,
  stored,
  storedVector,
  sum,
  vector,
  type WasmFunction,
  WasmModule,
  whileBelow,
} from './webassembly.ts'

/** The rounds of a computed permutation: x becomes (x ^ (x >>> fold)) * factor + term, masked. */
export const ROUNDS = 4

/** The most numbers that are computed at a time; those of a whole vector fit behind it. */
const MOST = 4096
const ROOM = 4 * (MOST + 4)
/** Addresses: of what a permutation is made of, of the numbers, and of those to be mapped again. */
const [FACTORS, TERMS, MASK, NUMBERS] = [0, 4 * ROUNDS, 8 * ROUNDS, 64]
const [PLACES, AGAIN, END] = [NUMBERS + ROOM, NUMBERS + 2 * ROOM, NUMBERS + 3 * ROOM]

/** The parameters of the functions, then their local variables. */
const [START, COUNT, LAST, FOLD] = Array(4).keys()
const [AT, BEHIND, LEFT, NUMBER, PLACE] = Array.from({ length: 5 }, (_, i) => 4 + i)
const [X, FACTOR, TERM, MASKS] = [9, 10, 10 + ROUNDS, 10 + 2 * ROUNDS]

/** The instructions by their names: i32x4.splat, i32x4.shr_u, v128.xor and so on. */
const [SPLAT, SHIFT_RIGHT, XOR] = [0x11, 0xad, 0x51].map(vector)
const [MULTIPLY, ADD, AND, CONSTANT] = [0xb5, 0xae, 0x4e, 0x0c].map(vector)

const everywhere = (value: Instructions): Instructions => [...value, ...SPLAT]
const folded = (x: Instructions): Instructions => [
  ...x,
  ...[...x, ...get(FOLD), ...SHIFT_RIGHT],
  ...XOR,
]

/** Four numbers at a time. */
const mapped: Instructions = [
  ...Array.from({ length: ROUNDS }, (_, round) =>
    set(X, [
      ...[...folded(get(X)), ...get(FACTOR + round), ...MULTIPLY],
      ...[...get(TERM + round), ...ADD],
      ...[...get(MASKS), ...AND],
    ]),
  ).flat(),
  ...set(X, folded(get(X))),
]

const prepared: Instructions = [
  ...Array.from({ length: ROUNDS }, (_, round) => [
    ...set(FACTOR + round, everywhere(loaded(integer(0), FACTORS + 4 * round))),
    ...set(TERM + round, everywhere(loaded(integer(0), TERMS + 4 * round))),
  ]).flat(),
  ...set(MASKS, everywhere(loaded(integer(0), MASK))),
  ...set(BEHIND, product(get(COUNT), integer(4))),
  ...set(AT, integer(0)),
]

/** A number beyond the last is listed with its place, without a branch; LEFT counts in bytes. */
const listed: Instructions = [
  ...stored(get(LEFT), get(PLACE), PLACES),
  ...stored(get(LEFT), get(NUMBER), AGAIN),
  ...set(
    LEFT,
    sum(
      get(LEFT),
      product(shiftedRight(difference(get(LAST), get(NUMBER)), integer(31)), integer(4)),
    ),
  ),
]

const locals = { parameters: 4, integers: 5, vectors: 2 + 2 * ROUNDS, result: true }

/** Maps the numbers from START on; returns four times how many are beyond the last. */
const fill: WasmFunction = {
  ...locals,
  code: [
    ...prepared,
    ...whileBelow(AT, BEHIND, [
      ...set(X, [
        ...everywhere(sum(get(START), shiftedRight(get(AT), integer(2)))),
        // 0, 1, 2, 3
        ...[...CONSTANT, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0],
        ...ADD,
      ]),
      ...mapped,
      ...storedVector(get(AT), get(X), NUMBERS),
      ...advance(AT, 16),
    ]),
    ...set(PLACE, integer(0)),
    ...whileBelow(PLACE, BEHIND, [
      ...set(NUMBER, loaded(get(PLACE), NUMBERS)),
      ...listed,
      ...advance(PLACE, 4),
    ]),
    ...get(LEFT),
  ],
}

/** Maps the numbers again that are listed; returns four times how many still are beyond. */
const again: WasmFunction = {
  ...locals,
  code: [
    ...prepared,
    ...whileBelow(AT, BEHIND, [
      ...set(X, loadedVector(get(AT), AGAIN)),
      ...mapped,
      ...storedVector(get(AT), get(X), AGAIN),
      ...advance(AT, 16),
    ]),
    ...set(AT, integer(0)),
    ...whileBelow(AT, BEHIND, [
      ...set(NUMBER, loaded(get(AT), AGAIN)),
      ...set(PLACE, loaded(get(AT), PLACES)),
      ...stored(get(PLACE), get(NUMBER), NUMBERS),
      ...listed,
      ...advance(AT, 4),
    ]),
    ...get(LEFT),
  ],
}

const orders = new WasmModule(() => ({ fill, again }))

type Mapping = (start: number, count: number, last: number, fold: number) => number

/** Computes a random order four numbers at a time, by vectors of WebAssembly. */
export class OrderVectors {
  private readonly numbers: Int32Array
  private readonly constants: Int32Array

  private constructor(
    buffer: ArrayBuffer,
    private readonly map: Mapping,
    private readonly mapAgain: Mapping,
    private readonly last: number,
    private readonly fold: number,
  ) {
    this.constants = new Int32Array(buffer, FACTORS, NUMBERS / 4)
    this.numbers = new Int32Array(buffer, NUMBERS, MOST)
  }

  /** An order of the numbers up to `last`; null where there is no WebAssembly with vectors. */
  static of(last: number, fold: number): OrderVectors | null {
    const instance = orders.instance(END)
    if (instance === null) return null
    const { fill: map, again: mapAgain } = instance.exports as Readonly<Record<string, Mapping>>
    return new OrderVectors(instance.buffer, map, mapAgain, last, fold)
  }

  redraw(factors: Int32Array, terms: Int32Array, mask: number): void {
    this.constants.set(factors, FACTORS / 4)
    this.constants.set(terms, TERMS / 4)
    this.constants[MASK / 4] = mask
  }

  /** The numbers at the indices from `start` on. */
  fill(start: number, into: Int32Array): void {
    const { last, fold, numbers } = this
    for (let done = 0; done < into.length; done += MOST) {
      const count = Math.min(into.length - done, MOST)
      let left = this.map(start + done, count, last, fold)
      while (left > 0) left = this.mapAgain(0, left >> 2, last, fold)
      into.set(count === MOST ? numbers : numbers.subarray(0, count), done)
    }
  }
}
