import { definitionNamed } from '../../algorithms/index.ts'
import { ownProperties } from '../../api/own-properties.ts'
import type { Explorable } from '../../scenario/check-target.ts'
import { definitionAmong } from '../../scenario/fields/definition.ts'
import { isCode } from './user-algorithm.ts'
import { userModule } from './user-module.ts'

/** The algorithm to explore; a user's file may add properties to those of elections. */
export async function explorableOf(name: string): Promise<Explorable> {
  if (!isCode(name)) return { definition: definitionNamed(name), ownProperties: [] }
  const exported = await userModule(name)
  const definition = definitionAmong(exported, name)
  const own = ownProperties(exported.properties ?? [], definition, name)
  return { definition, ownProperties: own }
}
