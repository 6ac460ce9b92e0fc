import { ln } from '../../core/numbers.ts'
import { how, rowAggregation } from './row-aggregation.ts'
import { largestOfBytes } from './row-rules.ts'

/**
 * HyperLogLog (Flajolet, Fusy, Gandouet and Meunier 2007), by gossip. The first bits of an item's
 * hash choose a register, which keeps the latest position of the first 1 among the others: of many
 * different items some have it late. Registers of two nodes are joined by the maximum, so that the
 * same item at several nodes counts once. Relative standard deviation 1.04/sqrt(m).
 */
export const distinct = rowAggregation(
  'distinct',
  {
    registers: {
      says: 'the number of registers, a power of 2: the relative error is about 1.04/sqrt(registers)',
      otherwise: 256,
      needed: 'a power of 2 from 16 to 65536',
      accepts: (m: number) => [...Array(13).keys()].some((b) => 2 ** (b + 4) === m),
    },
    how,
  },
  {
    title: 'Distinct values: HyperLogLog by gossip',
    authors: 'Flajolet, Fusy, Gandouet, Meunier 2007',
    idea: 'A hash of its value chooses a register of a node; the register keeps the latest position of the first 1 in the other bits. Nodes keep the maximum of each register, and from all registers follows how many different values there are.',
    because:
      'Of v different hashes about v/m reach a register, and the latest first 1 among them is near log2(v/m). The maximum depends neither on the order nor on repeats: all nodes end with the registers of the set of all values. The harmonic mean keeps single late ones from dominating; few values are counted by the registers that are still 0.',
    breaks:
      'A value that is gone stays counted until an epoch (epoch=30) starts all registers again. Few registers: at 16 the estimate is off by a quarter.',
    example: 'conclave run distinct -n 1000 --values index --set registers=1024',
    cost: '2n messages of one byte per register and cycle; all nodes have the same registers after 6 cycles at n = 100, 8 at 1,000, 9.4 at 10,000 (measured on complete networks), or after diameter rounds of flooding',
    bounds: [],
  },
  (settings) => {
    const length = Number(settings.registers)
    return {
      parts: [],
      chosen: 0,
      row: {
        length,
        bytes: true,
        rule: largestOfBytes(length),
        message: 'SKETCH',
        floods: settings.how === 'flood',
        start(row, at, { value }) {
          row.fill(0, at, at + length)
          const { register, position } = placeOf(value, length)
          row[at + register] = position
        },
      },
      estimate: (registers, at = 0) => estimateOfRegisters(registers, at, length),
      estimates: ({ buffer, byteOffset, byteLength }) =>
        estimatesIn(new Int32Array(buffer, byteOffset, byteLength >> 2), length),
      truth: distinctValues,
    }
  },
)

/** The number of different items whose registers these are. */
export function estimateOfRegisters(registers: ArrayLike<number>, at: number, m: number): number {
  let [sum, zeros] = [0, 0]
  for (let i = 0; i < m; i++) {
    sum += INVERSE_POWERS[registers[at + i]]
    zeros += Number(registers[at + i] === 0)
  }
  const estimate = (alphaOf(m) * m * m) / sum
  return estimate <= 2.5 * m && zeros > 0 ? fewItems(zeros, m) : estimate
}

/** Few items are counted by the registers that they have not reached. */
function fewItems(zeros: number, m: number): number {
  return m * ln(m / zeros)
}

/**
 * The same for many nodes, with four registers in a word. Sums of inverse powers are exact in any
 * order as long as no register is above 36, which takes some 2^36 items.
 */
function estimatesIn(words: Int32Array, m: number): (at: number) => number {
  if (pairSums[0] === 0) fillPairSums()
  const few = Float64Array.from({ length: m + 1 }, (_, zeros) => fewItems(zeros, m))
  const length = m >> 2
  const scale = alphaOf(m) * m * m
  return (register) => {
    const at = register >> 2
    const estimate = scale / sumOfInverses(words, at, length)
    if (estimate > 2.5 * m) return estimate
    const zeros = m - nonzeroBytes(words, at, length)
    return zeros > 0 ? few[zeros] : estimate
  }
}

function sumOfInverses(words: Int32Array, at: number, length: number): number {
  let sum = 0
  let other = 0
  for (let i = at; i < at + length; i++) {
    const word = words[i]
    sum += pairSums[word & 0x7fff]
    other += pairSums[word >>> 16]
  }
  return sum + other
}

/** The upper bit of each byte is free to say that it is not 0: all are below 128. */
function nonzeroBytes(words: Int32Array, at: number, length: number): number {
  let count = 0
  for (let i = at; i < at + length; i++) {
    const marks = ((words[i] + 0x7f7f7f7f) >>> 7) & 0x01010101
    count += Math.imul(marks, 0x01010101) >>> 24
  }
  return count
}

/** Counted in a table with open addressing: a Set of a million numbers takes seconds. */
function distinctValues(values: Float64Array): number {
  const mask = 2 ** Math.ceil(Math.log2(2 * values.length + 2)) - 1
  const table = new Float64Array(mask + 1).fill(Number.NaN)
  let count = 0
  for (const given of values) {
    // -0 and 0 are the same value.
    const value = given + 0
    words.setFloat64(0, value)
    const mixed =
      Math.imul(words.getInt32(0), 0x9e3779b1) ^ Math.imul(words.getInt32(4), 0x85ebca6b)
    let at = mixed >>> 8
    while (table[at & mask] !== value && !Number.isNaN(table[at & mask])) at++
    if (table[at & mask] === value) continue
    table[at & mask] = value
    count++
  }
  return count
}

function alphaOf(m: number): number {
  if (m === 16) return 0.673
  if (m === 32) return 0.697
  return m === 64 ? 0.709 : 0.7213 / (1 + 1.079 / m)
}

const INVERSE_POWERS = Float64Array.from({ length: 256 }, (_, i) => 2 ** -i)

/** By two registers in one number, the second from its eighth bit on: their inverse powers. */
const pairSums = new Float64Array(2 ** 15)

function fillPairSums(): void {
  for (let pair = 0; pair < pairSums.length; pair++)
    pairSums[pair] = INVERSE_POWERS[pair & 0xff] + INVERSE_POWERS[pair >> 8]
}

/** The register of a value among m, and the position of the first 1 in the other bits. */
export function placeOf(value: number, m: number): { register: number; position: number } {
  const [high, low] = hash64(value)
  const bits = 31 - Math.clz32(m)
  const rest = high << bits
  const position = rest === 0 ? 32 - bits + Math.min(Math.clz32(low), 32) + 1 : Math.clz32(rest) + 1
  return { register: high >>> (32 - bits), position }
}

const words = new DataView(new ArrayBuffer(8))

/**
 * A fixed hash of 64 bits: four Feistel rounds over the bits of the number, with the finaliser of
 * MurmurHash3 as the round function. Different numbers have different hashes.
 */
export function hash64(value: number): readonly [high: number, low: number] {
  words.setFloat64(0, value + 0)
  let high = words.getInt32(0)
  let low = words.getInt32(4)
  high ^= mixed(low ^ 0x9e3779b9)
  low ^= mixed(high ^ 0x7f4a7c15)
  high ^= mixed(low ^ 0xf39cc060)
  low ^= mixed(high ^ 0x5cedc834)
  return [high >>> 0, low >>> 0]
}

function mixed(word: number): number {
  let h = word
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
