import { RESERVED_PROPERTY_NAMES } from '../check/index.ts'
import { type Algorithm, type Property, UsageError } from '../core/index.ts'
import { quoted } from '../core/text-format.ts'
import { atAnyTime, propertiesOf } from '../problems/algorithm-properties.ts'
import { everyFairRunElects } from '../problems/leader-election.ts'
import { guarded, refuseIncomplete } from '../problems/own-properties.ts'

/**
 * The properties that the author of an algorithm demands besides those of an election, ready for
 * the engines. `source` is the file that they are from, or empty; errors begin with it.
 */
export function ownProperties(
  properties: unknown,
  algorithm: Algorithm,
  source = '',
): readonly Property[] {
  const prefix = source === '' ? '' : `${source}: `
  const where = `${prefix}properties`
  if (!Array.isArray(properties))
    throw new UsageError(
      where,
      `expected a list of properties, got ${quoted(properties)}.`,
      'Write properties = [{ name, when, broken }].',
    )
  for (const [i, property] of properties.entries()) refuseIncomplete(property, `${where}[${i}]`)
  const names = properties.map(({ name }: Property) => name)
  const usual = usualNames(algorithm)
  return properties.map((property: Property, i) => {
    const { name } = property
    const twice = names.indexOf(name) < i
    if (twice || usual.includes(name))
      throw new UsageError(
        `${where}[${i}]`,
        `the name ${quoted(name)} is ${twice ? 'used twice' : 'that of a property of every election'}.`,
        'Choose another name.',
      )
    return atAnyTime(algorithm, guarded(property, `${prefix}property ${quoted(name)}`))
  })
}

/** The names of what is demanded of every election, with and without faults. */
function usualNames(algorithm: Algorithm): string[] {
  const usual = [
    ...propertiesOf(algorithm, false),
    ...propertiesOf(algorithm, true),
    everyFairRunElects,
  ]
  return [...usual.map(({ name }) => name), ...RESERVED_PROPERTY_NAMES]
}
