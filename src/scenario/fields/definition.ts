import { type Algorithm, UsageError } from '../../core/index.ts'

/** The definition among what somebody's code exports: by default, or as the only one. */
export function definitionAmong(
  exported: Readonly<Record<string, unknown>>,
  where: string,
): Algorithm {
  const found = Object.entries(exported).filter(([, value]) => isAlgorithm(value))
  const chosen = found.find(([name]) => name === 'default') ?? found[0]
  if (found.length === 1 || chosen?.[0] === 'default') return chosen[1] as Algorithm
  const names = found.map(([name]) => name).join(', ')
  throw new UsageError(
    where,
    `one exported algorithm is needed, but ${found.length === 0 ? 'there is none' : `there are ${names}`}.`,
    'Write export default algorithm({ ... }).',
  )
}

function isAlgorithm(value: unknown): boolean {
  const { name, kinds, layout } = (value ?? {}) as Partial<Algorithm>
  return typeof name === 'string' && Array.isArray(kinds) && layout !== undefined
}
