import { type Explorable, explorable } from '../../scenario/check-target.ts'
import { definitionOf, type ReferenceOptions } from './user-algorithm.ts'

/** The algorithm to explore; a user's file may add properties to those of its problem. */
export async function explorableOf(
  name: string,
  options: ReferenceOptions = {},
): Promise<Explorable> {
  return explorable(await definitionOf(name, options))
}
