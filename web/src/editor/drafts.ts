import type { Given } from '../../../src/scenario/index.ts'
import type { Run } from '../model/run.ts'
import { subjectNamed } from '../model/subjects.ts'

/** A definition that is being written: where it would lie, and a world to try it in. */
export interface Draft {
  readonly name: string
  readonly path: string
  readonly source: string
  readonly scenario: Given
}

const SOURCES = import.meta.glob<string>(
  ['../../../src/algorithms/{ring,complete,graph}/*.ts', '!../../../src/**/*.test.ts'],
  { query: '?raw', import: 'default', eager: true },
)

/** An algorithm of the catalogue, as it is written there. */
export function beginning(name = 'lcr'): Draft {
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

/** What was written before, if the run is of own code. */
export function draftOf({ code, scenario }: Run): Draft | null {
  if (code === null) return null
  return { name: 'own', path: code.path, source: code.source, scenario }
}
