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
