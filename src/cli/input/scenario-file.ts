import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { shortTexts } from '../../options/scenario.ts'
import { flagged } from '../../scenario/command-line.ts'
import { NO_FAULT_FIELDS } from '../../scenario/faults/fault-fields.ts'
import { type Remarks, readRemarks } from '../../scenario/fields/remarks.ts'
import type { FieldLocator, ScenarioInput } from '../../scenario/scenario.ts'
import { SCENARIO_FIELDS } from '../../scenario/scenario.ts'
import type { Verb } from '../verb.ts'
import { besideDocument } from './file-networks.ts'
import { readJsonObject } from './json-file.ts'
import { nearReference } from './user-algorithm.ts'

/** A scenario as a file has it. Paths in it are relative to the current folder by now. */
export interface ScenarioFile {
  readonly path: string
  /** A name of the catalogue, or an own file. */
  readonly algorithm: string
  /** The other fields. */
  readonly fields: ScenarioInput
}

/** What results say about the file that they are from. */
export interface FileOrigin extends Remarks {
  readonly path: string
  /** The fields that were taken from the file, since no flag overrides them. */
  readonly taken: readonly string[]
}

export function readScenarioFile(path: string): ScenarioFile {
  const { algorithm, ...fields } = readJsonObject(path)
  if (typeof algorithm !== 'string')
    throw new UsageError(
      `${path}: algorithm`,
      algorithm === undefined
        ? 'the field is missing.'
        : `${quoted(algorithm)} is neither a name from conclave list nor a path.`,
      'Add a line such as "algorithm": "lcr".',
    )
  const texts = shortTexts(fields, (field) => `${path}: ${field}`)
  return { path, ...besideFile({ ...texts, algorithm }, path) }
}

/** Own files and networks lie beside the scenario; those of the current folder are found, too. */
function besideFile<T extends ScenarioInput>(
  fields: T,
  path: string,
): Pick<ScenarioFile, 'algorithm' | 'fields'> {
  const folder = dirname(path)
  const moved = Object.entries(besideDocument(fields, path)).map(([field, value]) => {
    const [, file] = (typeof value === 'string' && /^\w+:(.*)$/s.exec(value)) || []
    const kept = value !== fields[field] && !existsSync(file ?? '')
    return [field, kept ? fields[field] : value]
  })
  const { algorithm, role, ...rest } = Object.fromEntries(moved)
  const near = (reference: unknown) =>
    typeof reference === 'string' ? nearReference(reference, folder) : reference
  return {
    algorithm: nearReference(algorithm, folder),
    fields: { ...rest, ...(role !== undefined && { role: rolesNear(role, near) }) },
  }
}

/** The same roles, with the paths of their algorithms replaced. */
function rolesNear(role: unknown, near: (reference: unknown) => unknown): unknown {
  if (Array.isArray(role)) return role.map((entry) => rolesNear(entry, near))
  if (typeof role === 'object' && role !== null && 'algorithm' in role)
    return { ...role, algorithm: near(role.algorithm) }
  const [, name, algorithm] = /^([^=]*)=(.*)$/s.exec(String(role)) ?? []
  return typeof role === 'string' && algorithm !== undefined ? `${name}=${near(algorithm)}` : role
}

/** Where fields are given: in the file, unless a flag overrides them. */
export function locatorIn(
  { path }: Pick<ScenarioFile, 'path'>,
  flags: ScenarioInput,
): FieldLocator {
  return (field) =>
    Object.hasOwn(flags, field) && flags[field] !== undefined ? flagged(field) : `${path}: ${field}`
}

/** The same for options that `withFields` made. */
export function locatorOf({ file }: { readonly file?: FileOrigin }): FieldLocator {
  if (file === undefined) return flagged
  return (field) => (file.taken.includes(field) ? `${file.path}: ${field}` : flagged(field))
}

/** The part of it that results have. */
export function remarksOf({ taken: _, ...origin }: FileOrigin): Omit<FileOrigin, 'taken'> {
  return origin
}

/** What a command does with fields of a scenario that are no flags of it. */
export interface FieldRules {
  /** The command, as errors name it. */
  readonly command: string
  /** Fields that make no difference to it, and are left aside. */
  readonly aside: readonly string[]
  /** Fields that it cannot do, and what to do instead. */
  readonly hints: Readonly<Record<string, string>>
}

const DEFAULTS: ScenarioInput = {
  ...NO_FAULT_FIELDS,
  detect: 1,
  timing: 'async',
  weights: 'random',
  'allow-weaker': false,
}

/** Flags that are no fields: they say where results go. */
const OUTPUT = ['json', 'svg', 'trace', 'step', 'help']

/**
 * The options of a command with the fields of a file: every flag may be a field. Flags override
 * fields; fields override the defaults of flags.
 */
export function withFields<O extends Record<string, unknown>>(
  options: O,
  { path, fields }: ScenarioFile,
  verb: Verb,
  { command, aside, hints }: FieldRules,
): O & { readonly file: FileOrigin } {
  const known = verb.visible.filter((option) => !OUTPUT.includes(option.name()))
  const names = [...new Set([...known.map((option) => option.name()), ...SCENARIO_FIELDS])]
  const entries: Record<string, unknown> = {}
  const taken: string[] = []
  for (const [field, value] of Object.entries(fields)) {
    const where = `${path}: ${field}`
    if (value === null) throw new UsageError(where, 'null is not a value.', 'Leave the field out.')
    const option = known.find((one) => one.name() === field)
    if (option !== undefined) {
      const name = option.attributeName()
      const source = verb.getOptionValueSource(name)
      if (source !== undefined && source !== 'default') continue
      if (value !== false) entries[name] = typeof value === 'number' ? String(value) : value
      taken.push(field)
    } else if (Object.hasOwn(hints, field)) {
      // A scenario that was printed has all defaults written out.
      if (String(value) === String(DEFAULTS[field])) continue
      throw new UsageError(where, `conclave ${command} cannot do this.`, hints[field])
    } else if (!aside.includes(field)) {
      throw new UsageError(
        where,
        `a scenario has no field ${quoted(field)} for conclave ${command}.`,
        `The fields are ${names.join(', ')}.`,
      ).withCandidates(field, names)
    }
  }
  const remarks = readRemarks(fields, (field) => `${path}: ${field}`)
  return { ...options, ...entries, file: { path, ...remarks, taken } }
}
