import { type Aggregation, definitionNamed } from '../../algorithms/index.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import { type OwnMeasures, readOwnMeasures } from '../../experiment/study/own-measures.ts'
import { isDefinition } from '../../scenario/fields/definition.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import {
  absoluteReference,
  checkedDefinition,
  handlersChecked,
  isCode,
  type Lookup,
  referencedDefinition,
} from '../input/user-algorithm.ts'
import { userModule } from '../input/user-module.ts'
import type { ExperimentGiven, OwnSources } from './experiment-work.ts'

/** The definitions of an experiment that are not of the catalogue, for this thread and others. */
export interface OwnDefinitions extends LoadedSources {
  readonly given: ExperimentGiven
}

/** What own files and documents bring along. */
export interface LoadedSources {
  readonly find: Lookup
  readonly ownMeasures: OwnMeasures
}

/** Loads them; null if there are none. */
export async function ownDefinitions(
  sources: OwnSources,
  quick: boolean,
): Promise<OwnDefinitions | null> {
  if (Object.keys(sources.files).length === 0 && sources.document === null) return null
  const loaded = await loadSources(sources, quick)
  return { ...loaded, given: { sources, quick, checked: handlersChecked() } }
}

/** A document in which algorithms are replaced by their names, and what the names stand for. */
export interface NamedDocument {
  readonly document: ScenarioInput
  readonly named: ReadonlyMap<string, Algorithm | Aggregation>
}

/** The own files that a document refers to, in the base or in a sweep. */
export function ownFilesIn({ base, sweep }: ScenarioInput): Readonly<Record<string, string>> {
  const swept = Object.values((sweep ?? {}) as ScenarioInput).flatMap((values) =>
    typeof values === 'string' ? values.split(',').map((value) => value.trim()) : values,
  )
  const { algorithm } = (base ?? {}) as ScenarioInput
  const references = [algorithm, ...swept].filter(
    (one): one is string => typeof one === 'string' && isCode(one),
  )
  return Object.fromEntries(references.map((one) => [one, absoluteReference(one)]))
}

/** Loads everything that the runs need; threads and workers do so by themselves. */
export async function loadSources(
  { files, document }: OwnSources,
  quick: boolean,
  elsewhere = false,
): Promise<LoadedSources> {
  const found = new Map<unknown, Algorithm | Aggregation>()
  for (const [written, path] of Object.entries(files))
    found.set(written, await referencedDefinition(elsewhere ? path : written))
  let ownMeasures: OwnMeasures = {}
  if (document !== null) {
    const { default: given } = await userModule(document)
    const whole = inForm(given as ScenarioInput, quick)
    for (const [name, one] of withNames(whole).named) found.set(name, await checkedDefinition(one))
    ownMeasures = readOwnMeasures(document, whole.ownMeasures)
  }
  return { find: (name, where) => found.get(name) ?? definitionNamed(name, where), ownMeasures }
}

/** The full document, or its quick variant. */
export function inForm({ quick: small, ...full }: ScenarioInput, quick: boolean): ScenarioInput {
  return quick && typeof small === 'object' ? { ...full, ...small } : full
}

/** Replaces the algorithms in a document by their names: runs are data. */
export function withNames(document: ScenarioInput): NamedDocument {
  const named = new Map<string, Algorithm | Aggregation>()
  const nameOf = (value: unknown): unknown => {
    if (!isDefinition(value)) return value
    const { name } = value
    const known = named.get(name)
    if (known !== undefined && known !== value)
      throw new UsageError('algorithm', `two algorithms are called ${name}.`, 'Rename one of them.')
    named.set(name, value)
    return name
  }
  const fieldsOf = (fields: unknown) => {
    if (typeof fields !== 'object' || fields === null || !('algorithm' in fields)) return fields
    const { algorithm } = fields
    const names = Array.isArray(algorithm) ? algorithm.map(nameOf) : nameOf(algorithm)
    return { ...fields, algorithm: names }
  }
  const { base, sweep } = document
  const replaced = {
    ...document,
    ...(base !== undefined && { base: fieldsOf(base) }),
    ...(sweep !== undefined && { sweep: fieldsOf(sweep) }),
  }
  return { document: replaced, named }
}
