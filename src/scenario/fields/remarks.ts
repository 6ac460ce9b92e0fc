import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import type { FieldLocator, ScenarioInput } from '../scenario.ts'

/** What the author of a scenario says about it; results show it, and no run depends on it. */
export interface Remarks {
  readonly title?: string
  /** One text; lines may be given as a list. */
  readonly notes?: string
}

export const REMARKS = ['title', 'notes'] as const

/** Reads the title and the notes. */
export function readRemarks(given: ScenarioInput, where: FieldLocator): Remarks {
  const entries = REMARKS.flatMap((field) => {
    const value = given[field]
    if (value === undefined) return []
    const lines = field === 'notes' && Array.isArray(value) ? value : [value]
    const wrong = lines.find((line) => typeof line !== 'string')
    if (wrong === undefined) return [[field, lines.join('\n')]]
    throw new UsageError(
      where(field),
      `expected a text${field === 'notes' ? ', or a list of lines' : ''}, got ${quoted(wrong)}.`,
      'Put it in quotation marks.',
    )
  })
  return Object.fromEntries(entries)
}
