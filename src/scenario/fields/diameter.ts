import { type Algorithm, type Topology, UsageError } from '../../core/index.ts'
import { diameterOf } from '../../core/networks/distances/diameter.ts'
import type { FieldLocator, Scenario } from '../scenario.ts'

/**
 * The parameter `diameter` of algorithms that know it: the true one, or what a scenario sets. It is
 * computed only here, and only for them. Too small a value is a weaker world.
 */
export function knownDiameter(
  { name, needs }: Algorithm,
  topology: Topology,
  { set, 'allow-weaker': weaker }: Pick<Scenario, 'set' | 'allow-weaker'>,
  where: FieldLocator,
): { readonly diameter?: number } {
  if (!needs.knows?.includes('diameter')) return {}
  const at = where('set')
  const given = set.diameter
  if (given !== undefined && !(Number.isSafeInteger(given) && Number(given) >= 0))
    throw new UsageError(at, `a diameter is a whole number, not ${given}.`, 'Write diameter=4.')
  if (given !== undefined && weaker) return { diameter: Number(given) }
  const { least, most } = diameterOf(topology)
  if (least === Number.POSITIVE_INFINITY)
    throw new UsageError(
      where('topology'),
      `${name} needs the diameter, but ${topology.name} is not connected.`,
      'Add links between its parts.',
    )
  if (given === undefined && least < most)
    throw new UsageError(
      where('topology'),
      `${name} needs the diameter of ${topology.name}, which takes too long to compute exactly; it is from ${least} to ${most}.`,
      `A bound will do: add ${at} diameter=${most}.`,
    )
  if (given === undefined) return { diameter: least }
  if (Number(given) < most)
    throw new UsageError(
      at,
      least < most
        ? `the diameter of ${topology.name} may be up to ${most}, more than ${given}.`
        : `${name} needs a bound on the diameter, which is ${least}, not ${given}.`,
      `Leave it out, or set diameter=${most} or more, or add ${where('allow-weaker')} to see the algorithm fail.`,
    )
  return { diameter: Number(given) }
}
