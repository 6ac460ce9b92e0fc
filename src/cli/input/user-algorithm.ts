import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import type { Aggregation } from '../../algorithms/aggregation.ts'
import { entryNamed, findEntry, loadDefinition } from '../../algorithms/catalogue.ts'
import { electionFor, offers } from '../../algorithms/kinds.ts'
import type { Algorithm } from '../../core/index.ts'
import type { HandlerCoverage } from '../../core/language/world.ts'
import { definitionAmong } from '../../scenario/fields/definition.ts'
import { refuseMissing, userModule } from './user-module.ts'

/** Whether handlers of own files see only what their definition declares. */
let sealing = true

/** Switches the checks of own handlers off or on, for the whole command. */
export function checkHandlers(on: boolean): void {
  sealing = on
}

/** Whether own handlers are checked: threads and child processes do the same. */
export function handlersChecked(): boolean {
  return sealing
}

/** A file with code, and perhaps the export that is meant: `./mine.ts#second`. */
const REFERENCE = /^(.*\.[mc]?[tj]s)(?:#([\w$]+))?$/s

/** How references to own files are read. */
export interface ReferenceOptions {
  /** The flag or field that has the reference, for errors. */
  readonly where?: string
  /** The folder to which paths are relative; the current one if left out. */
  readonly base?: string
  /** Whether to check the types of the file: left to the program's flags if not given. */
  readonly types?: boolean
  /** The definition with its very handlers, unchecked, as a proof needs them. */
  readonly bare?: boolean
  /** Whether its code is to tell which of it runs: see `coverageOf`. */
  readonly covered?: boolean
}

/** Finds a definition by a name of the catalogue, or by a reference that has been loaded. */
export type Lookup = (reference: unknown, where?: string) => Algorithm | Aggregation

/** Whether a name is that of a file with a user's code, perhaps with one of its exports. */
export function isCode(name: string): boolean {
  return REFERENCE.test(name)
}

/** Whether an argument is the path of a scenario, rather than an algorithm. */
export function isScenarioFile(name: string): boolean {
  return name.endsWith('.json') || (name.includes('/') && !isCode(name))
}

/** The path of an own file, as the current folder sees it, and the export that is meant. */
export function ownFile(
  reference: string,
  base?: string,
): { readonly path: string; readonly wanted: string | undefined } {
  const [, file, wanted] = REFERENCE.exec(reference)!
  return { path: base === undefined || isAbsolute(file) ? file : near(join(base, file)), wanted }
}

/** The same reference, relative to the current folder instead of another. */
export function nearReference(reference: string, folder: string): string {
  if (folder === '.' || !isCode(reference)) return reference
  const { path, wanted } = ownFile(reference, folder)
  return path + (wanted === undefined ? '' : `#${wanted}`)
}

/** The same reference for other threads and processes, whatever folder they are in. */
export function absoluteReference(reference: string, base = '.'): string {
  if (!isCode(reference)) return reference
  const { path, wanted } = ownFile(reference, base)
  return resolve(path) + (wanted === undefined ? '' : `#${wanted}`)
}

/** The election or aggregation behind a name of the catalogue or a path. */
export async function referencedDefinition(
  reference: unknown,
  options: ReferenceOptions = {},
): Promise<Algorithm | Aggregation> {
  const { where = 'algorithm' } = options
  if (typeof reference !== 'string' || !isCode(reference)) return loadDefinition(reference, where)
  return (await moduleOf(reference, options)).definition
}

/** An own file: what it exports, and the definition that is meant. */
export async function moduleOf(
  reference: string,
  { where, base, types, bare = false, covered = false }: ReferenceOptions = {},
): Promise<{
  readonly path: string
  readonly exported: Readonly<Record<string, unknown>>
  readonly definition: Algorithm | Aggregation
}> {
  const { path, wanted } = ownFile(reference, base)
  refuseMissing(path, where ?? path)
  // What a thread is given has been checked by the one that started it.
  const checked = types ?? (isMainThread ? undefined : false)
  const asked = checked !== undefined && { types: checked }
  const exported = await userModule(path, { ...asked, covered })
  const found = definitionAmong(exported, path, wanted)
  const { ownGossip } = await import('../../algorithms/index.ts')
  const definition = ownGossip(bare ? found : await checkedDefinition(found))
  const demands =
    offers(definition, 'properties') && exported.properties !== undefined
      ? (await import('../../api/own-properties.ts')).ownProperties(
          exported.properties,
          definition,
          path,
        )
      : []
  return {
    path,
    exported,
    definition: demands.length === 0 ? definition : { ...(definition as Algorithm), demands },
  }
}

/** What tells which code of a file runs, if it was loaded with coverage. */
export async function coverageOfFile(reference: string): Promise<HandlerCoverage | undefined> {
  if (!isCode(reference)) return undefined
  const path = resolve(ownFile(reference).path)
  if (!existsSync(path)) return undefined
  const { handlerCoverageOf } = await import('../../compiler/coverage/code-coverage.ts')
  return handlerCoverageOf(realpathSync(path))
}

/** The same definition, whose handlers are checked unless that is switched off. */
export async function checkedDefinition(
  definition: Algorithm | Aggregation,
): Promise<Algorithm | Aggregation> {
  if (!sealing) return definition
  const { isOfCatalogue, sealedDefinition } = await import('../../algorithms/index.ts')
  return isOfCatalogue(definition) ? definition : sealedDefinition(definition)
}

/** Loads the definitions behind all references, so that they can be found at once afterwards. */
export async function loaded(
  references: readonly unknown[],
  options: ReferenceOptions = {},
): Promise<Lookup> {
  const found = new Map<unknown, Algorithm | Aggregation>()
  for (const reference of new Set(references))
    if (typeof reference === 'string' && (isCode(reference) || findEntry(reference)))
      found.set(reference, await referencedDefinition(reference, options))
  return (reference, where) => {
    const definition = found.get(reference)
    // The error says which names there are.
    if (definition === undefined) entryNamed(reference, where)
    return definition!
  }
}

/** The election among what was found; an aggregation is refused. */
export function electionIn(find: Lookup): (reference: string, where: string) => Algorithm {
  return (reference, where) => electionFor('lead', find(reference, where), where, reference)
}

/** A path as the current folder sees it: shorter in messages than an absolute one. */
function near(path: string): string {
  return relative('.', path) || path
}
