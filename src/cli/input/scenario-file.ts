import { dirname } from 'node:path'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { type FieldLocator, flagged, type ScenarioInput } from '../../scenario/index.ts'
import { readJsonObject } from './read-file.ts'
import { isCode } from './user-algorithm.ts'

/** A scenario as a file has it. */
export interface ScenarioFile {
  readonly path: string
  /** A name of the catalogue, or an own file relative to `base`. */
  readonly algorithm: string
  /** The folder of the file. */
  readonly base: string
  /** The other fields. */
  readonly fields: ScenarioInput
}

/** Whether an argument is the path of a scenario, rather than an algorithm. */
export function isScenarioFile(name: string): boolean {
  return name.endsWith('.json') || (name.includes('/') && !isCode(name))
}

export function readScenarioFile(path: string): ScenarioFile {
  const { algorithm, ...fields } = readJsonObject(path)
  if (typeof algorithm === 'string') return { path, algorithm, base: dirname(path), fields }
  throw new UsageError(
    `${path}: algorithm`,
    algorithm === undefined
      ? 'the field is missing.'
      : `${quoted(algorithm)} is neither a name from conclave list nor a path.`,
    'Add a line such as "algorithm": "lcr".',
  )
}

/** Where fields are given: in the file, unless a flag overrides them. */
export function locatorIn(
  { path }: Pick<ScenarioFile, 'path'>,
  flags: ScenarioInput,
): FieldLocator {
  return (field) => (flags[field] === undefined ? `${path}: ${field}` : flagged(field))
}
