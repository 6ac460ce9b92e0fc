import { IDS, keyOf } from '../../cluster/dynamic-keys.ts'

/*
 * The number by which a nominating election compares candidates: first whether a member stands,
 * then its priority, then its number in the configuration.
 */

const STANDS = 2 ** 32
const SIGN = 2 ** 31
const real = new Float32Array(1)
const bits = new Uint32Array(real.buffer)

/** The key of a member that stands with this priority; of one that does not: null. */
export function candidateKey(priority: number | null, id: number): number {
  return priority === null ? keyOf(0, id) : keyOf(STANDS + ordered(priority), id)
}

/** The number of the member that has this key. */
export function memberOfKey(key: number): number {
  return key % IDS
}

/** A whole number below 2^32 that compares like the real number, with a precision of 24 bits. */
function ordered(priority: number): number {
  real[0] = priority + 0
  const [word] = bits
  return word >= SIGN ? 2 ** 32 - 1 - word : word + SIGN
}
