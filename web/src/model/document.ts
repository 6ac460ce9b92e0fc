import { batch } from '@preact/signals'
import type { Snapshot } from '../../../src/check/index.ts'
import { branches, player, replaceBranches, shown } from './lab.ts'
import type { LabDocument } from './lab-document.ts'
import { type Recording, Run } from './run.ts'

export function currentDocument(): LabDocument {
  const runs = branches.value
  return {
    version: 1,
    runs: runs.map(({ scenario, whole, code, origin, recording }) => ({
      // The whole scenario includes the change of a branch, once it is known.
      scenario: origin === null ? scenario : { ...(whole.value ?? scenario) },
      ...(code && { own: { path: code.path, source: code.source } }),
      ...(recording && { recording: withoutTypedArrays(recording) }),
      ...(origin && {
        origin: { run: runs.indexOf(origin.run), at: origin.at, change: origin.change },
      }),
    })),
    shown: shown.value,
    step: player.step.value,
    time: player.time.value,
  }
}

/** Opens the document of a link. The clock returns to its time once the run has got so far. */
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
        recording === undefined ? null : current(recording),
      ),
    )
  }
  batch(() => {
    replaceBranches(runs)
    shown.value = Math.min(document.shown, runs.length - 1)
    player.resumeAt(document.step, document.time)
  })
}

/** Older links have the snapshots of a recording under another name. */
function current({
  scenes,
  ...recording
}: Recording & { scenes?: readonly Snapshot[] }): Recording {
  return scenes === undefined ? recording : { snapshots: scenes, ...recording }
}

/** The recording without typed arrays, which JSON does not have. */
function withoutTypedArrays({ world, ...rest }: Recording): Recording {
  const { ids, edges, places, walk, absent } = world
  return {
    world: {
      ...world,
      ids: ids && Array.from(ids),
      edges: Array.from(edges),
      places: places && Array.from(places),
      ...(walk && { walk: walk.map((one) => Array.from(one)) }),
      ...(absent && { absent: Array.from(absent) }),
    },
    ...rest,
  }
}

/** The compiler is large, and only own definitions need it. */
async function compiled(path: string, source: string) {
  const { compile } = await import('../editor/compile.ts')
  return compile(path, source)
}
