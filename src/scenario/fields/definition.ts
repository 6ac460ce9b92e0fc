import { type Algorithm, UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'

/** The algorithm that a module exports: its default export, or the only algorithm. */
export function definitionAmong(
  exported: Readonly<Record<string, unknown>>,
  where: string,
): Algorithm {
  const found = Object.entries(exported).filter(([, value]) => isAlgorithm(value))
  const chosen = found.find(([name]) => name === 'default') ?? found[0]
  if (found.length === 1 || chosen?.[0] === 'default') {
    const algorithm = chosen[1] as Algorithm
    refuseUnknownNeed(algorithm, where)
    return algorithm
  }
  const names = found.map(([name]) => name).join(', ')
  throw new UsageError(
    where,
    found.length === 0
      ? 'the file exports no algorithm.'
      : `the file exports several algorithms: ${names}.`,
    'Write export default algorithm({ ... }).',
  )
}

/** The file is not type-checked, so its needs may have any word. */
function refuseUnknownNeed({ needs: { topology } }: Algorithm, where: string): void {
  if (['ring', 'complete', 'any'].includes(topology)) return
  throw new UsageError(
    where,
    `the topology in needs is ${quoted(topology)}.`,
    "Write 'ring', 'complete' or 'any'.",
  )
}

function isAlgorithm(value: unknown): boolean {
  const { name, kinds, layout } = (value ?? {}) as Partial<Algorithm>
  return typeof name === 'string' && Array.isArray(kinds) && layout !== undefined
}
