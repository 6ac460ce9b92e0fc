import { aggregationNamed, algorithmNamed } from '../../algorithms/index.ts'
import { ownProperties } from '../../api/own-properties.ts'
import type { Explorable } from '../../scenario/check-target.ts'
import { definitionAmong } from '../../scenario/fields/definition.ts'
import { isCode } from './user-algorithm.ts'
import { userModule } from './user-module.ts'

/** The algorithm to explore; a user's file may add properties to those of elections. */
export async function explorableOf(name: string): Promise<Explorable> {
  const aggregation = aggregationNamed(name)
  if (aggregation !== undefined) return { aggregation }
  if (!isCode(name)) return { algorithm: algorithmNamed(name), demands: [] }
  const exported = await userModule(name)
  const algorithm = definitionAmong(exported, name)
  return { algorithm, demands: ownProperties(exported.properties ?? [], algorithm, name) }
}
