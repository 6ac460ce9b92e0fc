import { aggregationNamed, algorithmNamed } from '../../algorithms/index.ts'
import { BESIDES } from '../../check/index.ts'
import { type Algorithm, type GlobalState, type Property, UsageError } from '../../core/index.ts'
import { propertiesOf } from '../../problems/demands.ts'
import { everyFairRunElects } from '../../problems/leader-election.ts'
import type { Explorable } from '../../scenario/check-target.ts'
import { definitionAmong } from '../../scenario/fields/definition.ts'
import { quoted } from '../../scenario/fields/reading.ts'
import { isCode } from './user-algorithm.ts'
import { userModule } from './user-module.ts'

const WHEN: readonly unknown[] = ['always', 'at the end', 'eventually']
/** What is left out may see all; a word that is none would let a reduction believe otherwise. */
const SEES: readonly unknown[] = [undefined, 'leaders', 'single nodes']

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
  const usual = [
    ...propertiesOf(algorithm, false),
    ...propertiesOf(algorithm, true),
    everyFairRunElects,
  ]
  return [...usual.map((property) => property.name), ...BESIDES]
}

/** What a file demands besides the usual: its export `properties`, a list. */
function propertiesIn(
  { properties = [] }: Readonly<Record<string, unknown>>,
  path: string,
  /** The names of the usual ones. */
  taken: readonly string[],
): readonly Property[] {
  const where = `${path}: properties`
  if (!Array.isArray(properties))
    throw new UsageError(
      where,
      `a list of properties is needed, but ${quoted(properties)} was exported.`,
      'Write export const properties = [{ name, when, broken }].',
    )
  for (const [i, property] of properties.entries()) refuseHalf(property, `${where}[${i}]`)
  const names = properties.map(({ name }: Property) => name)
  return properties.map((property: Property, i) => {
    const { name } = property
    const twin = names.indexOf(name) < i
    if (twin || taken.includes(name))
      throw new UsageError(
        `${where}[${i}]`,
        `every property needs a name of its own, but ${twin ? `${quoted(name)} is there twice` : `${quoted(name)} is judged in any case`}.`,
        twin ? 'Change one of them.' : 'Change it, or leave the property out.',
      )
    return guarded(property, path)
  })
}

function refuseHalf(property: Partial<Property> | null, where: string): void {
  const { name, when, sees, broken } = property ?? {}
  const refuse = (needed: string, given: unknown, remedy: string) => {
    throw new UsageError(where, `${needed}, but ${quoted(given)} was given.`, remedy)
  }
  if (typeof name !== 'string' || name.trim() === '')
    refuse('a property needs a name', name, "Write name: 'nobody waits for ever'.")
  if (!WHEN.includes(when))
    refuse('when is always, at the end or eventually', when, "Write for example when: 'always'.")
  if (!SEES.includes(sees))
    refuse('what it sees is leaders or single nodes', sees, 'Leave it out where it may be more.')
  if (typeof broken !== 'function')
    refuse(
      'broken is a function of a situation',
      broken,
      'Let it tell what is wrong, or null where nothing is.',
    )
}

/** The same property, which tells whose mistake it is if it cannot be asked. */
function guarded(property: Property, path: string): Property {
  const where = `${path}: property ${quoted(property.name)}`
  return {
    ...property,
    broken(situation: GlobalState) {
      const broken = asked(situation)
      if (broken === null || typeof broken === 'string') return broken
      throw new UsageError(
        where,
        `broken tells in words what is wrong, or null where nothing is, but it returned ${quoted(broken)}.`,
        'Correct it.',
      )
    },
  }

  function asked(situation: GlobalState): unknown {
    try {
      return property.broken(situation)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new UsageError(
        where,
        `broken must answer in every situation, but it threw ${quoted(why)}.`,
        'Correct it.',
      )
    }
  }
}
