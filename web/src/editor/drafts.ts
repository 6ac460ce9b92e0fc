import catalogue from 'virtual:catalogue-code'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { offeredAlgorithm } from '../model/algorithm-list.ts'
import type { ShownRun } from '../model/run.ts'

/** A definition in the editor: its path, and a scenario to try it in. */
export interface Draft {
  readonly name: string
  readonly path: string
  readonly source: string
  readonly scenario: ScenarioInput
}

const PLACE = 'conclave lab: own definitions'
/** Edited definitions of the catalogue by name; they are kept between visits. */
const written = new Map<string, string>(kept())
/** The draft that was edited last. */
let latest = 'lcr'

/** The drafts of an earlier visit, where the browser stores any. */
function kept(): [string, string][] {
  try {
    return Object.entries(JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Record<string, string>)
  } catch {
    return []
  }
}

/** Stores the draft. */
export function keep({ name }: Draft, source: string): void {
  latest = name
  if (offeredAlgorithm(name) === null) return
  if (source === inCatalogue(name).source) written.delete(name)
  else written.set(name, source)
  try {
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(written)))
  } catch {
    // Editing goes on where the store is full or forbidden.
  }
}

/** Networks to begin with whose names say more than their size. */
const TOPOLOGIES: Readonly<Record<string, string>> = {
  any: 'random:8:0.5',
  tree: 'tree:8:2',
  hypercube: 'hypercube:3',
}

/** The source of an algorithm of the catalogue. */
export function inCatalogue(name: string): Draft {
  const [path, { source }] = Object.entries(catalogue).find(([, { source }]) =>
    source.includes(`  name: '${name}',`),
  )!
  const network = offeredAlgorithm(name)?.network ?? 'ring'
  return {
    name,
    path,
    // What the language offers is imported as in any file of one's own.
    source: source.replace(/'[./]+core\/index\.ts'/, "'conclave'"),
    scenario: { topology: TOPOLOGIES[network] ?? `${network}:8` },
  }
}

/** The draft of an algorithm, or its source where there is none. */
export function beginning(name: string): Draft {
  const draft = inCatalogue(name)
  return { ...draft, source: written.get(name) ?? draft.source }
}

/** The definition to edit: that of the current run, or else the draft that was edited last. */
export function draftFor({ code, scenario }: ShownRun): Draft {
  const shown = code === null ? offeredAlgorithm(scenario.algorithm) : null
  if (shown !== null && shown.network !== 'gossip') latest = shown.name
  const known = beginning(offeredAlgorithm(latest) === null ? 'lcr' : latest)
  // The run belongs to this draft, perhaps to an earlier version of it.
  if (code === null || (code.path === known.path && written.has(known.name))) return known
  return { name: 'own', path: code.path, source: code.source, scenario }
}
