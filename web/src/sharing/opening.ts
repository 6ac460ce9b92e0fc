import { batch } from '@preact/signals'
import type { Snapshot } from '../../../src/check/index.ts'
import { UsageError } from '../../../src/core/index.ts'
import { enumerated } from '../../../src/core/text-format.ts'
import type { TraceEvent } from '../../../src/core/trace/trace-event.ts'
import { shortTexts } from '../../../src/options/scenario.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { mayRun } from '../address/notices.tsx'
import { startCoding } from '../editor/editor-panel.tsx'
import { offeredAlgorithm } from '../model/algorithm-list.ts'
import { counterexampleShown } from '../model/check-outcome.ts'
import { embeddedJson, prepareDocument, savedDocument } from '../model/document.ts'
import { askEngine } from '../model/engine.ts'
import { opening, replaceBranches, replaceScenario } from '../model/lab.ts'
import type { LabDocument } from '../model/lab-document.ts'
import { place } from '../model/place.ts'
import { type Code, ShownRun } from '../model/run.ts'
import type { RunFacts } from '../recording/run-log.ts'
import {
  isScenario,
  type OpenedTrace,
  parsed,
  readTrace,
  withTypes,
  worldOf,
} from './trace-file.ts'

/**
 * Opens a scenario, which is simulated, or an event log, which is shown; a trace of the simulator
 * is simulated again from its scenario. Returns an error message, or null.
 */
export async function openFile(
  text: string,
  code: Code | null = null,
  name = '',
): Promise<string | null> {
  if (isCode(name)) return openCode(name, text)
  const whole = parsed(text)
  if (isScenario(whole)) return openScenario(whole, code)
  const file = readTrace(text)
  if (typeof file === 'string') return `This is neither a scenario nor an event log. ${file}`
  const { scenario, check, events } = file
  const known = code !== null || offeredAlgorithm(scenario?.algorithm) !== null
  if (scenario !== null && check === null && known) return simulate(scenario, code)
  if (scenario !== null && check?.isInduction)
    return known
      ? showInduction(text, scenario, check.property ?? '', code)
      : 'This is a step of a definition that is not in the catalogue: open its file first.'
  if (events.length === 0) return 'There is nothing in it: no scenario and no event.'
  const world = await worldIn(file, code)
  const broken = check?.property
  const snapshots = check === null ? [] : await snapshotsIn(text, code)
  const recording = {
    world: { ...withTypes(world, events), unit: unitOf(check?.mode, world) },
    events,
    snapshots,
    ...(broken && { broken: { property: broken, detail: 'found by conclave check' } }),
  }
  batch(() => {
    place.value = { name: 'lab' }
    replaceBranches([ShownRun.recorded(recording, code)])
  })
  return null
}

/** A file may have data in place of the short texts that the form shows. */
function openScenario(given: ScenarioInput, code: Code | null): string | null {
  try {
    return simulate(shortTexts(given, String), code)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}

function isCode(name: string): boolean {
  return /\.[mc]?[tj]s(#[\w$]+)?$/.test(name)
}

/** Opens an own definition to be edited, once the user has seen it and lets it run. */
async function openCode(path: string, source: string): Promise<string | null> {
  if (!(await mayRun([{ path, source }]))) return null
  opening.value = `Opening ${path} ...`
  try {
    const code = await compiled(path, source)
    simulate({}, code)
    void startCoding()
    return null
  } catch {
    return 'There is no compiler in this page: export it with --with-editor.'
  } finally {
    opening.value = null
  }
}

/** Where the server of the page has the files that it was started with. */
const SERVED = 'opened.json'

/** The files that `conclave lab FILE` names: a scenario or a trace, and its definition. */
interface ServedFiles {
  readonly files: readonly { readonly name: string; readonly text: string }[]
}

/** Opens the files that the page was started with. Returns an error message, or null. */
export async function openServed(): Promise<string | null> {
  try {
    const saved = savedDocument()
    if (saved !== null) return await showSaved(saved)
    const text = embeddedJson() ?? (await (await fetch(SERVED)).text())
    const { files } = JSON.parse(text) as ServedFiles
    opening.value = `Opening ${enumerated(files.map(({ name }) => name))} ...`
    const own = files.find(({ name }) => isCode(name))
    const shown = files.find(({ name }) => !isCode(name))
    const code = own === undefined ? null : await compiled(own.name, own.text)
    // An own definition by itself is opened to be edited.
    if (shown === undefined && code !== null) void startCoding()
    return shown === undefined ? simulate({}, code) : await openFile(shown.text, code)
  } catch {
    return 'The file cannot be opened.'
  }
}

/** Shows what a page was saved with. */
async function showSaved(saved: LabDocument): Promise<null> {
  const show = await prepareDocument(saved)
  batch(() => {
    place.value = { name: 'lab' }
    show()
  })
  return null
}

/** The compiler is large, and only own definitions need it. */
async function compiled(name: string, source: string): Promise<Code> {
  const { compile } = await import('../editor/compile.ts')
  return compile(name, source)
}

/** Shows a counterexample to induction over a run on its network; returns an error, or null. */
async function showInduction(
  trace: string,
  scenario: ScenarioInput,
  clause: string,
  code: Code | null,
): Promise<string | null> {
  const { askChecker } = await import('../model/checker.ts')
  for await (const answer of askChecker({ trace, code, want: 'replay' })) {
    if (answer.what === 'refused' || answer.what === 'failed') return answer.message
    if (answer.what !== 'replayed' || answer.counterexample === null) continue
    simulate(scenario, code)
    counterexampleShown.value = { clause, counterexample: answer.counterexample }
  }
  return null
}

/** The states of nodes in a trace of the checker, which is replayed, where that is possible. */
async function snapshotsIn(trace: string, code: Code | null): Promise<readonly Snapshot[]> {
  try {
    const { askChecker } = await import('../model/checker.ts')
    for await (const answer of askChecker({ trace, code, want: 'replay' }))
      if (answer.what === 'replayed') return answer.snapshots
  } catch {
    // A page without the checker shows the events only.
  }
  return []
}

function simulate(scenario: ScenarioInput, code: Code | null): null {
  batch(() => {
    place.value = { name: 'lab' }
    replaceScenario(scenario, code)
  })
  return null
}

/** The facts from the engine, or from the events where the engine does not know the definition. */
async function worldIn({ scenario, events }: OpenedTrace, code: Code | null): Promise<RunFacts> {
  if (scenario !== null) {
    const request = { scenario, code, intervention: null, want: 'world' } as const
    for await (const answer of askEngine(request))
      if (answer.what === 'world' && fits(answer.world, events)) return answer.world
  }
  return worldOf(events, String(scenario?.algorithm ?? 'recording'))
}

function fits({ n }: RunFacts, events: readonly TraceEvent[]): boolean {
  return events.every(({ node }) => node < n)
}

/** The unit of `at`, by the mode of the checker. */
function unitOf(mode: string | undefined, { unit }: RunFacts): RunFacts['unit'] {
  if (mode === undefined) return unit
  if (mode === 'clocked:1') return 'round'
  return mode.startsWith('clocked') ? 'time' : 'step'
}
