import { UsageError } from '../../core/index.ts'
import type { FieldLocator, ScenarioInput } from '../scenario.ts'
import { quoted } from './reading.ts'

/** Refuses fields that a scenario does not have, and null, of which nobody knows what it means. */
export function refuseFields(
  given: ScenarioInput,
  known: readonly string[],
  whose: string,
  where: FieldLocator,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) {
      throw new UsageError(
        where(name),
        `${whose} has the fields ${known.join(', ')}, but ${quoted(name)} was given.`,
        'Correct the name, or leave it out.',
      ).withCandidates(name, known)
    }
    if (value === null) {
      throw new UsageError(
        where(name),
        'a value is needed, but null was given.',
        'Leave the field out to have its default.',
      )
    }
  }
}
