import { type Explorable, explorable } from '../../scenario/check-target.ts'
import { type ReferenceOptions, referencedDefinition } from './user-algorithm.ts'

/** The algorithm to explore; a user's file may add properties to those of its problem. */
export async function explorableOf(
  name: string,
  options: ReferenceOptions = {},
): Promise<Explorable> {
  return explorable(await referencedDefinition(name, options))
}
