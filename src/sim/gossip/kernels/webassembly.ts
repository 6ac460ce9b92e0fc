/*
 * Modules of WebAssembly, put together from single instructions: for the few loops in which vectors
 * of sixteen bytes save most of the time. Expressions leave their value on the stack.
 */

export type Instructions = readonly number[]

/** A number in groups of seven bits, without and with a sign. */
const natural = (value: number): Instructions =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...natural(value >>> 7)]
const signed = (value: number): Instructions =>
  value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]

const [INTEGER, VECTOR, NOTHING] = [0x7f, 0x7b, 0x40]

export const getLocal = (local: number): Instructions => [0x20, local]
export const setLocal = (local: number, value: Instructions): Instructions => [
  ...value,
  0x21,
  local,
]
export const constant = (value: number): Instructions => [0x41, ...signed(value)]
/** The integer at an address and a fixed distance from it. */
export const loadInteger = (address: Instructions, offset = 0): Instructions => [
  ...address,
  0x28,
  2,
  ...natural(offset),
]
export const add = (a: Instructions, b: Instructions): Instructions => [...a, ...b, 0x6a]
export const multiply = (a: Instructions, b: Instructions): Instructions => [...a, ...b, 0x6c]
export const bitAnd = (a: Instructions, b: Instructions): Instructions => [...a, ...b, 0x71]
export const advance = (local: number, by: number): Instructions =>
  setLocal(local, add(getLocal(local), constant(by)))
export const when = (condition: Instructions, then: Instructions): Instructions => [
  ...condition,
  0x04,
  NOTHING,
  ...then,
  0x0b,
]
export const whileBelow = (local: number, limit: number, body: Instructions): Instructions => [
  0x03,
  NOTHING,
  ...when([...getLocal(local), ...getLocal(limit), 0x49], [...body, 0x0c, 1]),
  0x0b,
]

/** Vector instructions have numbers of up to two parts. */
export const vectorInstruction = (instruction: number): Instructions => [
  0xfd,
  ...natural(instruction),
]
export const loadVector = (address: Instructions, offset = 0): Instructions => [
  ...address,
  ...vectorInstruction(0x00),
  0,
  ...natural(offset),
]
export const storeVector = (
  address: Instructions,
  value: Instructions,
  offset = 0,
): Instructions => [...address, ...value, ...vectorInstruction(0x0b), 0, ...natural(offset)]

/** A function: how many integers it is given, and its further local variables. */
export interface WasmFunction {
  readonly parameters: number
  /** Local variables follow the parameters: integers, then vectors. */
  readonly integers: number
  readonly vectors: number
  /** Whether the code leaves an integer as the result. */
  readonly result: boolean
  readonly code: Instructions
}

const several = (items: readonly Instructions[]): Instructions => [
  ...natural(items.length),
  ...items.flat(),
]
const sized = (code: Instructions): Instructions => [...natural(code.length), ...code]
const text = (word: string): Instructions => sized(Array.from(word, (sign) => sign.charCodeAt(0)))
const section = (id: number, items: readonly Instructions[]): Instructions => [
  id,
  ...sized(several(items)),
]

/** The module of some functions, by name, over a memory that it is given. */
function moduleOf(functions: Readonly<Record<string, WasmFunction>>): Uint8Array {
  const all = Object.entries(functions)
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(
      1,
      all.map(([, { parameters, result }]) => [
        0x60,
        ...several(Array(parameters).fill([INTEGER])),
        ...several(result ? [[INTEGER]] : []),
      ]),
    ),
    ...section(2, [[...text('memory'), ...text('memory'), 2, 0, 0]]),
    ...section(
      3,
      all.map((_, i) => natural(i)),
    ),
    ...section(
      7,
      all.map(([name], i) => [...text(name), 0, ...natural(i)]),
    ),
    ...section(
      10,
      all.map(([, { integers, vectors, code }]) =>
        sized([2, ...natural(integers), INTEGER, ...natural(vectors), VECTOR, ...code, 0x0b]),
      ),
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

/** A module with a memory of its own. */
export interface WasmInstance {
  readonly buffer: ArrayBuffer
  readonly exports: Readonly<Record<string, unknown>>
}

/** A module that is compiled when it is first used. */
export class WasmModule {
  private compiled: object | null = null

  constructor(private readonly functions: () => Readonly<Record<string, WasmFunction>>) {}

  /** Null where there is no WebAssembly with vectors, or not enough memory for it. */
  instance(bytes: number): WasmInstance | null {
    const { WebAssembly: machine } = globalThis as { WebAssembly?: Machine }
    if (machine === undefined) return null
    try {
      this.compiled ??= new machine.Module(moduleOf(this.functions()))
      const memory = new machine.Memory({ initial: Math.ceil(bytes / PAGE) })
      const { exports } = new machine.Instance(this.compiled, { memory: { memory } })
      return { buffer: memory.buffer, exports }
    } catch {
      return null
    }
  }
}
