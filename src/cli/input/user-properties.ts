import { isAggregation } from '../../algorithms/index.ts'
import { ownProperties } from '../../api/own-properties.ts'
import type { Explorable } from '../../scenario/check-target.ts'
import { definitionOf, isCode, moduleOf, type ReferenceOptions } from './user-algorithm.ts'

/** The algorithm to explore; a user's file may add properties to those of elections. */
export async function explorableOf(
  name: string,
  options: ReferenceOptions = {},
): Promise<Explorable> {
  if (!isCode(name)) return { definition: await definitionOf(name, options), ownProperties: [] }
  const { path, exported, definition } = await moduleOf(name, options)
  const own = isAggregation(definition)
    ? []
    : ownProperties(exported.properties ?? [], definition, path)
  return { definition, ownProperties: own }
}
