import { UsageError } from '../core/index.ts'

/**
 * Refuses settings with which a timer would be set again at the same moment, for ever. Where not
 * all are given, nothing is known.
 */
export function positiveTimes<Name extends string>(
  algorithm: string,
  ...names: readonly Name[]
): (settings: Readonly<Record<Name, number>>) => null {
  return (settings) => {
    const wrong = names.find((name) => settings[name] <= 0)
    if (wrong === undefined) return null
    throw new UsageError(
      algorithm,
      `${wrong} must be above 0; ${settings[wrong]} was given.`,
      `Set for example ${wrong}=5.`,
    )
  }
}
