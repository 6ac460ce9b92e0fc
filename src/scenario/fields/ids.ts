import { Random, UsageError } from '../../core/index.ts'
import { integer, unexpected } from '../../options/reading.ts'

const PATTERNS = ['increasing', 'decreasing', 'bit-reversal', 'random', 'same'] as const

/** A pattern of ids, or a list of them. */
export type IdField = (typeof PATTERNS)[number] | readonly number[]

/** Reads ids: a pattern, a text such as `3,2,7`, or an array of numbers. */
export function readIds(where: string, value: unknown): IdField {
  const pattern = PATTERNS.find((candidate) => candidate === value)
  if (pattern !== undefined) return pattern
  const parts = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value
  if (!Array.isArray(parts) || parts.length === 0 || !parts.every(looksLikeId)) {
    throw unexpected(
      where,
      `ids such as 3,2,7 or one of ${PATTERNS.join(', ')}`,
      value,
      'Ids are integers from 0 to 2^53 - 1.',
    ).withCandidates(value, PATTERNS)
  }
  const ids = parts.map((part) => integer(where, part, 0, Number.MAX_SAFE_INTEGER, 'an id'))
  const sorted = Float64Array.from(ids).sort()
  const twice = sorted.findIndex((id, i) => id === sorted[i + 1])
  if (twice >= 0) {
    throw new UsageError(
      where,
      `id ${sorted[twice]} is listed twice, but ids must be distinct.`,
      'Change one of them, or use the pattern same to see why equal ids cannot work.',
    )
  }
  return ids
}

/** The ids of n nodes, by position. */
export function idsOf(where: string, ids: IdField, n: number, seed: number): Float64Array {
  if (typeof ids !== 'string') return Float64Array.from(ids)
  switch (ids) {
    case 'increasing':
      return consecutive(n, (i) => i + 1)
    case 'decreasing':
      return consecutive(n, (i) => n - i)
    case 'same':
      return new Float64Array(n).fill(1)
    case 'random':
      return shuffledIds(n, seed)
    case 'bit-reversal':
      return bitReversal(where, n)
  }
}

function shuffledIds(n: number, seed: number): Float64Array {
  const order = Random.from(seed).split('ids').permutation(n)
  return consecutive(n, (i) => order[i] + 1)
}

/** A loop: `Float64Array.from` is ten times slower with a function. */
function consecutive(n: number, id: (i: number) => number): Float64Array {
  const ids = new Float64Array(n)
  for (let i = 0; i < n; i++) ids[i] = id(i)
  return ids
}

function bitReversal(where: string, n: number): Float64Array {
  const bits = Math.round(Math.log2(n))
  if (2 ** bits !== n) {
    throw new UsageError(
      where,
      `bit-reversal needs a power of two, but n is ${n}.`,
      `Use ${2 ** bits} nodes.`,
    )
  }
  const ids = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    let reversed = 0
    for (let bit = 0; bit < bits; bit++) if ((i >> bit) & 1) reversed += 2 ** (bits - 1 - bit)
    ids[i] = 1 + reversed
  }
  return ids
}

function looksLikeId(part: unknown): boolean {
  return typeof part === 'number' || (typeof part === 'string' && /^\d+$/.test(part))
}
