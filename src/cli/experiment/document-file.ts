import { dirname, resolve } from 'node:path'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { isDefinition } from '../../scenario/fields/definition.ts'
import { readRemarks } from '../../scenario/fields/remarks.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import { besideDocument } from '../input/file-networks.ts'
import { readJsonObject } from '../input/json-file.ts'
import { readScenarioFile } from '../input/scenario-file.ts'
import { isCode, nearReference, ownFile } from '../input/user-algorithm.ts'
import { userModule } from '../input/user-module.ts'
import { inForm, withNames } from './own-definitions.ts'

/** The document of an experiment, in which algorithms are named. */
export interface DocumentFile {
  readonly document: ScenarioInput
  /** The absolute path of the file, if it has algorithms or measures that others cannot name. */
  readonly defines: string | null
}

/** The document in a file; null if an algorithm was named, or the file defines one. */
export async function documentIn(name: string, quick: boolean): Promise<DocumentFile | null> {
  if (name.endsWith('.json')) return { document: jsonDocument(name, quick), defines: null }
  if (!isCode(name)) return null
  const exported = await userModule(ownFile(name).path)
  if (definesAlgorithm(exported, ownFile(name).wanted)) return null
  const { default: document } = exported
  if (typeof document === 'object' && document !== null) {
    const { document: inNames, named } = withNames(inForm(document as ScenarioInput, quick))
    return {
      document: besideIts(inNames, name),
      defines:
        named.size > 0 || inNames.ownMeasures !== undefined ? resolve(ownFile(name).path) : null,
    }
  }
  throw new UsageError(
    name,
    document === undefined
      ? 'the file exports neither an algorithm nor an experiment.'
      : `the default export is not an experiment but ${quoted(document)}.`,
    'Write export default { base: { algorithm: "lcr" }, sweep: { n: "2..100" } }.',
  )
}

/** An experiment has no algorithm of its own at the top: its default export is the document. */
function definesAlgorithm(exported: ScenarioInput, wanted: string | undefined): boolean {
  if (wanted !== undefined || isDefinition(exported.default)) return true
  return exported.default === undefined && Object.values(exported).some(isDefinition)
}

/** An experiment, or a scenario that is the base of one. */
function jsonDocument(name: string, quick: boolean): ScenarioInput {
  const { title, notes, ...read } = readJsonObject(name)
  if (read.base === undefined && read.algorithm !== undefined) {
    const { algorithm, fields } = readScenarioFile(name)
    const { title: _, notes: __, ...base } = fields
    const remarks = readRemarks(fields, (field) => `${name}: ${field}`)
    return {
      base: { algorithm, ...base },
      ...(remarks.title !== undefined && { title: remarks.title }),
      ...(remarks.notes !== undefined && { discussion: remarks.notes }),
    }
  }
  const whole = { ...(title !== undefined && { title }), ...(notes !== undefined && { notes }) }
  return besideIts(inForm({ ...whole, ...read }, quick), name)
}

/** Files that a document names lie beside it. */
function besideIts(document: ScenarioInput, name: string): ScenarioInput {
  const moved = ['base', 'sweep'].flatMap((field) => {
    const fields = document[field]
    if (typeof fields !== 'object' || fields === null) return []
    return [[field, withNearFiles(besideDocument(fields as ScenarioInput, name), dirname(name))]]
  })
  return { ...document, ...Object.fromEntries(moved) }
}

/** Own algorithms lie beside the document, too. */
function withNearFiles(fields: ScenarioInput, folder: string): ScenarioInput {
  const near = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(near)
    if (typeof value !== 'string') return value
    const parts = value.split(',').map((part) => nearReference(part.trim(), folder))
    return parts.some(isCode) ? parts.join() : value
  }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, near(value)]))
}
