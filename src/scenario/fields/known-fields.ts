import { Complaint } from '../../core/index.ts'
import type { Given, Where } from '../scenario.ts'
import { quoted } from './reading.ts'

/** Refuses fields that a scenario does not have, and null, of which nobody knows what it means. */
export function refuseFields(
  given: Given,
  known: readonly string[],
  whose: string,
  where: Where,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) {
      throw new Complaint(
        where(name),
        `${whose} has the fields ${known.join(', ')}`,
        `${quoted(name)} was given`,
        'Correct the name, or leave it out.',
      ).meaning(name, known)
    }
    if (value === null) {
      throw new Complaint(
        where(name),
        'a value is needed',
        'null was given',
        'Leave the field out to have its default.',
      )
    }
  }
}
