import { BESIDES } from '../../check/index.ts'
import type { Algorithm } from '../../core/index.ts'
import { demandsOn } from '../../problems/demands.ts'
import { somebodyElected } from '../../problems/leader-election.ts'
import type { Explorable } from '../../scenario/check-target.ts'
import { definitionAmong } from '../../scenario/fields/definition.ts'
import { aggregationNamed, algorithmNamed } from './catalogue-lookup.ts'
import { userModule } from './user-module.ts'
import { propertiesIn } from './user-properties.ts'

/** Whether a name is that of a file with somebody's own code. */
export function isCode(name: string): boolean {
  return /\.[mc]?[tj]s$/.test(name)
}

/** The election of that name, or the one that a TypeScript file defines. */
export async function electionOf(name: string): Promise<Algorithm> {
  return isCode(name) ? userAlgorithm(name) : algorithmNamed(name)
}

/** What is explored under that name; a file may demand more than elections do. */
export async function explorableOf(name: string): Promise<Explorable> {
  const aggregation = aggregationNamed(name)
  if (aggregation !== undefined) return { aggregation }
  if (!isCode(name)) return { algorithm: algorithmNamed(name), demands: [] }
  const exported = await userModule(name)
  const algorithm = definitionAmong(exported, name)
  return { algorithm, demands: propertiesIn(exported, name, usualNames(algorithm)) }
}

/** What is demanded of every election, with and without faults. */
function usualNames(algorithm: Algorithm): string[] {
  const usual = [...demandsOn(algorithm, false), ...demandsOn(algorithm, true), somebodyElected]
  return [...usual.map((property) => property.name), ...BESIDES]
}

/** The definition that a file exports: by default, or as the only one. */
export async function userAlgorithm(path: string): Promise<Algorithm> {
  return definitionAmong(await userModule(path), path)
}
