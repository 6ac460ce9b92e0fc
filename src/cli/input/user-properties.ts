import { isAggregation } from '../../algorithms/index.ts'
import type { Explorable } from '../../scenario/check-target.ts'
import { definitionOf, type ReferenceOptions } from './user-algorithm.ts'

/** The algorithm to explore; a user's file may add properties to those of its problem. */
export async function explorableOf(
  name: string,
  options: ReferenceOptions = {},
): Promise<Explorable> {
  const definition = await definitionOf(name, options)
  if (isAggregation(definition) || definition.demands.length === 0)
    return { definition, ownProperties: [] }
  return { definition: { ...definition, demands: [] }, ownProperties: definition.demands }
}
