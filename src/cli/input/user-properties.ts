import { type GlobalState, type Property, UsageError } from '../../core/index.ts'
import { quoted } from '../../scenario/fields/reading.ts'

const WHEN: readonly unknown[] = ['always', 'at the end', 'eventually']
/** What is left out may see all; a word that is none would let a reduction believe otherwise. */
const SEES: readonly unknown[] = [undefined, 'leaders', 'single nodes']

/** What a file demands besides the usual: its export `properties`, a list. */
export function propertiesIn(
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
