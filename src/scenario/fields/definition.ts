import type { Aggregation } from '../../algorithms/aggregation.ts'
import { offers } from '../../algorithms/kinds.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import { neededNetworks } from '../../core/language/validation/needed-networks.ts'
import { quoted } from '../../core/text-format.ts'

/**
 * The algorithm or aggregation that a module exports: the one named, or else its default export, or
 * the only one.
 */
export function definitionAmong(
  exported: Readonly<Record<string, unknown>>,
  where: string,
  wanted?: string,
): Algorithm | Aggregation {
  const found = Object.entries(exported).flatMap(([name, value]) =>
    isDefinition(value) ? [[name, value] as const] : [],
  )
  const names = found.map(([name]) => name)
  const chosen =
    wanted ?? (names.includes('default') ? 'default' : names.length === 1 ? names[0] : null)
  const definition = found.find(([name]) => name === chosen)?.[1]
  if (definition === undefined) throw notFound(where, names, wanted, Object.keys(exported))
  if (offers(definition, 'lead')) refuseUnknownNeed(definition, where)
  return definition
}

function notFound(
  where: string,
  names: readonly string[],
  wanted: string | undefined,
  exported: readonly string[],
): UsageError {
  if (names.length === 0)
    return new UsageError(
      where,
      'the file exports no algorithm.',
      'Write export default algorithm({ ... }).',
    )
  const listed = names.join(', ')
  if (wanted === undefined)
    return new UsageError(
      where,
      `the file exports several algorithms: ${listed}.`,
      `Name one of them, as in ${where}#${names[0]}, or write export default algorithm({ ... }).`,
    )
  const problem = exported.includes(wanted)
    ? `the export ${quoted(wanted)} is not an algorithm.`
    : `the file has no export ${quoted(wanted)}.`
  return new UsageError(
    where,
    problem,
    names.length === 1 ? `It exports ${listed}.` : `It exports the algorithms ${listed}.`,
  ).withCandidates(wanted, names)
}

/** The file is not type-checked, so its needs may have any word. */
function refuseUnknownNeed({ needs: { topology } }: Algorithm, where: string): void {
  if (Object.hasOwn(neededNetworks, topology)) return
  throw new UsageError(
    where,
    `the topology in needs is ${quoted(topology)}.`,
    "Write 'ring', 'complete', 'tree', 'hypercube' or 'any'.",
  )
}

/** Whether a value is what `algorithm` or `gossip` returns. */
export function isDefinition(value: unknown): value is Algorithm | Aggregation {
  const { name, kinds, layout, settings, aggregate } = (value ?? {}) as Partial<
    Algorithm & Aggregation
  >
  if (typeof name !== 'string') return false
  return (
    (Array.isArray(kinds) && layout !== undefined) ||
    (typeof aggregate === 'function' && typeof settings === 'object')
  )
}
