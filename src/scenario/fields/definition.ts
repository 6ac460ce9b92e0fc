import { type Algorithm, UsageError } from '../../core/index.ts'

/** The algorithm that a module exports: its default export, or the only algorithm. */
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
    found.length === 0
      ? 'the file exports no algorithm.'
      : `the file exports several algorithms: ${names}.`,
    'Write export default algorithm({ ... }).',
  )
}

function isAlgorithm(value: unknown): boolean {
  const { name, kinds, layout } = (value ?? {}) as Partial<Algorithm>
  return typeof name === 'string' && Array.isArray(kinds) && layout !== undefined
}
