import { batch } from '@preact/signals'
import type { Snapshot } from '../../../src/check/index.ts'
import type { RunFacts } from '../recording/run-log.ts'
import { branches, compared, compareRuns, player, replaceBranches, shown } from './lab.ts'
import type { LabDocument, LinkedCode, LinkedRun } from './lab-document.ts'
import { type Code, type Recording, ShownRun } from './run.ts'

export function currentDocument(): LabDocument {
  const runs = branches.value
  return {
    version: 1,
    runs: runs.map((run) => linkedRun(run, runs)),
    shown: shown.value,
    ...(compared.value.length > 0 && {
      compared: compared.value.map((run) =>
        runs.includes(run) ? runs.indexOf(run) : linkedRun(run, runs),
      ),
    }),
    step: player.step.value,
    time: player.time.value,
  }
}

function linkedRun(
  { scenario, whole, code, origin, recording }: ShownRun,
  runs: readonly ShownRun[],
): LinkedRun {
  return {
    // The whole scenario includes the change of a branch, once it is known.
    scenario: origin === null ? scenario : { ...(whole.value ?? scenario) },
    ...(code && { own: { path: code.path, source: code.source } }),
    ...(recording && { recording: withoutTypedArrays(recording) }),
    ...(origin && {
      origin: { run: runs.indexOf(origin.run), at: origin.at, change: origin.change },
    }),
  }
}

/**
 * Prepares the runs of a document; the function that it returns shows them. The clock returns to
 * its time once the run has got so far.
 */
export async function prepareDocument(linked: LabDocument): Promise<() => void> {
  const runs = alreadyOpen(linked)
  for (const run of linked.runs.slice(runs.length)) runs.push(await opened(run, runs))
  const beside: ShownRun[] = []
  for (const one of linked.compared ?? [])
    beside.push(typeof one === 'number' ? (runs[one] ?? runs[0]) : await opened(one, runs))
  return () =>
    batch(() => {
      replaceBranches(runs)
      shown.value = Math.min(linked.shown, runs.length - 1)
      compareRuns(beside)
      player.resumeAt(linked.step, linked.time)
    })
}

/** The first runs of a document, as far as the page shows them already: they go on. */
function alreadyOpen({ runs }: LabDocument): ShownRun[] {
  const open = branches.value
  const same = (run: LinkedRun, i: number) =>
    open[i] !== undefined &&
    run.recording === undefined &&
    JSON.stringify(linkedRun(open[i], open)) === JSON.stringify(run)
  const other = runs.findIndex((run, i) => !same(run, i))
  return open.slice(0, other < 0 ? runs.length : other)
}

async function opened(
  { scenario, own, origin, recording }: LinkedRun,
  runs: readonly ShownRun[],
): Promise<ShownRun> {
  return new ShownRun(
    scenario,
    own === undefined ? null : await codeOf(own),
    origin ? { ...origin, run: runs[origin.run] ?? runs[0] } : null,
    null,
    recording === undefined ? null : current(recording),
  )
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
  const { walk } = world
  const facts = Object.entries(world).map(([name, fact]) => [name, listed(fact)])
  return {
    world: {
      ...(Object.fromEntries(facts) as RunFacts),
      ...(walk && { walk: walk.map((one) => Array.from(one)) }),
    },
    ...rest,
  }
}

function listed(fact: unknown): unknown {
  return ArrayBuffer.isView(fact) ? Array.from(fact as Float64Array) : fact
}

/**
 * Compiles own code. The compiler is large, and only own definitions need it; a saved page has its
 * code compiled.
 */
async function codeOf({ path, source }: LinkedCode): Promise<Code> {
  const saved = (savedDocument()?.runs ?? []).find(({ own }) => own?.source === source)?.own
  if (saved?.compiled !== undefined)
    return { path, source, compiled: saved.compiled, lines: saved.lines ?? [] }
  const { compile } = await import('../editor/compile.ts')
  return compile(path, source)
}

/** The element in which a page of one file has what it opens at once. */
const EMBEDDED = 'opened'

/** What a page of one file opens at once, as JSON; null where there is nothing. */
export function embeddedJson(): string | null {
  return document.getElementById(EMBEDDED)?.textContent || null
}

/** The document of a saved page. */
export function savedDocument(): LabDocument | null {
  const { document: saved } = JSON.parse(embeddedJson() ?? '{}') as { document?: LabDocument }
  return saved ?? null
}
