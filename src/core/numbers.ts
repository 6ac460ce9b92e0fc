/** The n-th harmonic number. */
export function harmonic(n: number): number {
  let sum = 0
  for (let i = n; i >= 1; i--) sum += 1 / i
  return sum
}

/** The smallest c with 2^c >= n. */
export function ceilLog2(n: number): number {
  let c = 0
  for (let reach = 1; reach < n; reach *= 2) c++
  return c
}

/** The largest c with 2^c <= n. */
export function floorLog2(n: number): number {
  let c = 0
  for (let reach = 2; reach <= n; reach *= 2) c++
  return c
}

/** Bits of a natural number in binary, at least one. */
export function binaryLength(value: number): number {
  if (value < 2) return 1
  return value < 2147483648 ? 32 - Math.clz32(value) : floorLog2(value) + 1
}

/** The tolerance for rounding errors of float64s: sums of delays such as 0.1 are not exact. */
export const ROUNDING = 1e-9

/** Whether a measured number is at most a bound, apart from rounding errors. */
export function isWithin(measured: number, bound: number): boolean {
  return measured <= bound * (1 + ROUNDING)
}

/*
 * Logarithm and exponential from the four operations and square roots alone, which IEEE 754 rounds
 * in one way: the functions of Math may differ in the last bit from machine to machine.
 */

const { LN2, SQRT1_2 } = Math
/** The parts of ln 2 for an exact reduction: the first has few bits. */
const [LN2_HIGH, LN2_LOW] = [0.6931471803691238, 1.9082149292705877e-10]

const bits = new DataView(new ArrayBuffer(8))

/** For each exponent in the bits of a number: what brings the number to 1/2 or more, below 1. */
const SCALES = new Float64Array(2048)
for (let power = 2047, scale = 2 ** -1025; power >= 0; power--, scale *= 2) SCALES[power] = scale

/** 1/23, 1/21 and so on to 1. */
const ODD_INVERSES = Float64Array.from({ length: 12 }, (_, i) => 1 / (23 - 2 * i))

/** The natural logarithm of a positive number. */
export function ln(x: number): number {
  // Numbers too small for an exponent of their own are scaled first.
  if (x < 2.2250738585072014e-308) return ln(x * 18014398509481984) - 54 * LN2
  bits.setFloat64(0, x)
  const power = bits.getUint32(0) >>> 20
  // A product with a power of 2 is exact, and faster than bits that are written back.
  const scaled = x * SCALES[power]
  const small = Number(scaled < SQRT1_2)
  const exponent = power - 1022 - small
  const mantissa = scaled * (1 + small)
  // ln m = 2 artanh((m - 1) / (m + 1)), by its series.
  const s = (mantissa - 1) / (mantissa + 1)
  const square = s * s
  let sum = 0
  for (let i = 0; i < ODD_INVERSES.length; i++) sum = sum * square + ODD_INVERSES[i]
  return exponent * LN2_HIGH + (exponent * LN2_LOW + 2 * s * sum)
}

/** The exponential of a number; 0 or Infinity where it does not fit into a float64. */
export function exp(x: number): number {
  if (x > 709) return x > 709.782712893384 ? Number.POSITIVE_INFINITY : exp(x - LN2) * 2
  if (x < -708) return 0
  const power = Math.round(x / LN2)
  const rest = x - power * LN2_HIGH - power * LN2_LOW
  let sum = 1
  for (let k = 16; k >= 1; k--) sum = 1 + (rest / k) * sum
  bits.setUint32(0, (power + 1023) << 20)
  bits.setUint32(4, 0)
  return sum * bits.getFloat64(0)
}

/** The number of permutations of n elements. */
export function factorial(n: number): number {
  let product = 1
  for (let k = 2; k <= n; k++) product *= k
  return product
}

/** The permutation of 1..n with a number from 0 to n! - 1, in lexicographic order. */
export function permutationAt(n: number, number: number): number[] {
  const rest = Array.from({ length: n }, (_, i) => i + 1)
  let blocks = factorial(n - 1)
  let left = number
  return Array.from({ length: n }, (_, place) => {
    const [id] = rest.splice(Math.floor(left / blocks), 1)
    left %= blocks
    blocks /= Math.max(1, n - 1 - place)
    return id
  })
}
