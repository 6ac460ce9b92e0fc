import { batch } from '@preact/signals'
import type { Given } from '../../../src/scenario/index.ts'
import { branches, player, replaceBranches, shown } from './lab.ts'
import { type Recording, Run } from './run.ts'

/** All that a link carries: what is simulated, with every change, and where one looks. */
export interface LabDocument {
  readonly version: 1
  readonly runs: readonly {
    readonly scenario: Given
    /** Own definition, as it was written. */
    readonly own?: { readonly path: string; readonly source: string }
    /** Events that are only shown. */
    readonly recording?: Recording
    /** The run that it changes, by its number, since when, and how. */
    readonly origin?: { readonly run: number; readonly at: number; readonly change: string }
  }[]
  readonly shown: number
  readonly step: number
  readonly time: number
}

export function currentDocument(): LabDocument {
  const runs = branches.value
  return {
    version: 1,
    runs: runs.map(({ scenario, whole, code, origin, recording }) => ({
      // A change stands in the whole scenario, once that is known.
      scenario: origin === null ? scenario : { ...(whole.value ?? scenario) },
      ...(code && { own: { path: code.path, source: code.source } }),
      ...(recording && { recording: plain(recording) }),
      ...(origin && {
        origin: { run: runs.indexOf(origin.run), at: origin.at, change: origin.change },
      }),
    })),
    shown: shown.value,
    step: player.step.value,
    time: player.time.value,
  }
}

/** Opens what a link carries; the clock goes where it stood as soon as the run is known so far. */
export async function openDocument(document: LabDocument): Promise<void> {
  const runs: Run[] = []
  for (const { scenario, own, origin, recording } of document.runs) {
    const code = own === undefined ? null : await compiled(own.path, own.source)
    runs.push(
      new Run(
        scenario,
        code,
        origin ? { ...origin, run: runs[origin.run] ?? runs[0] } : null,
        null,
        recording ?? null,
      ),
    )
  }
  batch(() => {
    replaceBranches(runs)
    shown.value = Math.min(document.shown, runs.length - 1)
    player.resumeAt(document.step, document.time)
  })
}

/** Without typed arrays, which JSON does not know. */
function plain({ world, events }: Recording): Recording {
  const { ids, edges, places } = world
  return {
    world: {
      ...world,
      ids: ids && Array.from(ids),
      edges: Array.from(edges),
      places: places && Array.from(places),
    },
    events,
  }
}

/** The compiler is large, and only own definitions need it. */
async function compiled(path: string, source: string) {
  const { compile } = await import('../editor/compile.ts')
  return compile(path, source)
}

/** Whether a value that came from outside is such a document. */
export function isDocument(value: unknown): value is LabDocument {
  const { version, runs, shown, step, time } = (value ?? {}) as Partial<LabDocument>
  return (
    version === 1 &&
    Array.isArray(runs) &&
    runs.length > 0 &&
    runs.every(({ scenario }) => typeof scenario === 'object' && scenario !== null) &&
    [shown, step, time].every((number) => Number.isFinite(number))
  )
}
