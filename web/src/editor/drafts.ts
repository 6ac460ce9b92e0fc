import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { subjectNamed } from '../model/algorithm-list.ts'
import type { Run } from '../model/run.ts'

/** A definition that is being written: where it would lie, and a world to try it in. */
export interface Draft {
  readonly name: string
  readonly path: string
  readonly source: string
  readonly scenario: ScenarioInput
}

const SOURCES = import.meta.glob<string>(
  ['../../../src/algorithms/{ring,complete,graph}/*.ts', '!../../../src/**/*.test.ts'],
  { query: '?raw', import: 'default', eager: true },
)

const PLACE = 'conclave lab: own definitions'
/** What was written in place of definitions of the catalogue, by their names: it is never lost. */
const written = new Map<string, string>(kept())
/** What was edited last. */
let latest = 'lcr'

/** What the browser has kept from another visit, where it keeps anything. */
function kept(): [string, string][] {
  try {
    return Object.entries(JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Record<string, string>)
  } catch {
    return []
  }
}

/** Remembers what is being written. */
export function keep({ name }: Draft, source: string): void {
  latest = name
  if (subjectNamed(name) === null) return
  if (source === inCatalogue(name).source) written.delete(name)
  else written.set(name, source)
  try {
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(written)))
  } catch {
    // A full or forbidden store is no reason to stop writing.
  }
}

/** An algorithm of the catalogue, as it is written there. */
export function inCatalogue(name: string): Draft {
  const [path, source] = Object.entries(SOURCES).find(([, text]) =>
    text.includes(`  name: '${name}',`),
  )!
  const network = subjectNamed(name)?.network ?? 'ring'
  return {
    name,
    path: path.slice(path.indexOf('/src/')),
    source,
    scenario: { topology: network === 'any' ? 'random:8:0.5' : `${network}:8` },
  }
}

/** The same with what was written in its place so far. */
export function beginning(name: string): Draft {
  const draft = inCatalogue(name)
  return { ...draft, source: written.get(name) ?? draft.source }
}

/** What to go on with: the code of the run that is shown, or else what was edited last. */
export function draftFor({ code, scenario }: Run): Draft {
  const known = beginning(subjectNamed(latest) === null ? 'lcr' : latest)
  // A run of what stands there, perhaps as it was some changes ago.
  if (code === null || (code.path === known.path && written.has(known.name))) return known
  return { name: 'own', path: code.path, source: code.source, scenario }
}
